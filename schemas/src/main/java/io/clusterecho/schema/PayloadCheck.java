package io.clusterecho.schema;

import java.util.zip.CRC32C;

import org.agrona.DirectBuffer;

/**
 * CRC32C (Castagnoli) of a region of a buffer, as the check of an echo message. Does not allocate.
 * <p>
 * An instance is for one thread: it uses its {@link CRC32C} for heap buffers.
 */
public final class PayloadCheck
{
    private final CRC32C heapCrc = new CRC32C();

    /**
     * CRC32C of a region.
     *
     * @param buffer with the region, on the heap or off it.
     * @param offset of the region in bytes.
     * @param length of the region in bytes.
     * @return the CRC32C as an unsigned 32-bit value in an int.
     */
    public int compute(final DirectBuffer buffer, final int offset, final int length)
    {
        buffer.boundsCheck(offset, length);
        final byte[] bytes = buffer.byteArray();
        if (null == bytes)
        {
            return org.agrona.checksum.Crc32c.INSTANCE.compute(buffer.addressOffset(), offset, length);
        }

        heapCrc.reset();
        heapCrc.update(bytes, buffer.wrapAdjustment() + offset, length);
        return (int)heapCrc.getValue();
    }
}
