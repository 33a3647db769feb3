package io.clusterecho.node.member;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.zip.CRC32C;

import io.aeron.archive.client.AeronArchive;
import io.aeron.archive.codecs.CatalogHeaderDecoder;
import io.aeron.archive.codecs.RecordingDescriptorDecoder;
import io.aeron.archive.codecs.RecordingDescriptorHeaderDecoder;

import io.clusterecho.settings.IllegalArgument;

/**
 * Checks an archive's catalog. Aeron's decoder allocates as many bytes as a length states before it compares that with the file,
 * so that one damaged byte ends the process for want of memory; and it compares no checksum.
 */
final class CatalogCheck
{
    /** Channel without session id, channel, and source. */
    private static final int TEXT_COUNT = 3;
    private static final int HEADER_LENGTH = RecordingDescriptorHeaderDecoder.BLOCK_LENGTH;

    /** What is wrong with the lengths in a catalog, or, if its archive does not run, with its checksums; empty if nothing is. */
    static Optional<String> problem(final Path file, final boolean hasChecksums) throws IOException
    {
        try
        {
            final ByteBuffer catalog = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
            // All lengths first: they say more than a wrong checksum.
            check(catalog, false);
            if (hasChecksums)
            {
                check(catalog, true);
            }
            return Optional.empty();
        }
        catch (final IllegalArgumentException ex)
        {
            return Optional.of("the catalog of the recordings is malformed (" + ex.getMessage() + "): " + file);
        }
        catch (final IOException ex)
        {
            throw new IOException("cannot read " + file + ": " + ex.getMessage(), ex);
        }
    }

    private static void check(final ByteBuffer catalog, final boolean hasChecksums)
    {
        checkLength(CatalogHeaderDecoder.BLOCK_LENGTH, 0, catalog.capacity());
        long nextId = 0;
        long offset = CatalogHeaderDecoder.BLOCK_LENGTH;
        while (offset + HEADER_LENGTH <= catalog.capacity())
        {
            final int length = catalog.getInt((int)offset + RecordingDescriptorHeaderDecoder.lengthEncodingOffset());
            if (0 == length)
            {
                break;
            }
            final long begin = offset + HEADER_LENGTH;
            checkLength(length, begin, catalog.capacity());
            checkTexts(catalog, begin + RecordingDescriptorDecoder.BLOCK_LENGTH, begin + length);
            nextId = 1 + catalog.getLong((int)begin + RecordingDescriptorDecoder.recordingIdEncodingOffset());
            IllegalArgument.throwIf(
                hasChecksums && !isIntact(catalog, (int)offset, length),
                "the checksum of recording " + (nextId - 1) + " at byte " + offset + " is wrong");
            offset = begin + length;
        }

        final long nextOfHeader = catalog.getLong(CatalogHeaderDecoder.nextRecordingIdEncodingOffset());
        IllegalArgument.throwIf(
            nextId < nextOfHeader, "it ends before recording " + nextId + " of " + nextOfHeader + ", at byte " + offset);
    }

    /** After a kill, an archive computes where a recording ends, but not a new checksum. */
    private static boolean isIntact(final ByteBuffer catalog, final int offset, final int length)
    {
        final int checksum = catalog.getInt(offset + RecordingDescriptorHeaderDecoder.checksumEncodingOffset());
        final byte[] bytes = new byte[length];
        catalog.get(offset + HEADER_LENGTH, bytes);
        // An archive without checksums states 0.
        if (0 == checksum || checksum == checksum(bytes))
        {
            return true;
        }
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN)
            .putLong(RecordingDescriptorDecoder.stopPositionEncodingOffset(), AeronArchive.NULL_POSITION)
            .putLong(RecordingDescriptorDecoder.stopTimestampEncodingOffset(), AeronArchive.NULL_TIMESTAMP);
        return checksum == checksum(bytes);
    }

    private static int checksum(final byte[] bytes)
    {
        final CRC32C crc = new CRC32C();
        crc.update(bytes);
        return (int)crc.getValue();
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
        IllegalArgument.throwIf(
            length < 0 || length > end - offset, "at byte " + offset + " a length is " + length + ", at most " + (end - offset));
    }
}
