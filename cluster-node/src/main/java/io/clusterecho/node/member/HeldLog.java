package io.clusterecho.node.member;

import static io.aeron.logbuffer.FrameDescriptor.FRAME_ALIGNMENT;
import static io.aeron.protocol.DataHeaderFlyweight.HEADER_LENGTH;

import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.NavigableMap;

import io.aeron.cluster.ConsensusModule;
import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.logbuffer.LogBufferDescriptor;
import io.aeron.protocol.DataHeaderFlyweight;

import org.agrona.BitUtil;
import org.agrona.IoUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * What a member holds of the log, by its segment files alone: its catalog and its list of terms may be damaged. A frame counts
 * if it is intact, whatever precedes it.
 *
 * @param startPosition of the first segment file, in bytes.
 * @param endPosition   of the last intact frame, in bytes; 0 if there is none.
 * @param lastPosition  at which that frame begins, in bytes.
 * @param lastChecksum  CRC32C of its payload.
 */
public record HeldLog(long startPosition, long endPosition, long lastPosition, int lastChecksum)
{
    public static final HeldLog NOTHING = new HeldLog(0, 0, 0, 0);

    private static final int STREAM_ID = ConsensusModule.Configuration.LOG_STREAM_ID_DEFAULT;

    /** The longest log of an archive, which may run, by the frames that begin before a limit in bytes. */
    public static HeldLog of(final Path archiveDir, final long limit)
    {
        HeldLog longest = NOTHING;
        for (final NavigableMap<Long, Path> segments : MemberFolder.segments(archiveDir).values())
        {
            HeldLog found = NOTHING;
            for (final long base : segments.headMap(limit, false).descendingKeySet())
            {
                found = inSegment(segments.get(base), segments.firstKey(), base, limit);
                if (NOTHING != found)
                {
                    break;
                }
            }
            longest = found.endPosition > longest.endPosition ? found : longest;
        }

        return longest;
    }

    /** Whether this log, read up to the end of another, ends with the same message. */
    public boolean endsAs(final HeldLog other)
    {
        return endPosition == other.endPosition && lastPosition == other.lastPosition && lastChecksum == other.lastChecksum;
    }

    /** What one file holds, the one that begins at a base. */
    static HeldLog inSegment(final Path file, final long start, final long base, final long limit)
    {
        if (file.toFile().length() < HEADER_LENGTH)
        {
            return NOTHING;
        }

        final MappedByteBuffer mapped = IoUtil.mapExistingFile(file.toFile(), FileChannel.MapMode.READ_ONLY, file.toString());
        try
        {
            final UnsafeBuffer segment = new UnsafeBuffer(mapped);
            final HeldLog checked = inSegment(segment, start, base, limit, true);
            // An archive with Aeron's defaults records no checksums.
            return NOTHING != checked ? checked : inSegment(segment, start, base, limit, false);
        }
        finally
        {
            IoUtil.unmap(mapped);
        }
    }

    private static HeldLog inSegment(
        final UnsafeBuffer segment, final long start, final long base, final long limit, final boolean hasChecksums)
    {
        int last = -1;
        int end = 0;
        boolean hasData = false;
        int offset = 0;
        while (offset + HEADER_LENGTH <= segment.capacity() && base + offset < limit)
        {
            final int length = intactLength(segment, offset, hasChecksums);
            if (length > 0)
            {
                last = offset;
                end = offset + length;
                hasData |= !FrameDescriptor.isPaddingFrame(segment, offset);
            }
            offset += Math.max(length, FRAME_ALIGNMENT);
        }

        return hasData ? new HeldLog(start, base + end, base + last, Recording.checksum(segment, last, end - last)) : NOTHING;
    }

    /** Aligned length of a frame of the log, 0 if there is none or it is damaged. */
    private static int intactLength(final UnsafeBuffer segment, final int offset, final boolean hasChecksums)
    {
        // Files and terms begin at multiples of the shortest term.
        final int distance = DataHeaderFlyweight.termOffset(segment, offset) - offset;
        final int length = FrameDescriptor.frameLength(segment, offset);
        return length <= segment.capacity() - offset && 0 == (distance & LogBufferDescriptor.TERM_MIN_LENGTH - 1) &&
            Recording.problem(segment, offset, STREAM_ID, hasChecksums).isEmpty() ? BitUtil.align(length, FRAME_ALIGNMENT) : 0;
    }
}
