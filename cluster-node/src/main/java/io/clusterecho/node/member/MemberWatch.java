package io.clusterecho.node.member;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;

import io.aeron.Aeron;
import io.aeron.AeronCounters;
import io.aeron.cluster.ElectionState;
import io.aeron.cluster.service.Cluster;
import io.aeron.cluster.service.ClusterCounters;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import org.agrona.concurrent.SystemEpochClock;
import org.agrona.concurrent.status.CountersReader;

import io.clusterecho.media.counters.DriverCounters;
import io.clusterecho.media.counters.ProcessCounters;
import io.clusterecho.platform.StallMeter;

/**
 * Observes a member on a separate thread: prints each change of its role, writes once a second the stalls of the process and the
 * state of its service, and publishes counters of its JVM. Reads the driver's counters through a separate mapping, which remains
 * valid whatever the member closes.
 */
final class MemberWatch implements AutoCloseable
{
    private static final String STALL_FILE = "stall.hlog";
    private static final String EARLIER_STALL_FILE = "stall-earlier.hlog";
    private static final long MAX_STALL_FILE_LENGTH = 16L << 20;
    private static final long POLL_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long WRITE_INTERVAL_NS = TimeUnit.SECONDS.toNanos(1);
    private static final double NS_PER_MS = 1e6;

    private final String name;
    private final int clusterId;
    private final MemberThreads threads;
    private final LongConsumer onClockLag;
    private final PrintStream out;
    private final Path stallFile;
    private final DriverCounters driverCounters;
    private final CountersReader counters;
    private final ProcessCounters processCounters;
    private final StallMeter stallMeter = new StallMeter();
    private final Histogram stalls = StallMeter.newHistogram();
    private final Thread thread = new Thread(this::run, "member-watch");
    private final StateLog stateLog;
    private final WallClock wallClock = new WallClock(SystemEpochClock.INSTANCE);
    /** Null from the moment on when it could not be begun again: that should not end a member that serves. */
    private HistogramLogWriter stallLog;
    private long lastRole = Aeron.NULL_VALUE;
    private long lastTermId = Aeron.NULL_VALUE;
    private boolean isStateFailing;
    private volatile boolean isRunning = true;

    MemberWatch(
        final String name,
        final int clusterId,
        final MemberFolder folder,
        final Path aeronDir,
        final MemberThreads threads,
        final LongConsumer onClockLag,
        final PrintStream out)
    {
        this.name = name;
        this.clusterId = clusterId;
        this.threads = threads;
        this.onClockLag = onClockLag;
        this.out = out;
        stallFile = folder.dir().resolve(STALL_FILE);
        driverCounters = DriverCounters.map(aeronDir, ProcessHandle.current().pid())
            .orElseThrow(() -> new IllegalStateException("this process has no media driver in " + aeronDir));
        counters = driverCounters.reader();
        stateLog = new StateLog(folder.clusterDir(), counters);
        processCounters = new ProcessCounters(
            aeronDir, (error) -> out.println(name + " cannot publish counters of its process: " + error));
        thread.setDaemon(true);
    }

    MemberWatch start()
    {
        openStallLog();
        stallMeter.start();
        thread.start();
        return this;
    }

    /**
     * Stop; everything measured so far is written.
     */
    @Override
    public void close()
    {
        isRunning = false;
        LockSupport.unpark(thread);
        try
        {
            thread.join();
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            return;
        }

        stallMeter.close();
        if (null != stallLog)
        {
            stallLog.close();
        }
        processCounters.close();
        driverCounters.close();
    }

    private void run()
    {
        long writeDeadlineNs = System.nanoTime() + WRITE_INTERVAL_NS;
        while (isRunning)
        {
            LockSupport.parkNanos(POLL_INTERVAL_NS);
            processCounters.keepAlive();
            onClockLag.accept(wallClock.lagMs());
            printRole();
            if (!isRunning || System.nanoTime() - writeDeadlineNs >= 0)
            {
                writeDeadlineNs = System.nanoTime() + WRITE_INTERVAL_NS;
                // In small parts with yields: threads that yield to each other would otherwise wait for all of it.
                writeStalls();
                Thread.yield();
                processCounters.publish(stalls.getMaxValue());
                Thread.yield();
                writeState();
            }
        }
    }

    private void printRole()
    {
        final long role = counter(AeronCounters.CLUSTER_NODE_ROLE_TYPE_ID);
        final long termId = counter(AeronCounters.CLUSTER_LEADERSHIP_TERM_ID_TYPE_ID);
        final boolean isElecting = ElectionState.CLOSED.code() != counter(AeronCounters.CLUSTER_ELECTION_STATE_TYPE_ID);
        if (role < 0 || termId < 0 || isElecting)
        {
            // Roles change during an election; only the final one counts.
            return;
        }

        if (role != lastRole || termId != lastTermId)
        {
            out.println(name + " is " + Cluster.Role.get(role).name().toLowerCase(Locale.ROOT) + " in term " + termId);
            lastRole = role;
            lastTermId = termId;
        }
        threads.onRole(Cluster.Role.LEADER.code() == role);
    }

    private long counter(final int typeId)
    {
        final int counterId = ClusterCounters.find(counters, typeId, clusterId);
        return Aeron.NULL_VALUE == counterId ? Aeron.NULL_VALUE : counters.getCounterValue(counterId);
    }

    private void writeStalls()
    {
        stallMeter.interval(stalls);
        if (null == stallLog)
        {
            return;
        }
        stallLog.outputIntervalHistogram(
            stalls.getStartTimeStamp() / 1000.0, stalls.getEndTimeStamp() / 1000.0, stalls, NS_PER_MS);
        if (stallFile.toFile().length() > MAX_STALL_FILE_LENGTH)
        {
            stallLog.close();
            try
            {
                openStallLog();
            }
            catch (final UncheckedIOException ex)
            {
                stallLog = null;
                out.println(name + " writes its stalls no more: " + ex.getCause());
            }
        }
    }

    private void writeState()
    {
        try
        {
            stateLog.write();
            isStateFailing = false;
        }
        catch (final IOException ex)
        {
            if (!isStateFailing)
            {
                out.println(name + " cannot write the state of its service: " + ex);
            }
            isStateFailing = true;
        }
    }

    private void openStallLog()
    {
        try
        {
            if (Files.exists(stallFile))
            {
                Files.move(
                    stallFile, stallFile.resolveSibling(EARLIER_STALL_FILE), StandardCopyOption.REPLACE_EXISTING);
            }
            stallLog = new HistogramLogWriter(stallFile.toFile());
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }

        stallLog.outputComment("[Stalls in ns of the process of " + name + "; maxima in ms]");
        stallLog.outputLogFormatVersion();
        stallLog.outputLegend();
    }
}
