package io.clusterecho.system;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;

import io.aeron.cluster.RecordingLog;
import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.protocol.DataHeaderFlyweight;

import io.clusterecho.node.member.Recording;

import org.agrona.BitUtil;
import org.agrona.concurrent.UnsafeBuffer;

/** The state of a service, as it wrote it to its snapshots. */
final class ServiceSnapshots
{
    private static final int FIRST_SERVICE = 0;

    private ServiceSnapshots()
    {
    }

    /**
     * Read the valid snapshots of the first service.
     *
     * @param dir of a member or a backup.
     * @return what was written to each, in hexadecimal digits, by position of the log. Headers of frames are left out, because
     * they have session ids or checksums.
     */
    static SortedMap<Long, String> of(final Path dir)
    {
        final Path archiveDir = dir.resolve("archive");
        final SortedMap<Long, String> states = new TreeMap<>();
        try (RecordingLog recordingLog = new RecordingLog(dir.resolve("cluster").toFile(), false))
        {
            for (final RecordingLog.Entry entry : recordingLog.entries())
            {
                if (RecordingLog.ENTRY_TYPE_SNAPSHOT == entry.type && entry.isValid && FIRST_SERVICE == entry.serviceId)
                {
                    states.put(entry.logPosition, payload(Recording.in(archiveDir, entry.recordingId)));
                }
            }
        }
        return states;
    }

    private static String payload(final Recording recording)
    {
        final ByteArrayOutputStream payload = new ByteArrayOutputStream();
        try
        {
            long position = recording.startPosition();
            while (position < recording.stopPosition())
            {
                final long base = recording.segmentBase(position);
                final UnsafeBuffer segment = new UnsafeBuffer(Files.readAllBytes(recording.segmentFile(base)));
                final long end = Math.min(recording.stopPosition(), base + recording.segmentLength());
                while (position < end)
                {
                    final int offset = (int)(position - base);
                    final int length = FrameDescriptor.frameLength(segment, offset);
                    if (!FrameDescriptor.isPaddingFrame(segment, offset))
                    {
                        payload.write(
                            segment.byteArray(), offset + DataHeaderFlyweight.HEADER_LENGTH,
                            length - DataHeaderFlyweight.HEADER_LENGTH);
                    }
                    position += BitUtil.align(length, FrameDescriptor.FRAME_ALIGNMENT);
                }
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        return BitUtil.toHex(payload.toByteArray());
    }
}
