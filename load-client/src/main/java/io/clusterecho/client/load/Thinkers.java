package io.clusterecho.client.load;

import java.util.SplittableRandom;

/**
 * The users of one session of a closed loop who are thinking: the times at which they send their next messages, in a binary heap.
 * Users are interchangeable. One thread; does not allocate after construction.
 */
final class Thinkers
{
    private final ThinkTime time;
    private final SplittableRandom random;
    private final long[] dueNs;
    private int count;

    /** One or more users, of whom nobody is thinking yet. */
    Thinkers(final ThinkTime time, final int userCount, final long seed)
    {
        this.time = time;
        random = new SplittableRandom(seed);
        dueNs = new long[userCount];
    }

    /**
     * Let all users begin spread over a mean think time, as if they had been thinking before: otherwise users with a fixed time
     * would send their messages at once, again and again.
     */
    void begin(final long nowNs)
    {
        count = 0;
        for (int i = 0; i < dueNs.length; i++)
        {
            add(nowNs + (time.isExponential() ? time.nextNs(random) : (long)((double)time.meanNs() * i / dueNs.length)));
        }
    }

    /** A user begins to think, at the time of the reply or of the loss of the session. */
    void think(final long nowNs)
    {
        add(nowNs + time.nextNs(random));
    }

    /** Whether a user has thought long enough and sends a message. */
    boolean isDue(final long nowNs)
    {
        return count > 0 && dueNs[0] - nowNs <= 0;
    }

    /** The user who was due first has sent a message. */
    void remove()
    {
        count--;
        final long last = dueNs[count];
        int at = 0;
        for (int child = 1; child < count; child = 2 * at + 1)
        {
            if (child + 1 < count && dueNs[child + 1] - dueNs[child] < 0)
            {
                child++;
            }
            if (dueNs[child] - last >= 0)
            {
                break;
            }
            dueNs[at] = dueNs[child];
            at = child;
        }
        dueNs[at] = last;
    }

    private void add(final long timeNs)
    {
        int at = count++;
        while (at > 0 && timeNs - dueNs[(at - 1) / 2] < 0)
        {
            dueNs[at] = dueNs[(at - 1) / 2];
            at = (at - 1) / 2;
        }
        dueNs[at] = timeNs;
    }
}
