package io.clusterecho.client.load;

/**
 * The part of a schedule that one of several clients offers. Client k of n offers message i of the schedule if
 * {@code i mod n == k}, each at the time that the one schedule gives it, so that all clients together offer the whole.
 *
 * @param number of the client, from 0.
 * @param count  of clients.
 */
public record Share(int number, int count)
{
    /**
     * Of a client that is alone.
     */
    public static final Share WHOLE = new Share(0, 1);

    /**
     * Checks that there is such a client.
     *
     * @throws IllegalArgumentException with both values, if not.
     */
    public Share
    {
        if (count < 1 || number < 0 || number >= count)
        {
            throw new IllegalArgumentException("number=" + number + ", count=" + count + ", allowed number 0 to count - 1");
        }
    }

    /**
     * How many of the messages from one index on, and before another, are part of it.
     *
     * @param first index, from 0.
     * @param end   index behind the last one, at least {@code first}.
     */
    public long countOf(final long first, final long end)
    {
        return below(end) - below(first);
    }

    private long below(final long index)
    {
        return (index - number + count - 1) / count;
    }
}
