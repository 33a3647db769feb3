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

import io.clusterecho.media.counters.CounterLookup;
import io.clusterecho.media.counters.DriverCounters;
import io.clusterecho.media.counters.ProcessCounters;
import io.clusterecho.platform.StallMeter;

/**
 * Observes a member on a separate thread: prints each change of its role, writes once a second the state of its service and the
 * stalls of the process, short ones every five seconds, and publishes counters of its JVM. Reads the driver's counters through a
 * separate mapping, which remains valid whatever the member closes.
 */
final class MemberWatch implements AutoCloseable
{
    private static final String STALL_FILE = "stall.hlog";
    private static final String EARLIER_STALL_FILE = "stall-earlier.hlog";
    private static final long MAX_STALL_FILE_LENGTH = 16L << 20;
    private static final long POLL_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long WRITE_INTERVAL_NS = TimeUnit.SECONDS.toNanos(1);
    /** A row is compressed, which takes longer than all else that is done once a second. */
    private static final int SECONDS_PER_STALL_ROW = 5;
    /** A second with such a stall has a row at once, which is there if the member dies, and shows when it was. */
    private static final long LONG_STALL_NS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final double NS_PER_MS = 1e6;

    private final String name;
    private final MemberThreads threads;
    private final LongConsumer onClockLag;
    private final PrintStream out;
    private final MemberFolder folder;
    private final Path stallFile;
    private final DriverCounters driverCounters;
    private final CounterLookup roles;
    private final CounterLookup termIds;
    private final CounterLookup elections;
    private final ProcessCounters processCounters;
    private final StallMeter stallMeter = StallMeter.ofMember();
    private final Histogram stalls = StallMeter.newHistogram();
    private final Histogram unwrittenStalls = StallMeter.newHistogram();
    private long secondCount;
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
        this.threads = threads;
        this.onClockLag = onClockLag;
        this.out = out;
        this.folder = folder;
        stallFile = folder.dir().resolve(STALL_FILE);
        driverCounters = DriverCounters.map(aeronDir, ProcessHandle.current().pid())
            .orElseThrow(() -> new IllegalStateException("this process has no media driver in " + aeronDir));
        final CountersReader counters = driverCounters.reader();
        roles = lookup(counters, AeronCounters.CLUSTER_NODE_ROLE_TYPE_ID, clusterId);
        termIds = lookup(counters, AeronCounters.CLUSTER_LEADERSHIP_TERM_ID_TYPE_ID, clusterId);
        elections = lookup(counters, AeronCounters.CLUSTER_ELECTION_STATE_TYPE_ID, clusterId);
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

    /** Stop; everything measured so far is written. */
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
            onClockLag.accept(wallClock.lagMs());
            printRole();
            if (!isRunning || System.nanoTime() - writeDeadlineNs >= 0)
            {
                writeDeadlineNs = System.nanoTime() + WRITE_INTERVAL_NS;
                // In small parts with yields: threads that yield to each other would otherwise wait for all of it.
                stallMeter.interval(stalls);
                unwrittenStalls.add(stalls);
                if (!isRunning || ++secondCount % SECONDS_PER_STALL_ROW == 0 || stalls.getMaxValue() >= LONG_STALL_NS)
                {
                    writeStalls();
                }
                Thread.yield();
                processCounters.publish(stalls.getMaxValue());
                Thread.yield();
                writeState();
            }
        }
    }

    private void printRole()
    {
        final long role = roles.value(Aeron.NULL_VALUE);
        final long termId = termIds.value(Aeron.NULL_VALUE);
        final boolean isElecting = ElectionState.CLOSED.code() != elections.value(Aeron.NULL_VALUE);
        if (role < 0 || termId < 0 || isElecting)
        {
            // Roles change during an election; only the final one counts.
            return;
        }

        if (role != lastRole || termId != lastTermId)
        {
            noteTerm();
            out.println(name + " is " + Cluster.Role.get(role).name().toLowerCase(Locale.ROOT) + " in term " + termId);
            lastRole = role;
            lastTermId = termId;
        }
        threads.onRole(Cluster.Role.LEADER.code() == role);
    }

    private void noteTerm()
    {
        try
        {
            FolderDamage.noteTerm(folder.clusterDir());
        }
        catch (final IOException ex)
        {
            out.println(name + " cannot note that it takes part in a term: " + ex);
        }
    }

    private static CounterLookup lookup(final CountersReader counters, final int typeId, final int clusterId)
    {
        return new CounterLookup(counters, typeId, () -> ClusterCounters.find(counters, typeId, clusterId));
    }

    private void writeStalls()
    {
        if (null == stallLog)
        {
            return;
        }
        stallLog.outputIntervalHistogram(
            unwrittenStalls.getStartTimeStamp() / 1000.0, unwrittenStalls.getEndTimeStamp() / 1000.0, unwrittenStalls, NS_PER_MS);
        unwrittenStalls.reset();
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
