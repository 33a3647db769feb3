package io.clusterecho.reporting.report;

/**
 * One row of {@code intervals.csv}, or several rows merged.
 *
 * @param beginS        in s since the start of the schedule.
 * @param endS          in s since the start of the schedule.
 * @param phase         in which most of it lay; of results of older builds, the phase at its end.
 * @param leader        at its end, a member id; empty if there is none or it is unknown.
 * @param sent          messages in it, warm-up included.
 * @param answered      first replies in it, warm-up included.
 * @param inFlight      messages at its end; the maximum of merged rows.
 * @param backPressured offers in it with back pressure.
 * @param disconnected  offers in it without a session.
 * @param targetPerS    mean target rate in it, in messages/s; NaN if unknown, as in results of older builds.
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
    long disconnected,
    double targetPerS)
{
    Interval(
        final double beginS,
        final double endS,
        final int rowCount,
        final String phase,
        final String leader,
        final long sent,
        final long answered,
        final long inFlight,
        final long backPressured,
        final long disconnected)
    {
        this(beginS, endS, rowCount, phase, leader, sent, answered, inFlight, backPressured, disconnected, Double.NaN);
    }

    double lengthS()
    {
        return endS - beginS;
    }

    /**
     * This interval and the next one, merged.
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
            disconnected + next.disconnected,
            (targetPerS * lengthS() + next.targetPerS * next.lengthS()) / (lengthS() + next.lengthS()));
    }
}
