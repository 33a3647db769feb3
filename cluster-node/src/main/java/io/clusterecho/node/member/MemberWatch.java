package io.clusterecho.node.member;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.aeron.Aeron;
import io.aeron.AeronCounters;
import io.aeron.cluster.ElectionState;
import io.aeron.cluster.service.Cluster;
import io.aeron.cluster.service.ClusterCounters;

import org.HdrHistogram.Histogram;
import org.agrona.concurrent.status.CountersReader;

import io.clusterecho.media.counters.DriverCounters;
import io.clusterecho.media.counters.ProcessCounters;
import io.clusterecho.platform.StallMeter;
import io.clusterecho.settings.Io;
import io.clusterecho.threads.Uninterrupted;

/**
 * Observes a member on a separate thread: prints each change of its role, writes once a second the state of its service, and
 * publishes counters of its JVM and the longest stall of the process. Reads the driver's counters through a separate mapping,
 * which remains valid whatever the member closes.
 */
final class MemberWatch implements AutoCloseable
{
    private static final long POLL_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long WRITE_INTERVAL_NS = TimeUnit.SECONDS.toNanos(1);

    private final MemberContexts contexts;
    private final String name;
    private final PrintStream out;
    private final DriverCounters driverCounters;
    private final ProcessCounters processCounters;
    private final StallMeter stallMeter = StallMeter.of(StallMeter.MEMBER_SLEEP_NS);
    private final Histogram stalls = StallMeter.newHistogram();
    private final Thread thread = new Thread(this::run, "member-watch");
    private final StateLog stateLog;
    private long latestTimeMs = Long.MIN_VALUE;
    private long lastRole = Aeron.NULL_VALUE;
    private long lastTermId = Aeron.NULL_VALUE;
    private boolean isStateFailing;
    private volatile boolean isRunning = true;

    MemberWatch(final MemberContexts contexts, final PrintStream out)
    {
        this.contexts = contexts;
        name = contexts.config.processName();
        this.out = out;
        final Path aeronDir = contexts.config.aeronDir();
        driverCounters = DriverCounters.map(aeronDir, ProcessHandle.current().pid())
            .orElseThrow(() -> new IllegalStateException("this process has no media driver in " + aeronDir));
        stateLog = new StateLog(contexts.folder.clusterDir(), driverCounters.reader(), StateLog.MAX_LENGTH);
        processCounters = new ProcessCounters(
            aeronDir, (error) -> out.println(name + " cannot publish counters of its process: " + error));
        thread.setDaemon(true);
    }

    MemberWatch start()
    {
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
        Uninterrupted.join(thread);
        stallMeter.close();
        processCounters.close();
        driverCounters.close();
    }

    private void run()
    {
        long writeDeadlineNs = System.nanoTime() + WRITE_INTERVAL_NS;
        while (isRunning)
        {
            LockSupport.parkNanos(POLL_INTERVAL_NS);
            checkClock();
            printRole();
            if (!isRunning || System.nanoTime() - writeDeadlineNs >= 0)
            {
                writeDeadlineNs = System.nanoTime() + WRITE_INTERVAL_NS;
                // In small parts with yields: threads that yield to each other would otherwise wait for all of it.
                stallMeter.interval(stalls);
                processCounters.publish(stalls.getMaxValue());
                Thread.yield();
                isStateFailing = !attempt("write the state of its service", stateLog::write, !isStateFailing);
            }
        }
    }

    /**
     * The consensus module does its regular work (heartbeats, elections, sessions; {@code ConsensusModuleAgent.slowTickWork})
     * only when its clock has passed the time of the last one, and its clock is by default the wall clock: one that is set back
     * by 10 min stops this work for 10 min.
     */
    private void checkClock()
    {
        if (null == contexts.stages && null == System.getProperty(MemberContexts.CLOCK_KEY) && !contexts.config.isBackup())
        {
            final long nowMs = System.currentTimeMillis();
            latestTimeMs = Math.max(latestTimeMs, nowMs);
            contexts.faults.onClockLag(latestTimeMs - nowMs);
        }
    }

    private void printRole()
    {
        final long role = value(AeronCounters.CLUSTER_NODE_ROLE_TYPE_ID);
        final long termId = value(AeronCounters.CLUSTER_LEADERSHIP_TERM_ID_TYPE_ID);
        final boolean isElecting = ElectionState.CLOSED.code() != value(AeronCounters.CLUSTER_ELECTION_STATE_TYPE_ID);
        if (role < 0 || termId < 0 || isElecting)
        {
            // Roles change during an election; only the final one counts.
            return;
        }

        if (role != lastRole || termId != lastTermId)
        {
            attempt("note that it takes part in a term", () -> FolderDamage.noteTerm(contexts.folder.clusterDir()), true);
            out.println(name + " is " + Cluster.Role.get(role).name().toLowerCase(Locale.ROOT) + " in term " + termId);
            lastRole = role;
            lastTermId = termId;
        }
        contexts.threads.onRole(Cluster.Role.LEADER.code() == role);
    }

    private long value(final int typeId)
    {
        final int id = ClusterCounters.find(driverCounters.reader(), typeId, contexts.clusterId());
        return CountersReader.NULL_COUNTER_ID == id ? Aeron.NULL_VALUE : driverCounters.reader().getCounterValue(id);
    }

    /** Whether an action succeeds; if it fails, says so where that is to be reported. */
    private boolean attempt(final String what, final Io.Action action, final boolean isReported)
    {
        try
        {
            action.run();
            return true;
        }
        catch (final IOException ex)
        {
            if (isReported)
            {
                out.println(name + " cannot " + what + ": " + ex);
            }
            return false;
        }
    }
}
