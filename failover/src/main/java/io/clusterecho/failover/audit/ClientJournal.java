package io.clusterecho.failover.audit;

import java.util.Arrays;

import org.agrona.collections.Long2ObjectHashMap;

/**
 * For each message of one client: what the journals recorded, and what the log contains. Takes 7 bytes a message, in pages that
 * are allocated on demand.
 */
final class ClientJournal
{
    private static final int PAGE_SHIFT = 12;
    private static final int PAGE_LENGTH = 1 << PAGE_SHIFT;
    private static final int PAGE_MASK = PAGE_LENGTH - 1;
    private static final int MAX_COUNT = 0xFF;

    private static final byte ACKNOWLEDGED = 1;
    private static final byte APPLIED_REPLY = 2;
    private static final byte APPLIED = 4;
    private static final byte IN_TAIL = 8;
    private static final byte REPORTED = 16;

    private final long clientId;
    private final Long2ObjectHashMap<Page> pages = new Long2ObjectHashMap<>();
    private Page lastPage;
    private long lastPageIndex = -1;

    ClientJournal(final long clientId)
    {
        this.clientId = clientId;
    }

    long clientId()
    {
        return clientId;
    }

    void onSent(final long sequence)
    {
        final Page page = page(sequence);
        final int index = (int)sequence & PAGE_MASK;
        page.sends[index] = increment(page.sends[index]);
    }

    /** @return true if an earlier reply already reported that it applied the message. */
    boolean onReply(final long sequence, final int check, final boolean isApplied)
    {
        final Page page = page(sequence);
        final int index = (int)sequence & PAGE_MASK;
        final boolean isTwice = isApplied && 0 != (page.flags[index] & APPLIED_REPLY);
        page.flags[index] |= isApplied ? ACKNOWLEDGED | APPLIED_REPLY : ACKNOWLEDGED;
        page.checks[index] = check;
        return isTwice;
    }

    /** @return copies of the message in the committed log so far, at most 255. */
    int onCopy(final long sequence)
    {
        final Page page = page(sequence);
        final int index = (int)sequence & PAGE_MASK;
        page.copies[index] = increment(page.copies[index]);
        return page.copies[index] & 0xFF;
    }

    void onApplied(final long sequence)
    {
        page(sequence).flags[(int)sequence & PAGE_MASK] |= APPLIED;
    }

    /** A message was applied by a log whose state the cluster did not keep. */
    void onUndone(final long sequence)
    {
        page(sequence).flags[(int)sequence & PAGE_MASK] &= ~APPLIED;
    }

    void onTail(final long sequence)
    {
        page(sequence).flags[(int)sequence & PAGE_MASK] |= IN_TAIL;
    }

    void onReported(final long sequence)
    {
        page(sequence).flags[(int)sequence & PAGE_MASK] |= REPORTED;
    }

    /** Whether a finding already reports the message as lost. */
    boolean isReported(final long sequence)
    {
        return has(sequence, REPORTED);
    }

    boolean isAcknowledged(final long sequence)
    {
        return has(sequence, ACKNOWLEDGED);
    }

    boolean isApplied(final long sequence)
    {
        return has(sequence, APPLIED);
    }

    boolean isInTail(final long sequence)
    {
        return has(sequence, IN_TAIL);
    }

    /** Check of the reply to an acknowledged message. */
    int check(final long sequence)
    {
        return page(sequence).checks[(int)sequence & PAGE_MASK];
    }

    /** Times a message was sent, at most 255. An answered message counts as sent even if the journal lacks the send. */
    int sendCount(final long sequence)
    {
        final int count = page(sequence).sends[(int)sequence & PAGE_MASK] & 0xFF;
        return 0 == count && isAcknowledged(sequence) ? 1 : count;
    }

    /** Copies of a message in the committed log, at most 255. */
    int copyCount(final long sequence)
    {
        return page(sequence).copies[(int)sequence & PAGE_MASK] & 0xFF;
    }

    /** Visit each message that was sent, in ascending order of sequence. */
    void forEachSent(final java.util.function.LongConsumer consumer)
    {
        final long[] indexes = pages.keySet().stream().mapToLong(Long::longValue).toArray();
        Arrays.sort(indexes);
        for (final long pageIndex : indexes)
        {
            for (int i = 0; i < PAGE_LENGTH; i++)
            {
                final long sequence = (pageIndex << PAGE_SHIFT) + i;
                if (sendCount(sequence) > 0)
                {
                    consumer.accept(sequence);
                }
            }
        }
    }

    private boolean has(final long sequence, final byte flag)
    {
        return 0 != (page(sequence).flags[(int)sequence & PAGE_MASK] & flag);
    }

    private Page page(final long sequence)
    {
        final long pageIndex = sequence >>> PAGE_SHIFT;
        if (pageIndex != lastPageIndex)
        {
            lastPage = pages.computeIfAbsent(pageIndex, (ignore) -> new Page());
            lastPageIndex = pageIndex;
        }

        return lastPage;
    }

    private static byte increment(final byte count)
    {
        return (count & 0xFF) == MAX_COUNT ? count : (byte)(count + 1);
    }

    private static final class Page
    {
        private final int[] checks = new int[PAGE_LENGTH];
        private final byte[] sends = new byte[PAGE_LENGTH];
        private final byte[] copies = new byte[PAGE_LENGTH];
        private final byte[] flags = new byte[PAGE_LENGTH];
    }
}
