package io.clusterecho.node.service;

import org.agrona.DirectBuffer;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;

import io.clusterecho.schema.RunningChecksum;

/**
 * Replicated state of a given length beside the table of clients, so that the cost of a snapshot can be measured over the length
 * of the state: a table of 64-bit words, one of which each applied request changes. A function of the log alone.
 * <p>
 * The checksum is the sum over all words of a hash of index and word, so that a change costs the same in a table of any length.
 * <p>
 * One thread. The memory is outside the heap, is touched at once, and is returned with the process. Does not allocate afterwards.
 */
public final class StateTable
{
    public static final long MAX_LENGTH = 1L << 30;

    final UnsafeBuffer words;
    long checksum;

    /** A table that no request has changed, of a length in bytes that {@link #isAllowed}, the same on all members. */
    public StateTable(final long lengthBytes)
    {
        // Outside the heap, because the limits of the heap and of direct buffers are for backlogs.
        words = 0 == lengthBytes ? new UnsafeBuffer(0, 0) :
            new UnsafeBuffer(UnsafeApi.allocateMemory(lengthBytes), (int)lengthBytes);
        for (int offset = 0; offset < lengthBytes; offset += Long.BYTES)
        {
            final long word = RunningChecksum.fold(0, offset);
            words.putLong(offset, word);
            checksum += hash(offset, word);
        }
    }

    public static boolean isAllowed(final long lengthBytes)
    {
        return lengthBytes >= 0 && lengthBytes <= MAX_LENGTH && 0 == lengthBytes % Long.BYTES;
    }

    /** Change one word, after a request was applied: the checksum over all requests so far selects it, and is folded into it. */
    void onApplied(final long history)
    {
        if (words.capacity() > 0)
        {
            final int offset = (int)Long.remainderUnsigned(history, words.capacity() / Long.BYTES) * Long.BYTES;
            final long before = words.getLong(offset);
            final long after = RunningChecksum.fold(before, history);
            words.putLong(offset, after);
            checksum += hash(offset, after) - hash(offset, before);
        }
    }

    int lengthBytes()
    {
        return words.capacity();
    }

    /**
     * Replace a part of the table, by its offset in bytes, by that of a snapshot. The checksum is not changed before {@link
     * #restored()}.
     */
    void restore(final int offset, final DirectBuffer source, final int sourceOffset, final int length)
    {
        words.putBytes(offset, source, sourceOffset, length);
    }

    /** Compute and return the sum of the hashes of all words, after the last part was replaced. */
    long restored()
    {
        checksum = 0;
        for (int offset = 0; offset < words.capacity(); offset += Long.BYTES)
        {
            checksum += hash(offset, words.getLong(offset));
        }

        return checksum;
    }

    private static long hash(final int offset, final long word)
    {
        return RunningChecksum.fold(offset, word);
    }
}
