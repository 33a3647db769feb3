package io.clusterecho.client.schedule;

/**
 * Random numbers that are functions of a seed and an index (SplitMix64, Steele et al. 2014), so that what is drawn for message n
 * does not depend on the order in which messages are asked for. Stateless.
 */
final class Draw
{
    private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;
    private static final long STREAM_GAMMA = 0xD1B54A32D192ED03L;

    /** A uniform number in (0, 1] for an index in the series, from 0. */
    static double uniform(final long seed, final long index)
    {
        return ((mixed(seed + (index + 1) * GOLDEN_GAMMA) >>> 11) + 1) * 0x1.0p-53;
    }

    /**
     * The fraction of the index times the golden ratio, in (0, 1]: of up to a million consecutive ones, each part of the interval
     * has its share to within four, and those of a part come at no more than three distances.
     */
    static double even(final long seed, final long index)
    {
        return (((seed + (index + 1) * GOLDEN_GAMMA) >>> 11) + 1) * 0x1.0p-53;
    }

    /**
     * A uniform whole number from 0 to {@code count - 1}.
     *
     * @param index in the series, from 0.
     * @param count from 1 to 2^31, so that the 53 bits of a draw leave no measurable bias.
     */
    static long below(final long seed, final long index, final long count)
    {
        return (long)Math.ceil(uniform(seed, index) * count) - 1;
    }

    /** Seed of a series that is independent of others with the same seed. */
    static long series(final long seed, final int number)
    {
        return mixed(mixed(seed) + number * STREAM_GAMMA);
    }

    private static long mixed(final long value)
    {
        long z = value;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
