package io.clusterecho.failover.audit;

import static io.aeron.logbuffer.FrameDescriptor.FRAME_ALIGNMENT;
import static io.aeron.protocol.DataHeaderFlyweight.HEADER_LENGTH;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.clusterecho.node.member.Recording;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

import io.aeron.archive.client.AeronArchive;
import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.protocol.DataHeaderFlyweight;

import org.agrona.BitUtil;
import org.agrona.concurrent.UnsafeBuffer;

/** A recording written frame by frame, with checksums, as an archive would write it. */
final class WrittenLog
{
    static final int TERM_LENGTH = 64 * 1024;
    static final int SEGMENT_LENGTH = 2 * TERM_LENGTH;
    static final int STREAM_ID = 100;

    private static final long RECORDING_ID = 3;
    private static final int INITIAL_TERM_ID = 7;

    private final Path dir;
    private final long startPosition;
    private final int termLength;
    private final boolean hasChecksums;
    private long position;

    WrittenLog(final Path dir)
    {
        this(dir, 0, TERM_LENGTH, true);
    }

    WrittenLog(final Path dir, final long startPosition, final int termLength, final boolean hasChecksums)
    {
        this.dir = dir;
        this.startPosition = startPosition;
        this.termLength = termLength;
        this.hasChecksums = hasChecksums;
        position = startPosition;
        try
        {
            Files.createDirectories(dir);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /** Position at which the next frame begins. */
    long position()
    {
        return position;
    }

    Recording open()
    {
        return stream(AeronArchive.NULL_POSITION);
    }

    Recording closed()
    {
        return stream(position);
    }

    Recording stream(final long stopPosition)
    {
        return new Recording(
            dir, RECORDING_ID, startPosition, stopPosition, INITIAL_TERM_ID, 2 * termLength, termLength, STREAM_ID);
    }

    /** @return the position at which the frame begins. */
    long append(final byte[] payload)
    {
        return append(FrameDescriptor.UNFRAGMENTED, payload);
    }

    long append(final byte flags, final byte[] payload)
    {
        final byte[] frame = new byte[BitUtil.align(HEADER_LENGTH + payload.length, FRAME_ALIGNMENT)];
        final UnsafeBuffer buffer = new UnsafeBuffer(frame);
        header(buffer, HEADER_LENGTH + payload.length, flags, DataHeaderFlyweight.HDR_TYPE_DATA);
        buffer.putBytes(HEADER_LENGTH, payload);
        final CRC32C crc = new CRC32C();
        crc.update(frame, HEADER_LENGTH, frame.length - HEADER_LENGTH);
        FrameDescriptor.frameSessionId(buffer, 0, hasChecksums ? (int)crc.getValue() : 0x5e5510);
        return write(frame, frame.length);
    }

    /** Pad the rest of the term. */
    long pad()
    {
        return pad((int)(termLength - position % termLength));
    }

    long pad(final int length)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[HEADER_LENGTH]);
        header(buffer, length, FrameDescriptor.UNFRAGMENTED, DataHeaderFlyweight.HDR_TYPE_PAD);
        return write(buffer.byteArray(), length);
    }

    /** Write bytes in place or beyond the end. */
    void put(final long at, final byte... bytes)
    {
        edit(at, (channel, offset) -> channel.write(ByteBuffer.wrap(bytes), offset));
    }

    void putInt(final long at, final int value)
    {
        put(at, ByteBuffer.allocate(Integer.BYTES).order(LITTLE_ENDIAN).putInt(value).array());
    }

    /** Truncate the segment file at a position. */
    void cut(final long at)
    {
        edit(at, (channel, offset) -> channel.truncate(offset));
    }

    Path segmentFile(final long at)
    {
        return open().segmentFile(at - at % (2L * termLength));
    }

    private void header(final UnsafeBuffer buffer, final int length, final byte flags, final int type)
    {
        buffer.putInt(0, length, LITTLE_ENDIAN);
        buffer.putByte(FrameDescriptor.VERSION_OFFSET, DataHeaderFlyweight.CURRENT_VERSION);
        FrameDescriptor.frameFlags(buffer, 0, flags);
        FrameDescriptor.frameType(buffer, 0, type);
        buffer.putInt(DataHeaderFlyweight.TERM_OFFSET_FIELD_OFFSET, (int)(position % termLength), LITTLE_ENDIAN);
        buffer.putInt(DataHeaderFlyweight.STREAM_ID_FIELD_OFFSET, STREAM_ID, LITTLE_ENDIAN);
        FrameDescriptor.frameTermId(buffer, 0, INITIAL_TERM_ID + (int)(position / termLength));
    }

    private long write(final byte[] bytes, final int length)
    {
        final long begin = position;
        edit(begin, (channel, offset) ->
        {
            if (0 == channel.size())
            {
                channel.write(ByteBuffer.allocate(1), 2L * termLength - 1);
            }
            channel.write(ByteBuffer.wrap(bytes), offset);
        });
        position += length;
        return begin;
    }

    private void edit(final long at, final Edit edit)
    {
        try (FileChannel channel = FileChannel.open(
            segmentFile(at), StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE))
        {
            edit.accept(channel, at % (2L * termLength));
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("cannot write at " + at, ex);
        }
    }

    private interface Edit
    {
        void accept(FileChannel channel, long offset) throws IOException;
    }
}
