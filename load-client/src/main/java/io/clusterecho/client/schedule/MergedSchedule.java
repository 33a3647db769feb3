package io.clusterecho.client.schedule;

import java.util.Arrays;

/**
 * Messages of several kinds, each at equal intervals of its own: message j of a kind is due at {@code floor(j * 1e9 / rate)} ns;
 * those of all kinds are ordered by due time, and by kind where they are due together. What message n of the whole is, is
 * computed from n in integers, so that no error accumulates.
 * <p>
 * Before a time T, {@code ceil(T * rate / 1e9)} messages of a kind are due. So T = {@code (n - K) * 1e9 / R}, with K kinds and R
 * the sum of their rates, is so early that at most n messages are due before it, and so late that at most K + 1 are missing:
 * these are merged. Messages are computed in blocks, of which the last used ones are kept. One thread; does not allocate.
 */
public final class MergedSchedule implements Schedule
{
    /** Messages in a block; a power of two. */
    private static final int BLOCK_LENGTH = 64;
    /** Sends use the newest block, replies and messages that are sent again older ones. */
    private static final int SLOT_COUNT = 8;
    private static final long NS_PER_SECOND = 1_000_000_000L;

    private final long[] ratesPerSecond;
    private final long sumPerSecond;
    private final long[] next;
    private final long[] nextDueNs;
    private final long[] blocks = new long[SLOT_COUNT];
    private final long[] timesNs = new long[SLOT_COUNT * BLOCK_LENGTH];
    private final byte[] kinds = new byte[SLOT_COUNT * BLOCK_LENGTH];

    /** A schedule of kinds with rates from 1 and a sum of at most 1e9. */
    public MergedSchedule(final long[] ratesPerSecond)
    {
        this.ratesPerSecond = ratesPerSecond.clone();
        sumPerSecond = Arrays.stream(ratesPerSecond).sum();
        if (Arrays.stream(ratesPerSecond).anyMatch((rate) -> rate < 1) || sumPerSecond < 1 || sumPerSecond > NS_PER_SECOND ||
            ratesPerSecond.length > Messages.MAX_KINDS)
        {
            throw new IllegalArgumentException("ratesPerSecond=" + Arrays.toString(ratesPerSecond) +
                ", allowed 1 to " + Messages.MAX_KINDS + " rates from 1 with a sum of at most " + NS_PER_SECOND);
        }
        next = new long[ratesPerSecond.length];
        nextDueNs = new long[ratesPerSecond.length];
        Arrays.fill(blocks, -1);
    }

    @Override
    public long timeNs(final long index)
    {
        return timesNs[place(index)];
    }

    @Override
    public long distanceNs()
    {
        return NS_PER_SECOND / sumPerSecond;
    }

    @Override
    public double ratePerSecond(final long beginNs, final long endNs)
    {
        return sumPerSecond;
    }

    int kindOf(final long index)
    {
        return kinds[place(index)];
    }

    private int place(final long index)
    {
        final long block = index / BLOCK_LENGTH;
        final int slot = (int)(block % SLOT_COUNT);
        if (blocks[slot] != block)
        {
            load(block, slot);
        }

        return slot * BLOCK_LENGTH + (int)(index % BLOCK_LENGTH);
    }

    private void load(final long block, final int slot)
    {
        final long first = block * BLOCK_LENGTH;
        long position = seek(first);
        while (position < first)
        {
            take();
            position++;
        }
        for (int i = slot * BLOCK_LENGTH; i < (slot + 1) * BLOCK_LENGTH; i++)
        {
            kinds[i] = (byte)earliest();
            timesNs[i] = nextDueNs[kinds[i]];
            take();
        }
        blocks[slot] = block;
    }

    /** Go to a time at which at most {@code index} messages were due before, and return how many were. */
    private long seek(final long index)
    {
        final long before = Math.max(0, index - ratesPerSecond.length);
        final long seconds = before / sumPerSecond;
        final long restNs = (before - seconds * sumPerSecond) * NS_PER_SECOND / sumPerSecond;
        long count = 0;
        for (int i = 0; i < next.length; i++)
        {
            next[i] = seconds * ratesPerSecond[i] + (restNs * ratesPerSecond[i] + NS_PER_SECOND - 1) / NS_PER_SECOND;
            nextDueNs[i] = dueNs(i);
            count += next[i];
        }

        return count;
    }

    private int earliest()
    {
        int kind = 0;
        for (int i = 1; i < nextDueNs.length; i++)
        {
            kind = nextDueNs[i] < nextDueNs[kind] ? i : kind;
        }

        return kind;
    }

    private void take()
    {
        final int kind = earliest();
        next[kind]++;
        nextDueNs[kind] = dueNs(kind);
    }

    private long dueNs(final int kind)
    {
        final long rate = ratesPerSecond[kind];
        final long seconds = next[kind] / rate;
        return seconds * NS_PER_SECOND + (next[kind] - seconds * rate) * NS_PER_SECOND / rate;
    }
}
