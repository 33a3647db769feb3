package io.clusterecho.failover.audit;

import static io.aeron.logbuffer.FrameDescriptor.FRAME_ALIGNMENT;
import static io.aeron.protocol.DataHeaderFlyweight.HEADER_LENGTH;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

import io.aeron.cluster.codecs.ClusterActionRequestDecoder;
import io.aeron.cluster.codecs.MessageHeaderEncoder;
import io.aeron.cluster.codecs.NewLeadershipTermEventDecoder;
import io.aeron.cluster.codecs.NewLeadershipTermEventEncoder;
import io.aeron.cluster.codecs.SessionMessageHeaderDecoder;
import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.protocol.DataHeaderFlyweight;
import io.clusterecho.node.member.Recording;
import io.clusterecho.schema.EchoMessage;

import org.agrona.BitUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Splits a member's log into entries and rewrites it with the checksums, term offsets and padding that an archive would have
 * written, so that only the content of entries is wrong. Also damages bytes in place.
 */
final class LogSurgeon
{
    private static final int SESSION_HEADER_LENGTH =
        MessageHeaderEncoder.ENCODED_LENGTH + SessionMessageHeaderDecoder.BLOCK_LENGTH;
    private static final int POSITION_OFFSET = MessageHeaderEncoder.ENCODED_LENGTH + 8;
    private static final int TERM_BASE_OFFSET = MessageHeaderEncoder.ENCODED_LENGTH + 24;

    /** An entry: its frames with their headers, and its position when the log was last read or written. */
    static final class Entry
    {
        private final List<byte[]> frames = new ArrayList<>();
        private long position;

        long position()
        {
            return position;
        }

        private Entry copy()
        {
            final Entry copy = new Entry();
            frames.forEach((frame) -> copy.frames.add(frame.clone()));
            copy.position = position;
            return copy;
        }

        UnsafeBuffer payload()
        {
            return new UnsafeBuffer(frames.get(0), HEADER_LENGTH, frames.get(0).length - HEADER_LENGTH);
        }

        private int templateId()
        {
            return payload().getShort(2, LITTLE_ENDIAN);
        }

        boolean isMessageOf(final long clientId, final long sequence)
        {
            return SessionMessageHeaderDecoder.TEMPLATE_ID == templateId() &&
                EchoMessage.clientId(payload(), SESSION_HEADER_LENGTH) == clientId &&
                EchoMessage.sequence(payload(), SESSION_HEADER_LENGTH) == sequence;
        }

        /** The echo message in it, if it is one frame. */
        UnsafeBuffer message()
        {
            return new UnsafeBuffer(payload(), SESSION_HEADER_LENGTH, payload().capacity() - SESSION_HEADER_LENGTH);
        }
    }

    private final Recording stream;
    private final List<Entry> entries = new ArrayList<>();

    LogSurgeon(final Path memberDir) throws IOException
    {
        this(MemberLog.open(memberDir, 0).stream());
    }

    private LogSurgeon(final Recording stream)
    {
        this.stream = stream;
        try (LogReader reader = new LogReader(stream, 0, "the log", new AuditFindings()))
        {
            Entry entry = new Entry();
            while (reader.next())
            {
                if (reader.isPadding())
                {
                    continue;
                }
                final byte[] frame = new byte[reader.frameLength()];
                reader.buffer().getBytes(reader.frameIndex(), frame);
                if (entry.frames.isEmpty())
                {
                    entry.position = reader.position();
                }
                entry.frames.add(frame);
                if ((frame[FrameDescriptor.FLAGS_OFFSET] & FrameDescriptor.END_FRAG_FLAG) != 0)
                {
                    entries.add(entry);
                    entry = new Entry();
                }
            }
        }
    }

    List<Entry> entries()
    {
        return entries;
    }

    int indexOf(final long clientId, final long sequence)
    {
        for (int i = 0; i < entries.size(); i++)
        {
            if (entries.get(i).isMessageOf(clientId, sequence))
            {
                return i;
            }
        }
        throw new AssertionError("no message " + sequence + " of client " + clientId);
    }

    Entry entryOf(final int templateId)
    {
        return entries.stream().filter((entry) -> entry.templateId() == templateId).findFirst().orElseThrow();
    }

    void repeat(final int index)
    {
        entries.add(index + 1, entries.get(index).copy());
    }

    /** Keep only the first frames of a message. */
    void truncateFragment(final int index, final int frameCount)
    {
        final List<byte[]> frames = entries.get(index).frames;
        frames.subList(frameCount, frames.size()).clear();
    }

    /** Append the entry that begins a leadership term, with all other fields copied from the last such entry. */
    void beginTerm(final long termId, final int leaderMemberId)
    {
        final Entry last = entries.stream()
            .filter((entry) -> NewLeadershipTermEventDecoder.TEMPLATE_ID == entry.templateId())
            .reduce((a, b) -> b).orElseThrow().copy();
        new NewLeadershipTermEventEncoder().wrap(last.payload(), MessageHeaderEncoder.ENCODED_LENGTH)
            .leadershipTermId(termId).leaderMemberId(leaderMemberId);
        entries.add(last);
    }

    /** Move entries to another leadership term. */
    static void termId(final Entry entry, final long termId)
    {
        entry.payload().putLong(MessageHeaderEncoder.ENCODED_LENGTH, termId, LITTLE_ENDIAN);
    }

    /** Rewrite the log. */
    void write() throws IOException
    {
        try (Stream<Path> files = Files.list(stream.archiveDir()))
        {
            for (final Path file : files.toList())
            {
                if (file.getFileName().toString().startsWith(stream.id() + "-"))
                {
                    Files.delete(file);
                }
            }
        }

        long position = stream.startPosition();
        for (final Entry entry : entries)
        {
            final int length = entry.frames.stream().mapToInt((frame) -> BitUtil.align(frame.length, FRAME_ALIGNMENT)).sum();
            final int termOffset = (int)(position & (stream.termLength() - 1));
            if (termOffset + length > stream.termLength())
            {
                position = pad(position, stream.termLength() - termOffset);
            }

            entry.position = position;
            state(entry, position, position + length);
            for (final byte[] frame : entry.frames)
            {
                position = put(frame, position);
            }
        }
    }

    /** Change one byte of the log's files in place. */
    void flip(final long position)
    {
        edit(position, (channel) ->
        {
            final ByteBuffer one = ByteBuffer.allocate(1);
            channel.file.read(one, channel.offset);
            one.put(0, (byte)(one.get(0) ^ 0x10)).flip();
            channel.file.write(one, channel.offset);
        });
    }

    /** Truncate a segment file at a log position. */
    void cut(final long position)
    {
        edit(position, (channel) -> channel.file.truncate(channel.offset));
    }

    /** Overwrite with zeros. */
    void wipe(final long position, final int length)
    {
        edit(position, (channel) -> channel.file.write(ByteBuffer.allocate(length), channel.offset));
    }

    long endPosition()
    {
        final Entry last = entries.get(entries.size() - 1);
        return last.position + last.frames.stream().mapToInt((frame) -> BitUtil.align(frame.length, FRAME_ALIGNMENT)).sum();
    }

    private long pad(final long position, final int length) throws IOException
    {
        final byte[] frame = new byte[HEADER_LENGTH];
        final UnsafeBuffer buffer = new UnsafeBuffer(frame);
        header(buffer, position, length);
        FrameDescriptor.frameType(buffer, 0, FrameDescriptor.PADDING_FRAME_TYPE);
        FrameDescriptor.frameFlags(buffer, 0, FrameDescriptor.UNFRAGMENTED);
        write(position, frame);
        return position + length;
    }

    private long put(final byte[] frame, final long position) throws IOException
    {
        final byte[] aligned = java.util.Arrays.copyOf(frame, BitUtil.align(frame.length, FRAME_ALIGNMENT));
        final UnsafeBuffer buffer = new UnsafeBuffer(aligned);
        header(buffer, position, frame.length);
        final CRC32C crc = new CRC32C();
        crc.update(aligned, HEADER_LENGTH, aligned.length - HEADER_LENGTH);
        FrameDescriptor.frameSessionId(buffer, 0, (int)crc.getValue());
        write(position, aligned);
        return position + aligned.length;
    }

    private void header(final UnsafeBuffer buffer, final long position, final int length)
    {
        buffer.putInt(0, length, LITTLE_ENDIAN);
        FrameDescriptor.frameTermId(buffer, 0, stream.initialTermId() + (int)(position / stream.termLength()));
        buffer.putInt(DataHeaderFlyweight.TERM_OFFSET_FIELD_OFFSET, (int)(position % stream.termLength()), LITTLE_ENDIAN);
        buffer.putInt(DataHeaderFlyweight.STREAM_ID_FIELD_OFFSET, stream.streamId(), LITTLE_ENDIAN);
    }

    /** Correct the positions in those entries that have position fields. */
    private static void state(final Entry entry, final long startPosition, final long endPosition)
    {
        final int templateId = entry.templateId();
        if (io.aeron.cluster.codecs.MessageHeaderDecoder.SCHEMA_ID != entry.payload().getShort(4, LITTLE_ENDIAN))
        {
            return;
        }
        if (NewLeadershipTermEventDecoder.TEMPLATE_ID == templateId)
        {
            entry.payload().putLong(POSITION_OFFSET, endPosition, LITTLE_ENDIAN);
            entry.payload().putLong(TERM_BASE_OFFSET, startPosition, LITTLE_ENDIAN);
        }
        else if (ClusterActionRequestDecoder.TEMPLATE_ID == templateId)
        {
            entry.payload().putLong(POSITION_OFFSET, endPosition, LITTLE_ENDIAN);
        }
    }

    private void write(final long position, final byte[] bytes) throws IOException
    {
        final long base = position - position % stream.segmentLength();
        final Path file = stream.segmentFile(base);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE))
        {
            if (0 == channel.size())
            {
                channel.write(ByteBuffer.allocate(1), stream.segmentLength() - 1);
            }
            channel.write(ByteBuffer.wrap(bytes), position - base);
        }
    }

    private void edit(final long position, final Edit edit)
    {
        final long base = position - position % stream.segmentLength();
        try (FileChannel file = FileChannel.open(
            stream.segmentFile(base), StandardOpenOption.READ, StandardOpenOption.WRITE))
        {
            edit.accept(new Place(file, position - base));
        }
        catch (final IOException ex)
        {
            throw new java.io.UncheckedIOException("cannot damage the log at " + position, ex);
        }
    }

    private record Place(FileChannel file, long offset)
    {
    }

    private interface Edit
    {
        void accept(Place place) throws IOException;
    }

    /** Open, change, write. */
    static LogSurgeon operate(final Path memberDir, final Consumer<LogSurgeon> change) throws IOException
    {
        final LogSurgeon surgeon = new LogSurgeon(memberDir);
        change.accept(surgeon);
        surgeon.write();
        return surgeon;
    }

    /** The same with the recording of the member's first snapshot. */
    static LogSurgeon operateOnSnapshot(final Path memberDir, final Consumer<LogSurgeon> change) throws IOException
    {
        final LogSurgeon surgeon = new LogSurgeon(MemberLog.open(memberDir, 0).snapshots().get(0).stream());
        change.accept(surgeon);
        surgeon.write();
        return surgeon;
    }
}
