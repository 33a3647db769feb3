package io.clusterecho.failover.audit;

import java.util.function.LongConsumer;

import org.agrona.collections.Long2LongHashMap;
import org.agrona.collections.Long2ObjectHashMap;

/**
 * One client: for each of its messages what the journals recorded and what the log contains, and the state that the echo service
 * must have for it after the log was replayed. Takes 8 bytes a message, in pages that are allocated on demand.
 * <pre>
 *   63     48 47    40 39   32 31       0
 *   |  facts  | copies | sends |  check  |
 * </pre>
 */
final class AuditedClient
{
    static final long NO_SEQUENCE = -1;
    static final long NO_POSITION = -1;

    /** Enough to report the first rejections; a client that is always rejected must not exhaust memory. */
    private static final int MAX_TOO_EARLY = 100_000;
    private static final int PAGE_SHIFT = 12;
    private static final int PAGE_LENGTH = 1 << PAGE_SHIFT;
    private static final int SENDS_SHIFT = Integer.SIZE;
    private static final int COPIES_SHIFT = SENDS_SHIFT + Byte.SIZE;
    private static final int FACTS_SHIFT = COPIES_SHIFT + Byte.SIZE;
    private static final long MAX_COUNT = 0xFF;

    /** What may be known of a message. */
    enum Fact
    {
        ACKNOWLEDGED,
        /** A reply reported that the service applied it then. */
        APPLIED_REPLY,
        /** It is applied according to the committed log. */
        APPLIED,
        IN_TAIL,
        /** A finding already reports it as lost. */
        REPORTED;

        private long mask()
        {
            return 1L << (FACTS_SHIFT + ordinal());
        }
    }

    final long clientId;
    boolean hasJournal;
    /** Whether the log, or a snapshot that the replay began with, has it. */
    boolean isReplayed;
    long lastSequence = NO_SEQUENCE;
    long appliedCount;
    long checksum;
    /** Sequences from the first of these to below the other are in a snapshot, or in a part of the log that was purged. */
    long purgedSequence;
    long firstSequence;
    /** Id of the cluster's session in which it sent its first message. */
    int firstSessionId;
    /** Whether the checksum in that snapshot is that of the client's acknowledged messages. */
    boolean isSnapshotProven;
    /** Acknowledged messages that the first snapshot should have, and by its count has not. */
    long missingCount;

    private final Long2ObjectHashMap<long[]> pages = new Long2ObjectHashMap<>();
    /** Positions of messages that were rejected and not applied later, or {@link #NO_POSITION}, by sequence. */
    final Long2LongHashMap tooEarlyPositions = new Long2LongHashMap(NO_POSITION);

    AuditedClient(final long clientId)
    {
        this.clientId = clientId;
    }

    void onSent(final long sequence)
    {
        increment(sequence, SENDS_SHIFT);
    }

    /** @return true if an earlier reply already reported that it applied the message. */
    boolean onReply(final long sequence, final int check, final boolean isApplied)
    {
        final boolean isTwice = isApplied && is(sequence, Fact.APPLIED_REPLY);
        put(sequence, get(sequence) >>> SENDS_SHIFT << SENDS_SHIFT | Integer.toUnsignedLong(check));
        set(sequence, Fact.ACKNOWLEDGED);
        if (isApplied)
        {
            set(sequence, Fact.APPLIED_REPLY);
        }
        return isTwice;
    }

    /** @return copies of the message in the committed log so far, at most 255. */
    int onCopy(final long sequence)
    {
        increment(sequence, COPIES_SHIFT);
        return copyCount(sequence);
    }

    boolean is(final long sequence, final Fact fact)
    {
        return 0 != (get(sequence) & fact.mask());
    }

    void set(final long sequence, final Fact fact)
    {
        put(sequence, get(sequence) | fact.mask());
    }

    /** Check of the reply to an acknowledged message. */
    int check(final long sequence)
    {
        return (int)get(sequence);
    }

    /** Times a message was sent, at most 255. An answered message counts as sent even if the journal lacks the send. */
    int sendCount(final long sequence)
    {
        final int count = count(sequence, SENDS_SHIFT);
        return 0 == count && is(sequence, Fact.ACKNOWLEDGED) ? 1 : count;
    }

    /** Copies of a message in the committed log, at most 255. */
    int copyCount(final long sequence)
    {
        return count(sequence, COPIES_SHIFT);
    }

    /** Visit each message that was sent, in ascending order of sequence. */
    void forEachSent(final LongConsumer consumer)
    {
        pages.keySet().stream().mapToLong(Long::longValue).sorted().forEach((pageIndex) ->
        {
            for (int i = 0; i < PAGE_LENGTH; i++)
            {
                final long sequence = (pageIndex << PAGE_SHIFT) + i;
                if (sendCount(sequence) > 0)
                {
                    consumer.accept(sequence);
                }
            }
        });
    }

    /** An ordered message precedes an earlier one of its client and so is rejected. */
    void onTooEarly(final long sequence, final long position)
    {
        if (tooEarlyPositions.size() < MAX_TOO_EARLY && !tooEarlyPositions.containsKey(sequence))
        {
            tooEarlyPositions.put(sequence, position);
        }
    }

    /** @param sequence of the last message of this client that the state of the cluster has, or {@link #NO_SEQUENCE}. */
    void keep(final long sequence)
    {
        for (long undone = sequence + 1; hasJournal && undone <= lastSequence; undone++)
        {
            put(undone, get(undone) & ~Fact.APPLIED.mask());
        }
        lastSequence = Math.min(sequence, lastSequence);
        appliedCount = NO_SEQUENCE == sequence ? 0 : appliedCount;
        checksum = NO_SEQUENCE == sequence ? 0 : checksum;
    }

    void onApplied(final long sequence)
    {
        lastSequence = sequence;
        appliedCount++;
        tooEarlyPositions.remove(sequence);
        if (hasJournal)
        {
            set(sequence, Fact.APPLIED);
        }
    }

    /** First position of any message that was rejected and never applied later, or {@link #NO_POSITION}. */
    long firstTooEarlyPosition()
    {
        return tooEarlyPositions.values().stream().mapToLong(Long::longValue).min().orElse(NO_POSITION);
    }

    private int count(final long sequence, final int shift)
    {
        return (int)(get(sequence) >>> shift & MAX_COUNT);
    }

    private void increment(final long sequence, final int shift)
    {
        if (count(sequence, shift) < MAX_COUNT)
        {
            put(sequence, get(sequence) + (1L << shift));
        }
    }

    private long get(final long sequence)
    {
        return page(sequence)[(int)sequence & PAGE_LENGTH - 1];
    }

    private void put(final long sequence, final long message)
    {
        page(sequence)[(int)sequence & PAGE_LENGTH - 1] = message;
    }

    private long[] page(final long sequence)
    {
        return pages.computeIfAbsent(sequence >>> PAGE_SHIFT, (ignore) -> new long[PAGE_LENGTH]);
    }
}
