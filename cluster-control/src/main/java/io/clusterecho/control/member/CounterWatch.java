package io.clusterecho.control.member;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

import io.aeron.AeronCounters;
import io.aeron.cluster.service.Cluster;

import io.clusterecho.media.counters.DriverCounters;

import org.agrona.collections.MutableInteger;

/**
 * Records the elections of members on this machine: polls their counters every {@link #LOOK_INTERVAL_NS} on a thread.
 * Counters are mapped read-only, so members are not disturbed. Times are {@link System#nanoTime()}, late by at most one poll
 * interval while the thread gets a core.
 */
public final class CounterWatch implements ElectionWatch
{
    private static final int TURNS_PER_CHECK = 25;

    private final List<Watched> watched = new ArrayList<>();
    private final List<Change> changes = new ArrayList<>();
    private final Thread thread = new Thread(this::run, "election-watch");
    private volatile boolean isRunning = true;

    public CounterWatch(final List<LocalMember> members)
    {
        members.forEach((member) -> watched.add(new Watched(member)));
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public synchronized List<Change> since(final long timeNs)
    {
        return changes.stream().filter((change) -> change.timeNs() - timeNs >= 0).toList();
    }

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
        }
        watched.forEach(Watched::unmap);
    }

    private void run()
    {
        for (int turn = 0; isRunning; turn++)
        {
            for (final Watched member : watched)
            {
                if (0 == turn % TURNS_PER_CHECK)
                {
                    member.check();
                }
                final Change change = member.look();
                if (null != change)
                {
                    synchronized (this)
                    {
                        changes.add(change);
                    }
                }
            }
            LockSupport.parkNanos(LOOK_INTERVAL_NS);
        }
    }

    private static final class Watched
    {
        private final LocalMember member;
        private DriverCounters driver;
        private int electionCounterId;
        private int roleCounterId;
        private long stateBefore = UNKNOWN_STATE;
        private boolean wasLeader;

        private Watched(final LocalMember member)
        {
            this.member = member;
        }

        /** Map the counters of a process that was started since the last poll. */
        private void check()
        {
            final long pidNow = member.knownPid().orElse(-1);
            if (null == driver || pidNow != driver.pid())
            {
                unmap();
                if (-1 != pidNow)
                {
                    DriverCounters.map(member.aeronDir(), pidNow).ifPresent(this::use);
                }
            }
        }

        private void use(final DriverCounters found)
        {
            driver = found;
            electionCounterId = idOf(AeronCounters.CLUSTER_ELECTION_STATE_TYPE_ID);
            roleCounterId = idOf(AeronCounters.CLUSTER_NODE_ROLE_TYPE_ID);
            if (electionCounterId < 0 || roleCounterId < 0)
            {
                // They do not exist yet.
                unmap();
            }
        }

        private int idOf(final int wanted)
        {
            final MutableInteger found = new MutableInteger(-1);
            driver.reader().forEach((counterId, typeId, key, label) -> found.set(wanted == typeId ? counterId : found.get()));
            return found.get();
        }

        private Change look()
        {
            if (null == driver)
            {
                return null;
            }

            final long state = driver.reader().getCounterValue(electionCounterId);
            final boolean isLeader = driver.reader().getCounterValue(roleCounterId) == Cluster.Role.LEADER.code();
            if (state == stateBefore && isLeader == wasLeader)
            {
                return null;
            }

            final Change change = new Change(System.nanoTime(), member.memberId(), stateBefore, state, isLeader);
            stateBefore = state;
            wasLeader = isLeader;
            return change;
        }

        private void unmap()
        {
            stateBefore = UNKNOWN_STATE;
            wasLeader = false;
            if (null != driver)
            {
                driver.close();
                driver = null;
            }
        }
    }
}
