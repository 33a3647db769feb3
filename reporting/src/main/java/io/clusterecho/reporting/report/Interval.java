package io.clusterecho.reporting.report;

/**
 * A stretch of a run: one row of {@code intervals.csv}, or several that were joined.
 *
 * @param beginS        in s since the start of the schedule.
 * @param endS          in s since the start of the schedule.
 * @param rowCount      rows joined.
 * @param phase         of the run at its end.
 * @param leader        member that led at its end, empty if there is none or it is not known.
 * @param sent          messages in it, warm-up included.
 * @param answered      first replies in it, warm-up included.
 * @param inFlight      messages at its end; of joined rows the most, so that no peak is lost.
 * @param backPressured attempts in it that met back pressure.
 * @param disconnected  attempts in it without a session.
 */
record Interval(
    double beginS,
    double endS,
    int rowCount,
    String phase,
    String leader,
    long sent,
    long answered,
    long inFlight,
    long backPressured,
    long disconnected)
{
    double lengthS()
    {
        return endS - beginS;
    }

    /**
     * This interval and the one that follows as one.
     *
     * @param next which begins where this one ends, in the same phase.
     */
    Interval join(final Interval next)
    {
        return new Interval(
            beginS,
            next.endS,
            rowCount + next.rowCount,
            phase,
            next.leader,
            sent + next.sent,
            answered + next.answered,
            Math.max(inFlight, next.inFlight),
            backPressured + next.backPressured,
            disconnected + next.disconnected);
    }
}
