package io.clusterecho.client.record;

import java.util.Arrays;

/**
 * State of every message of a run: a bit for "answered" and one for each kind of reply, and the send times of the newest ones.
 * For the one thread that sends and receives.
 * <p>
 * Memory: these bits for each message, and 16 bytes for each of the newest messages.
 */
public final class Ledger
{
    /** Send time of a message that is no longer among the newest. */
    public static final long UNKNOWN = Long.MIN_VALUE;

    private final MessageSet answered;
    private final MessageSet[] replied;
    private final long[] sendTimesNs;
    /** Index, and in the lowest bit whether the message was held up. */
    private final long[] sentIndexes;
    private final int newestMask;

    /** Of the messages of a run, warm-up included; the number whose send times are kept is rounded up to a power of two. */
    public Ledger(final long messageCount, final int newestCount, final int replyKindCount)
    {
        answered = new MessageSet(messageCount);
        replied = new MessageSet[replyKindCount];
        Arrays.setAll(replied, (kind) -> new MessageSet(messageCount));
        final int capacity = org.agrona.BitUtil.findNextPositivePowerOfTwo(newestCount);
        newestMask = capacity - 1;
        sendTimesNs = new long[capacity];
        sentIndexes = new long[capacity];
        Arrays.fill(sentIndexes, -1);
    }

    /**
     * A message was handed to the transport.
     *
     * @param isHeldUp   whether it could not be sent when it was due because the transport did not accept it, or one before it.
     */
    public void onSent(final long index, final long sendTimeNs, final boolean isHeldUp)
    {
        final int slot = (int)index & newestMask;
        sendTimesNs[slot] = sendTimeNs;
        sentIndexes[slot] = index << 1 | (isHeldUp ? 1 : 0);
    }

    /** Whether the transport held a message up; false if newer messages have replaced it. */
    public boolean isHeldUp(final long index)
    {
        return sentIndexes[(int)index & newestMask] == (index << 1 | 1);
    }

    /** Send time of a message, or {@link #UNKNOWN} if newer messages have replaced it. */
    public long sendTimeNs(final long index)
    {
        final int slot = (int)index & newestMask;
        return sentIndexes[slot] >> 1 == index ? sendTimesNs[slot] : UNKNOWN;
    }

    /** A reply to a message was received; true for its first reply, false for a further one. */
    public boolean onAnswered(final long index)
    {
        return answered.add(index);
    }

    /** A reply of a kind was received; true for the first one of it. The echo has one kind: the message was applied now. */
    public boolean onReply(final int kind, final long index)
    {
        return replied[kind].add(index);
    }

    public boolean isAnswered(final long index)
    {
        return answered.contains(index);
    }

    /**
     * A set of message indexes with one bit each; unlike {@link java.util.BitSet} it is not limited to {@link Integer#MAX_VALUE}.
     * For one thread; does not allocate after construction.
     */
    public static final class MessageSet
    {
        private static final int PAGE_SHIFT = 20;
        private static final int PAGE_MASK = (1 << PAGE_SHIFT) - 1;

        private final long[][] pages;

        public MessageSet(final long messageCount)
        {
            final long wordCount = (messageCount + 63) >>> 6;
            pages = new long[Math.toIntExact((wordCount + PAGE_MASK) >>> PAGE_SHIFT)][];
            for (int i = 0; i < pages.length; i++)
            {
                pages[i] = new long[(int)Math.min(1 << PAGE_SHIFT, wordCount - ((long)i << PAGE_SHIFT))];
            }
        }

        /** Add a message; true if it was new. */
        public boolean add(final long index)
        {
            final long word = index >>> 6;
            final long[] page = pages[(int)(word >>> PAGE_SHIFT)];
            final int place = (int)word & PAGE_MASK;
            final long bit = 1L << index;
            final boolean isNew = (page[place] & bit) == 0;
            page[place] |= bit;
            return isNew;
        }

        public boolean contains(final long index)
        {
            final long word = index >>> 6;
            return (pages[(int)(word >>> PAGE_SHIFT)][(int)word & PAGE_MASK] & 1L << index) != 0;
        }
    }
}
