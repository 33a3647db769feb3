package io.clusterecho.client.record;

/**
 * A set of message indexes with one bit each; unlike {@link java.util.BitSet} it is not limited to {@link Integer#MAX_VALUE}.
 * For one thread; does not allocate after construction.
 */
final class MessageSet
{
    private static final int PAGE_SHIFT = 20;
    private static final int PAGE_MASK = (1 << PAGE_SHIFT) - 1;

    private final long[][] pages;

    MessageSet(final long messageCount)
    {
        final long wordCount = (messageCount + 63) >>> 6;
        pages = new long[Math.toIntExact((wordCount + PAGE_MASK) >>> PAGE_SHIFT)][];
        for (int i = 0; i < pages.length; i++)
        {
            pages[i] = new long[(int)Math.min(1 << PAGE_SHIFT, wordCount - ((long)i << PAGE_SHIFT))];
        }
    }

    /** Add a message; true if it was new. */
    boolean add(final long index)
    {
        final long word = index >>> 6;
        final long[] page = pages[(int)(word >>> PAGE_SHIFT)];
        final int place = (int)word & PAGE_MASK;
        final long bit = 1L << index;
        final boolean isNew = (page[place] & bit) == 0;
        page[place] |= bit;
        return isNew;
    }

    boolean contains(final long index)
    {
        final long word = index >>> 6;
        return (pages[(int)(word >>> PAGE_SHIFT)][(int)word & PAGE_MASK] & 1L << index) != 0;
    }
}
