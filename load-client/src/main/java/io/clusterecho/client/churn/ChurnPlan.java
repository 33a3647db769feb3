package io.clusterecho.client.churn;

import java.util.stream.LongStream;

/**
 * When which session is due: a function of its number. Sessions are due at equal distances within a turn; every other turn is
 * without any, the first one too. All times are in ns since the start of the schedule.
 * <pre>
 *   |  warm-up  |  turn  | s s s s | turn | s s s s |        with turns of 0: |  warm-up  | s s s s s s s s |
 * </pre>
 */
public final class ChurnPlan
{
    private static final long NS_PER_S = 1_000_000_000L;

    private final long ratePerSecond;
    private final long firstBeginNs;
    private final long windowEndNs;
    private final long turnLengthNs;
    private final int turnCount;
    /** Sessions of each turn but the last, which the end of the window may cut short. */
    private final long countOfTurn;

    /**
     * A plan.
     *
     * @param ratePerSecond sessions per second within a turn, above 0.
     * @param turnNs        length of a turn; 0 for one turn with sessions, which is the whole window.
     */
    public ChurnPlan(final long ratePerSecond, final long beginNs, final long endNs, final long turnNs)
    {
        final long lengthNs = endNs - beginNs;
        this.ratePerSecond = ratePerSecond;
        firstBeginNs = beginNs + turnNs;
        windowEndNs = endNs;
        turnLengthNs = 0 == turnNs ? lengthNs : turnNs;
        turnCount = 0 == turnNs ? 1 : (int)((lengthNs - 1) / (2 * turnNs) + 1);
        countOfTurn = countWithin(turnLengthNs);
    }

    long count()
    {
        return dueCount(windowEndNs);
    }

    /**
     * When a session is due.
     *
     * @param number of the session, from 0 to below {@link #count()}.
     */
    long dueNs(final long number)
    {
        return beginNs(number / countOfTurn) + number % countOfTurn * NS_PER_S / ratePerSecond;
    }

    /** Sessions that were due by a time. */
    long dueCount(final long timeNs)
    {
        long count = 0;
        for (int turn = 0; turn < turnCount; turn++)
        {
            count += countWithin(Math.max(0, Math.min(timeNs + 1, endNs(turn)) - beginNs(turn)));
        }
        return count;
    }

    /** How much of a stretch of time lies within a turn with sessions, in ns. */
    long turnNs(final long fromNs, final long toNs)
    {
        return LongStream.range(0, turnCount)
            .map((turn) -> Math.max(0, Math.min(toNs, endNs(turn)) - Math.max(fromNs, beginNs(turn)))).sum();
    }

    private long beginNs(final long turn)
    {
        return firstBeginNs + 2 * turn * turnLengthNs;
    }

    private long endNs(final long turn)
    {
        return Math.min(windowEndNs, beginNs(turn) + turnLengthNs);
    }

    private long countWithin(final long lengthNs)
    {
        // Exact, as the quotient of doubles is not: a session more would be due in the turn without any.
        return (lengthNs * ratePerSecond + NS_PER_S - 1) / NS_PER_S;
    }
}
