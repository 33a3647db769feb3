package io.clusterecho.failover.audit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;

import io.aeron.archive.codecs.CatalogHeaderDecoder;
import io.aeron.archive.codecs.RecordingDescriptorDecoder;
import io.aeron.archive.codecs.RecordingDescriptorHeaderDecoder;

/**
 * Checks the lengths in an archive's catalog. Aeron's decoder allocates as many bytes as a length states before it compares that
 * with the file, so that one damaged byte ends the process for want of memory.
 */
final class CatalogCheck
{
    /** Channel without session id, channel, and source. */
    private static final int TEXT_COUNT = 3;

    private CatalogCheck()
    {
    }

    /**
     * Check a catalog.
     *
     * @param file to read; a running archive may append to it.
     * @throws IllegalArgumentException if a length in it exceeds what it is part of; the message states where.
     */
    static void check(final Path file)
    {
        final ByteBuffer catalog;
        try
        {
            catalog = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("cannot read " + file, ex);
        }

        long offset = CatalogHeaderDecoder.BLOCK_LENGTH;
        while (offset + RecordingDescriptorHeaderDecoder.BLOCK_LENGTH <= catalog.capacity())
        {
            final int length = catalog.getInt((int)offset + RecordingDescriptorHeaderDecoder.lengthEncodingOffset());
            if (0 == length)
            {
                return;
            }
            final long begin = offset + RecordingDescriptorHeaderDecoder.BLOCK_LENGTH;
            checkLength(length, begin, catalog.capacity());
            checkTexts(catalog, begin + RecordingDescriptorDecoder.BLOCK_LENGTH, begin + length);
            offset = begin + length;
        }
    }

    private static void checkTexts(final ByteBuffer catalog, final long begin, final long end)
    {
        long offset = begin;
        for (int i = 0; i < TEXT_COUNT; i++)
        {
            checkLength(Integer.BYTES, offset, end);
            final int length = catalog.getInt((int)offset);
            checkLength(length, offset + Integer.BYTES, end);
            offset += Integer.BYTES + length;
        }
    }

    private static void checkLength(final int length, final long offset, final long end)
    {
        if (length < 0 || length > end - offset)
        {
            throw new IllegalArgumentException("at byte " + offset + " a length is " + length + ", at most " + (end - offset));
        }
    }
}
