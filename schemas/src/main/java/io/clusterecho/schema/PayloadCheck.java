package io.clusterecho.schema;

import java.util.zip.CRC32C;

import org.agrona.DirectBuffer;

/**
 * CRC32C (Castagnoli) of a region of a buffer, as the check of an echo message. Allocates only for a region longer than any
 * before it.
 * <p>
 * Regions off the heap are copied first. Where a page of a mapped file cannot be allocated, the JVM throws an error in the
 * thread that copies, at once or soon after, but ends the process when its code for CRC32C reads that page.
 * <p>
 * An instance is for one thread.
 */
public final class PayloadCheck
{
    private static final int INITIAL_LENGTH = 4096;

    private final CRC32C crc = new CRC32C();
    private byte[] copy = new byte[INITIAL_LENGTH];

    /** CRC32C of a region of a buffer on the heap or off it, as an unsigned 32-bit value in an int. */
    public int compute(final DirectBuffer buffer, final int offset, final int length)
    {
        buffer.boundsCheck(offset, length);
        crc.reset();
        final byte[] bytes = buffer.byteArray();
        if (null == bytes)
        {
            if (copy.length < length)
            {
                copy = new byte[length];
            }
            buffer.getBytes(offset, copy, 0, length);
            crc.update(copy, 0, length);
        }
        else
        {
            crc.update(bytes, buffer.wrapAdjustment() + offset, length);
        }
        return (int)crc.getValue();
    }
}
