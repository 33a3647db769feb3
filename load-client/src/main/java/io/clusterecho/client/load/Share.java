package io.clusterecho.client.load;

import io.clusterecho.settings.IllegalArgument;

/**
 * The part of a schedule that one of several clients sends. Client k of n sends message i if {@code i mod n == k}, at the time
 * set by the common schedule, so that all clients together send all of it.
 *
 * @param number of the client, from 0.
 */
public record Share(int number, int count)
{
    public static final Share WHOLE = new Share(0, 1);

    public Share
    {
        IllegalArgument.throwIf(
            count < 1 || number < 0 || number >= count,
            "number=" + number + ", count=" + count + ", allowed number 0 to count - 1");
    }

    /** Number of messages of this share from an index to before another one. */
    public long countOf(final long first, final long end)
    {
        return below(end) - below(first);
    }

    private long below(final long index)
    {
        return (index - number + count - 1) / count;
    }
}
