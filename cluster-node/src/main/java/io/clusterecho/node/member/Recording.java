package io.clusterecho.node.member;

import static io.aeron.logbuffer.FrameDescriptor.FRAME_ALIGNMENT;
import static io.aeron.protocol.DataHeaderFlyweight.HEADER_LENGTH;

import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

import io.aeron.archive.CatalogView;
import io.aeron.archive.checksum.Checksum;
import io.aeron.archive.checksum.Checksums;
import io.aeron.archive.client.AeronArchive;
import io.aeron.archive.client.RecordingDescriptorConsumer;
import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.logbuffer.LogBufferDescriptor;
import io.aeron.protocol.DataHeaderFlyweight;

import org.agrona.BitUtil;
import org.agrona.IoUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A recording, as the catalog of its archive describes it, in bytes; it has {@link AeronArchive#NULL_POSITION} as its end
 * while it is recorded, and after its member was killed.
 */
public record Recording(
    Path archiveDir, long id, long startPosition, long stopPosition, int initialTermId, int segmentLength, int termLength,
    int streamId)
{
    private static final Checksum CRC = Checksums.crc32c();
    private static final String END = "unexpected end of recording";

    /** Receives frames in the order of the recording. */
    interface FrameHandler
    {
        /** A frame, whose header is at an offset within a file. */
        void onFrame(UnsafeBuffer segment, int offset, int length, long position);
    }

    /** By id, with those that were purged. */
    public static Map<Long, Recording> in(final Path archiveDir)
    {
        final Map<Long, Recording> recordings = new HashMap<>();
        CatalogView.listRecordings(archiveDir.toFile(), collector(archiveDir, recordings));
        return recordings;
    }

    /** One that was not purged; null if there is none. */
    public static Recording in(final Path archiveDir, final long id)
    {
        final Map<Long, Recording> recordings = new HashMap<>();
        CatalogView.listRecording(archiveDir.toFile(), id, collector(archiveDir, recordings));
        return recordings.get(id);
    }

    private static RecordingDescriptorConsumer collector(final Path archiveDir, final Map<Long, Recording> recordings)
    {
        return (controlSessionId, correlationId, id, startTimestamp, stopTimestamp, startPosition, stopPosition, initialTermId,
            segmentLength, termLength, mtuLength, sessionId, streamId, strippedChannel, originalChannel, source) ->
            recordings.put(id, new Recording(
                archiveDir, id, startPosition, stopPosition, initialTermId, segmentLength, termLength, streamId));
    }

    /** Position at the beginning of the segment file that has a position. */
    public long segmentBase(final long position)
    {
        return AeronArchive.segmentFileBasePosition(startPosition, position, termLength, segmentLength);
    }

    public Path segmentFile(final long segmentBase)
    {
        return archiveDir.resolve(id + "-" + segmentBase + MemberFolder.SEGMENT_SUFFIX);
    }

    /** Lowest base position of a segment file above a given one, -1 if there is none. */
    public long segmentBaseAbove(final long basePosition)
    {
        final Long above = MemberFolder.segments(archiveDir).getOrDefault(id, Collections.emptyNavigableMap())
            .higherKey(basePosition);
        return null == above ? -1 : above;
    }

    /** Whether it is still being recorded, or its member was killed. */
    public boolean isOpen()
    {
        return AeronArchive.NULL_POSITION == stopPosition;
    }

    /** Read frames to a position, or, below 0, to the first one without a frame; returns what is wrong with one, if any is. */
    Optional<String> read(final long from, final long to, final boolean hasChecksums, final FrameHandler handler)
    {
        long position = from;
        while (to < 0 || position < to)
        {
            final long base = segmentBase(position);
            final Path file = segmentFile(base);
            if (0 == file.toFile().length())
            {
                return to < 0 ? Optional.empty() : Optional.of(END + " at position=" + position + ": no " + file);
            }

            final MappedByteBuffer mapped = IoUtil.mapExistingFile(file.toFile(), FileChannel.MapMode.READ_ONLY, file.toString());
            try
            {
                final UnsafeBuffer segment = new UnsafeBuffer(mapped);
                while (position < base + segmentLength && (to < 0 || position < to))
                {
                    final int offset = (int)(position - base);
                    final String problem = isInPlace(segment, offset, position) ?
                        problem(segment, offset, streamId, hasChecksums) : "invalid frame";
                    if (!problem.isEmpty())
                    {
                        return to < 0 && END.equals(problem) ? Optional.empty() :
                            Optional.of(problem + " at position=" + position + " in " + file);
                    }
                    final int length = FrameDescriptor.frameLength(segment, offset);
                    handler.onFrame(segment, offset, length, position);
                    position += BitUtil.align(length, FRAME_ALIGNMENT);
                }
            }
            finally
            {
                IoUtil.unmap(mapped);
            }
        }

        return Optional.empty();
    }

    /** Whether a frame names the term and offset at which it is, and ends in that term; also if there is none. */
    private boolean isInPlace(final UnsafeBuffer segment, final int offset, final long position)
    {
        if (offset + HEADER_LENGTH > segment.capacity() || 0 == FrameDescriptor.frameLength(segment, offset))
        {
            return true;
        }

        final int termOffset = (int)(position & termLength - 1);
        return FrameDescriptor.frameLength(segment, offset) <= termLength - termOffset &&
            termOffset == DataHeaderFlyweight.termOffset(segment, offset) &&
            FrameDescriptor.frameTermId(segment, offset) == LogBufferDescriptor.computeTermIdFromPosition(
            position, LogBufferDescriptor.positionBitsToShift(termLength), initialTermId);
    }

    /** What is wrong with a frame, wherever it is; empty if nothing is. */
    static String problem(final UnsafeBuffer segment, final int offset, final int streamId, final boolean hasChecksums)
    {
        final int length =
            offset + HEADER_LENGTH > segment.capacity() ? 0 : FrameDescriptor.frameLength(segment, offset);
        final boolean isPadding = 0 != length && FrameDescriptor.isPaddingFrame(segment, offset);
        if (0 == length || !isPadding && length > segment.capacity() - offset)
        {
            return END;
        }
        if (length < HEADER_LENGTH || streamId != DataHeaderFlyweight.streamId(segment, offset) ||
            !isPadding && DataHeaderFlyweight.HDR_TYPE_DATA != FrameDescriptor.frameType(segment, offset))
        {
            return "invalid frame";
        }
        return !hasChecksums || isPadding || FrameDescriptor.frameSessionId(segment, offset) ==
            checksum(segment, offset, BitUtil.align(length, FRAME_ALIGNMENT)) ? "" : "CRC checksum mismatch";
    }

    /** As an archive computes it, which stores it as the session id; of padding only the header is recorded. */
    public static int checksum(final UnsafeBuffer segment, final int offset, final int alignedLength)
    {
        return FrameDescriptor.isPaddingFrame(segment, offset) ? 0 :
            CRC.compute(segment.addressOffset(), offset + HEADER_LENGTH, alignedLength - HEADER_LENGTH);
    }
}
