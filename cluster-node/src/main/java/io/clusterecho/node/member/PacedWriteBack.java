package io.clusterecho.node.member;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

import io.aeron.archive.status.RecordingPos;

import org.agrona.CloseHelper;
import org.agrona.concurrent.status.CountersReader;

import io.clusterecho.media.counters.DriverCounters;
import io.clusterecho.node.config.NodeConfig;
import io.clusterecho.platform.WriteBackFile;
import io.clusterecho.threads.BackgroundThread;

/**
 * Writes what the archive records from the page cache to the disk, soon and only while no other thread wants the core. Otherwise
 * the kernel does so, with threads that do not yield: on few cores messages wait for them.
 * <p>
 * What was recorded last is left out, because the archive would wait for a page that is being written. A file that the archive
 * filled between two looks is left to the kernel, and so is everything after a failure.
 */
final class PacedWriteBack implements AutoCloseable
{
    static final long STEP_LENGTH = 1 << 20;
    static final long LEFT_OUT_LENGTH = 256 << 10;

    private static final long INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(100);
    /** A call that passes on less ends sooner when the member does. */
    private static final long MAX_LENGTH_OF_CALL = 4 << 20;
    private static final String SEGMENT_SUFFIX = ".rec";

    private final Path archiveDir;
    private final CountersReader counters;
    private final AutoCloseable ofCounters;
    private final Consumer<String> log;
    private final Map<Long, Segment> segments = new HashMap<>();
    private final Thread thread = new Thread(this::run, "write-back");
    private int turn;
    private volatile boolean isRunning = true;

    /**
     * Not started.
     *
     * @param ofCounters closed by the thread when it ends, since only then the counters are no longer read.
     * @param log        receives a line if something fails.
     */
    PacedWriteBack(
        final Path archiveDir, final CountersReader counters, final AutoCloseable ofCounters, final Consumer<String> log)
    {
        this.archiveDir = archiveDir;
        this.counters = counters;
        this.ofCounters = ofCounters;
        this.log = log;
        thread.setDaemon(true);
    }

    /** Begin to write back what the archive of this process, which must have started, records. */
    static PacedWriteBack start(final NodeConfig config, final MemberFolder folder, final Consumer<String> log)
    {
        final DriverCounters driverCounters = DriverCounters.map(config.aeronDir(), ProcessHandle.current().pid())
            .orElseThrow(() -> new IllegalStateException("this process has no media driver in " + config.aeronDir()));
        return new PacedWriteBack(
            folder.archiveDir(), driverCounters.reader(), driverCounters, log).start();
    }

    PacedWriteBack start()
    {
        thread.start();
        return this;
    }

    /** Request the end, without waiting for it: on busy cores that would delay the end of the member. */
    @Override
    public void close()
    {
        isRunning = false;
        LockSupport.unpark(thread);
    }

    private void run()
    {
        try
        {
            BackgroundThread.enter();
            while (isRunning)
            {
                writeBack();
                LockSupport.parkNanos(INTERVAL_NS);
            }
        }
        catch (final IOException | RuntimeException ex)
        {
            log.accept("recordings are written back by the kernel: " + ex);
        }
        finally
        {
            segments.values().forEach(Segment::close);
            CloseHelper.quietClose(ofCounters);
        }
    }

    private void writeBack() throws IOException
    {
        turn++;
        for (int id = 0; id <= counters.maxCounterId() && isRunning; id++)
        {
            if (CountersReader.RECORD_UNUSED == counters.getCounterState(id))
            {
                break;
            }
            final long recordingId = RecordingPos.getRecordingId(counters, id);
            if (RecordingPos.NULL_RECORDING_ID != recordingId)
            {
                writeBack(recordingId, counters.getCounterValue(id));
            }
        }

        for (final Iterator<Segment> left = segments.values().iterator(); left.hasNext();)
        {
            final Segment segment = left.next();
            if (segment.turn != turn)
            {
                // Its recording has ended.
                segment.close();
                left.remove();
            }
        }
    }

    private void writeBack(final long recordingId, final long position) throws IOException
    {
        Segment segment = segments.get(recordingId);
        if (null != segment && !segment.contains(position))
        {
            segments.remove(recordingId);
            segment.end(position);
            segment = null;
        }
        if (null == segment)
        {
            segment = open(recordingId, position);
        }
        if (null != segment)
        {
            segments.put(recordingId, segment);
            segment.turn = turn;
            segment.writeBack(position);
        }
    }

    /** The file with the highest base position up to a position; null if it is not there yet. */
    private Segment open(final long recordingId, final long position) throws IOException
    {
        final String prefix = recordingId + "-";
        long basePosition = -1;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(archiveDir, prefix + "*" + SEGMENT_SUFFIX))
        {
            for (final Path file : files)
            {
                final String name = file.getFileName().toString();
                final long base = Long.parseLong(name.substring(prefix.length(), name.length() - SEGMENT_SUFFIX.length()));
                basePosition = base <= position ? Math.max(base, basePosition) : basePosition;
            }
        }
        if (basePosition < 0)
        {
            return null;
        }

        final Path file = archiveDir.resolve(prefix + basePosition + SEGMENT_SUFFIX);
        try
        {
            final long length = Files.size(file);
            return position < basePosition + length ? new Segment(basePosition, length, new WriteBackFile(file)) : null;
        }
        catch (final NoSuchFileException ex)
        {
            // Purged or truncated since it was listed.
            return null;
        }
    }

    /** The file that a recording is written to. */
    private final class Segment
    {
        private final long basePosition;
        private final long length;
        private final WriteBackFile file;
        private long begunLength;
        private int turn;

        Segment(final long basePosition, final long length, final WriteBackFile file)
        {
            this.basePosition = basePosition;
            this.length = length;
            this.file = file;
        }

        boolean contains(final long position)
        {
            return position >= basePosition && position < basePosition + length;
        }

        void writeBack(final long position) throws IOException
        {
            final long end = position - basePosition - LEFT_OUT_LENGTH;
            // A truncated recording is written from an earlier position again.
            begunLength = Math.min(begunLength, Math.max(0, end));
            while (end - begunLength >= STEP_LENGTH && isRunning)
            {
                final long lengthOfCall = Math.min(end - begunLength, MAX_LENGTH_OF_CALL);
                file.begin(begunLength, lengthOfCall);
                begunLength += lengthOfCall;
            }
        }

        /** Also the rest, if the recording continues in another file. */
        void end(final long position) throws IOException
        {
            try
            {
                if (position >= basePosition + length)
                {
                    file.begin(begunLength, length - begunLength);
                }
            }
            finally
            {
                close();
            }
        }

        void close()
        {
            file.close();
        }
    }
}
