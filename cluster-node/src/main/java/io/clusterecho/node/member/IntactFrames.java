package io.clusterecho.node.member;

import static io.aeron.logbuffer.FrameDescriptor.FRAME_ALIGNMENT;
import static io.aeron.protocol.DataHeaderFlyweight.HEADER_LENGTH;

import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

import io.aeron.cluster.ConsensusModule;
import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.logbuffer.LogBufferDescriptor;
import io.aeron.protocol.DataHeaderFlyweight;

import org.agrona.BitUtil;
import org.agrona.IoUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Frames of the log in segment files, by these files alone: the catalog and the list of terms may be damaged. A frame counts if
 * it is intact, whatever precedes it.
 */
final class IntactFrames
{
    private static final int STREAM_ID = ConsensusModule.Configuration.LOG_STREAM_ID_DEFAULT;

    /** Whether an archive, which may run, has any. */
    static boolean areIn(final Path archiveDir)
    {
        return MemberFolder.segments(archiveDir).values().stream()
            .flatMap((segments) -> segments.values().stream()).anyMatch((file) -> length(file) > 0);
    }

    /** Length in bytes of a segment file up to the end of the last one; 0 if there is none, or only padding. */
    static int length(final Path file)
    {
        if (file.toFile().length() < HEADER_LENGTH)
        {
            return 0;
        }

        final MappedByteBuffer mapped = IoUtil.mapExistingFile(file.toFile(), FileChannel.MapMode.READ_ONLY, file.toString());
        try
        {
            final UnsafeBuffer segment = new UnsafeBuffer(mapped);
            final int checked = length(segment, true);
            // An archive with Aeron's defaults records no checksums.
            return 0 != checked ? checked : length(segment, false);
        }
        finally
        {
            IoUtil.unmap(mapped);
        }
    }

    private static int length(final UnsafeBuffer segment, final boolean hasChecksums)
    {
        int end = 0;
        boolean hasData = false;
        int offset = 0;
        while (offset + HEADER_LENGTH <= segment.capacity())
        {
            final int length = intactLength(segment, offset, hasChecksums);
            if (length > 0)
            {
                end = offset + length;
                hasData |= !FrameDescriptor.isPaddingFrame(segment, offset);
            }
            offset += Math.max(length, FRAME_ALIGNMENT);
        }

        return hasData ? end : 0;
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
