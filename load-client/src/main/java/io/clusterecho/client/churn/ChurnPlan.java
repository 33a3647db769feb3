package io.clusterecho.client.churn;

/**
 * When which session is due: a function of its number. Sessions are due at equal distances of the time within turns; every other
 * turn is without any, the first one too. All times are in ns since the start of the schedule.
 * <pre>
 *   |  warm-up  |  turn  | s s s s | turn | s s s s |        with turns of 0: |  warm-up  | s s s s s s s s |
 * </pre>
 *
 * @param ratePerSecond sessions per second within a turn, above 0.
 * @param turnNs        length of a turn; 0 for one turn with sessions, which is the whole window.
 */
public record ChurnPlan(long ratePerSecond, long beginNs, long endNs, long turnNs)
{
    private static final long NS_PER_S = 1_000_000_000L;

    long count()
    {
        return dueCount(endNs);
    }

    /** When a session is due, by its number from 0 to below {@link #count()}. */
    long dueNs(final long number)
    {
        final long withinTurnsNs = number * NS_PER_S / ratePerSecond;
        final long turnsBefore = 0 == turnNs ? 0 : 1 + withinTurnsNs / turnNs;
        return beginNs + turnsBefore * turnNs + withinTurnsNs;
    }

    long dueCount(final long timeNs)
    {
        // Exact, as the quotient of doubles is not: a session more would be due in the turn without any.
        return (withinTurnsNs(timeNs + 1) * ratePerSecond + NS_PER_S - 1) / NS_PER_S;
    }

    /** How much of a stretch of time lies within a turn with sessions, in ns. */
    long turnNs(final long fromNs, final long toNs)
    {
        return withinTurnsNs(toNs) - withinTurnsNs(fromNs);
    }

    /** How much of the time until then lies within a turn with sessions. */
    private long withinTurnsNs(final long timeNs)
    {
        final long lengthNs = Math.max(0, Math.min(timeNs, endNs) - beginNs - turnNs);
        return 0 == turnNs ? lengthNs : lengthNs / (2 * turnNs) * turnNs + Math.min(turnNs, lengthNs % (2 * turnNs));
    }
}
