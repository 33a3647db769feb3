package io.clusterecho.control.member;

import static io.aeron.logbuffer.FrameDescriptor.FRAME_ALIGNMENT;
import static io.aeron.logbuffer.FrameDescriptor.UNFRAGMENTED;
import static io.aeron.protocol.DataHeaderFlyweight.HEADER_LENGTH;

import java.io.UncheckedIOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.aeron.archive.client.AeronArchive;
import io.aeron.cluster.codecs.MessageHeaderDecoder;
import io.aeron.cluster.codecs.NewLeadershipTermEventDecoder;
import io.aeron.protocol.DataHeaderFlyweight;

import org.agrona.BitUtil;
import org.agrona.IoUtil;
import org.agrona.concurrent.UnsafeBuffer;

import io.clusterecho.node.member.MemberSeed;

/**
 * Finds the leadership terms that begin in a recorded log. A backup asks only at intervals which term is the last, so its list of
 * terms may lack some at the end of its log. A member that started with that list would begin a term that the log has already.
 */
final class LogTerms
{
    private final List<MemberSeed.Term> terms = new ArrayList<>();
    private final DataHeaderFlyweight frame = new DataHeaderFlyweight();
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final NewLeadershipTermEventDecoder event = new NewLeadershipTermEventDecoder();

    private LogTerms()
    {
    }

    /**
     * The terms that begin between two positions.
     *
     * @param storage    of the archive, with a log.
     * @param from       position of a frame, in bytes; at least the start of the log.
     * @param to         position up to which the log is read, in bytes.
     * @return in the order of the log.
     * @throws ControlFailure if the log cannot be read that far.
     */
    static List<MemberSeed.Term> between(final Path archiveDir, final MemberStorage storage, final long from, final long to)
    {
        final LogTerms found = new LogTerms();
        long position = from;
        while (position < to)
        {
            final long base = AeronArchive.segmentFileBasePosition(
                storage.startPosition(), position, storage.termLength(), storage.segmentLength());
            final Path file = archiveDir.resolve(storage.recordingId() + "-" + base + ".rec");
            final MappedByteBuffer mapped;
            try
            {
                mapped = IoUtil.mapExistingFile(file.toFile(), FileChannel.MapMode.READ_ONLY, file.toString());
            }
            catch (final IllegalStateException | UncheckedIOException ex)
            {
                throw failure(file, position, ex.getMessage());
            }

            try
            {
                position = base + found.read(new UnsafeBuffer(mapped), (int)(position - base), (int)Math.min(
                    storage.segmentLength(), to - base), file, base);
            }
            finally
            {
                IoUtil.unmap(mapped);
            }
        }

        return found.terms;
    }

    private int read(final UnsafeBuffer segment, final int from, final int to, final Path file, final long base)
    {
        int offset = from;
        while (offset < to)
        {
            if (offset + HEADER_LENGTH > segment.capacity())
            {
                throw failure(file, base + offset, "the file ends");
            }
            frame.wrap(segment, offset, HEADER_LENGTH);
            final int length = frame.frameLength();
            if (length < HEADER_LENGTH || offset + (long)length > segment.capacity())
            {
                throw failure(file, base + offset, "no frame");
            }
            onFrame(segment, offset, length);
            offset += BitUtil.align(length, FRAME_ALIGNMENT);
        }

        return offset;
    }

    private void onFrame(final UnsafeBuffer segment, final int offset, final int length)
    {
        final int begin = offset + HEADER_LENGTH;
        if (DataHeaderFlyweight.HDR_TYPE_DATA == frame.headerType() && UNFRAGMENTED == (byte)frame.flags() &&
            length >= HEADER_LENGTH + MessageHeaderDecoder.ENCODED_LENGTH + NewLeadershipTermEventDecoder.BLOCK_LENGTH)
        {
            header.wrap(segment, begin);
            if (MessageHeaderDecoder.SCHEMA_ID == header.schemaId() &&
                NewLeadershipTermEventDecoder.TEMPLATE_ID == header.templateId())
            {
                event.wrapAndApplyHeader(segment, begin, header);
                terms.add(new MemberSeed.Term(event.leadershipTermId(), event.termBaseLogPosition(), event.timestamp()));
            }
        }
    }

    private static ControlFailure failure(final Path file, final long position, final String reason)
    {
        return new ControlFailure(
            ControlFailure.NOT_READY,
            "cannot read the log of the backup at position " + position + ", in " + file + ": " + reason);
    }
}
