package io.clusterecho.client.churn;

import java.util.Arrays;

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
    private final long[] beginsNs;
    private final long[] endsNs;
    /** Sessions of all turns before this one; one element more than there are turns. */
    private final long[] countsBefore;

    /**
     * A plan.
     *
     * @param ratePerSecond sessions per second within a turn, above 0.
     * @param turnNs        length of a turn; 0 for one turn with sessions, which is the whole window.
     */
    public ChurnPlan(final long ratePerSecond, final long beginNs, final long endNs, final long turnNs)
    {
        this.ratePerSecond = ratePerSecond;
        final long lengthNs = endNs - beginNs;
        final int turnCount = 0 == turnNs ? 1 : (int)((lengthNs - 1) / (2 * turnNs) + 1);
        beginsNs = new long[turnCount];
        endsNs = new long[turnCount];
        countsBefore = new long[turnCount + 1];
        for (int i = 0; i < turnCount; i++)
        {
            beginsNs[i] = 0 == turnNs ? beginNs : beginNs + (2L * i + 1) * turnNs;
            endsNs[i] = 0 == turnNs ? endNs : Math.min(endNs, beginsNs[i] + turnNs);
            // Exact, as the quotient of doubles is not: a session more would be due in the turn without any.
            countsBefore[i + 1] = countsBefore[i] +
                (Math.max(0, endsNs[i] - beginsNs[i]) * ratePerSecond + NS_PER_S - 1) / NS_PER_S;
        }
    }

    long count()
    {
        return countsBefore[countsBefore.length - 1];
    }

    /**
     * When a session is due.
     *
     * @param number of the session, from 0 to below {@link #count()}.
     */
    long dueNs(final long number)
    {
        final int turn = turnOf(number);
        return beginsNs[turn] + (number - countsBefore[turn]) * NS_PER_S / ratePerSecond;
    }

    /** Sessions that were due by a time. */
    long dueCount(final long timeNs)
    {
        long low = 0;
        long high = count();
        while (low < high)
        {
            final long middle = (low + high) / 2;
            if (dueNs(middle) <= timeNs)
            {
                low = middle + 1;
            }
            else
            {
                high = middle;
            }
        }
        return low;
    }

    /** How much of a stretch of time lies within a turn with sessions, in ns. */
    long turnNs(final long fromNs, final long toNs)
    {
        long sumNs = 0;
        for (int i = 0; i < beginsNs.length; i++)
        {
            sumNs += Math.max(0, Math.min(toNs, endsNs[i]) - Math.max(fromNs, beginsNs[i]));
        }
        return sumNs;
    }

    private int turnOf(final long number)
    {
        // The last turn that begins with this number or a lower one: turns at the end of the window may be empty.
        int turn = Arrays.binarySearch(countsBefore, number);
        if (turn < 0)
        {
            return -turn - 2;
        }
        while (turn + 1 < beginsNs.length && countsBefore[turn + 1] == number)
        {
            turn++;
        }
        return turn;
    }
}
