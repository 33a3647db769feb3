package io.clusterecho.client.schedule;

import io.clusterecho.settings.IllegalArgument;

/**
 * A Poisson process: independent, exponentially distributed intervals with the mean of the rate. The time of message n is still
 * a function of n and the seed: the intervals come from a generator keyed by n and are summed in blocks whose start times are
 * kept.
 * <p>
 * The table of block starts is filled as the schedule advances; the constructor allocates all memory.
 */
public final class PoissonSchedule implements Schedule
{
    private static final int BLOCK_LENGTH = 128;

    private final long ratePerSecond;
    private final double meanNs;
    private final long seed;
    private final double[] blockStartsNs;
    private final Block sending = new Block();
    private final Block receiving = new Block();
    private int knownBlockCount = 1;

    /** Poisson arrivals with a mean rate from 1, for no more than so many messages; the same seed yields the same times. */
    public PoissonSchedule(final long ratePerSecond, final long messageCount, final long seed)
    {
        IllegalArgument.throwIf(
            ratePerSecond < 1 || messageCount < 0, "ratePerSecond=" + ratePerSecond + ", messageCount=" + messageCount);

        this.ratePerSecond = ratePerSecond;
        meanNs = 1e9 / ratePerSecond;
        this.seed = seed;
        blockStartsNs = new double[Math.toIntExact(messageCount / BLOCK_LENGTH + 2)];
    }

    @Override
    public long timeNs(final long index)
    {
        final int block = (int)(index / BLOCK_LENGTH);
        final int place = (int)(index % BLOCK_LENGTH);
        while (block >= knownBlockCount)
        {
            sending.load(knownBlockCount - 1);
            blockStartsNs[knownBlockCount] = sending.endNs;
            knownBlockCount++;
        }

        // Sends move along the newest block while replies need an older one: one cached block each keeps both cheap.
        final Block loaded = block == knownBlockCount - 1 ? sending : receiving;
        if (loaded.number != block)
        {
            loaded.load(block);
        }

        return loaded.timesNs[place];
    }

    @Override
    public long meanTimeNs(final long index)
    {
        return (long)(index * meanNs);
    }

    @Override
    public double ratePerSecond(final long beginNs, final long endNs)
    {
        return ratePerSecond;
    }

    private final class Block
    {
        private final long[] timesNs = new long[BLOCK_LENGTH];
        private double endNs;
        private int number = -1;

        private void load(final int newNumber)
        {
            double timeNs = blockStartsNs[newNumber];
            for (int i = 0; i < BLOCK_LENGTH; i++)
            {
                timesNs[i] = (long)timeNs;
                // StrictMath, so that a seed yields the same schedule on every machine.
                timeNs -= meanNs * StrictMath.log(Draw.uniform(seed, (long)newNumber * BLOCK_LENGTH + i));
            }
            endNs = timeNs;
            number = newNumber;
        }
    }
}
