package io.clusterecho.failover.lab;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

import io.clusterecho.client.load.LoadView;
import io.clusterecho.client.load.LoadView.SessionEvent;
import io.clusterecho.control.cluster.Cluster;
import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.control.member.Deadline;
import io.clusterecho.control.member.ElectionWatch;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.platform.WaitClock;
import io.clusterecho.settings.Settings;

/**
 * Three fake members, a fake load and a fake clock: time passes only in {@link #pause()}. Echoes come as long as there is a
 * leader; another member leads {@link #electionNs} after the leader is gone.
 */
final class FakeCluster extends Cluster implements LoadView, WaitClock
{
    static final long MS = 1_000_000L;
    static final long RATE = 1_000;
    private static final long END_NS = 600_000 * MS;

    final List<FakeMember> members = new ArrayList<>();
    final List<SessionEvent> events = new ArrayList<>();
    final List<Long> quorumLost = new ArrayList<>();
    int leaderId;
    long nowNs = 1_000 * MS;
    long electionNs = 400 * MS;
    boolean isNeverSettled;
    boolean isSilent;
    boolean isSilentAfterFault;
    boolean isLeaderBroken;
    boolean isWatchBroken;
    boolean isHistoryBroken;
    boolean isBacklogStuck;
    boolean isSnapshotFailing;
    boolean isRestoreFailing;
    boolean isLoadDone;
    boolean isLeaderStaying;
    double flow = 1;
    int restoreCount;
    int snapshotCount;
    long echoesWithoutQuorum;
    Runnable onPause = () -> { };
    /** What a wait does: by default the clock advances. */
    Runnable onPark = this::pause;
    long answered;
    long lastEchoNs;
    final List<ElectionWatch.Change> changes = new ArrayList<>();
    private long electedNs = -1;
    private int nextLeaderId;

    FakeCluster()
    {
        super(new Settings(NodeSettings.PREFIX, NodeSettings.ALL), null, null);
        for (int i = 0; i < 3; i++)
        {
            members.add(new FakeMember(i, this));
        }
        lastEchoNs = nowNs;
    }

    /** A lab without a plan. */
    FailoverLab lab()
    {
        return new FailoverLab(null, this, null, this, 0, RATE, this, null);
    }

    /** Behave as if no echo had come yet. */
    void silence()
    {
        isSilent = true;
        lastEchoNs = 0;
    }

    /** Advance the clock by one poll interval. */
    void pause()
    {
        onPause.run();
        nowNs += FailoverLab.POLL_INTERVAL_NS;
        if (nowNs > END_NS)
        {
            throw new AssertionError("the lab does not end");
        }
        if (leaderId < 0 && electedNs >= 0 && nowNs >= electedNs && hasQuorum())
        {
            leaderId = nextLeaderId;
            electedNs = -1;
            events.add(new SessionEvent(SessionEvent.Kind.NEW_LEADER, nowNs, leaderId));
            events.add(new SessionEvent(SessionEvent.Kind.SENDABLE, nowNs, 0));
        }
        final boolean isSilentNow = isSilent ||
            isSilentAfterFault && members.stream().anyMatch((member) -> !member.calls.isEmpty());
        if (leaderId >= 0 && members.get(leaderId).isAlive && !isSilentNow)
        {
            answered += (long)(flow * RATE * FailoverLab.POLL_INTERVAL_NS / 1_000 / MS);
            lastEchoNs = nowNs;
        }
    }

    void onDown(final int memberId)
    {
        if (leaderId == memberId)
        {
            leaderId = -1;
            nextLeaderId = isLeaderStaying ? memberId : (memberId + 1) % members.size();
            electedNs = nowNs + electionNs;
        }
    }

    void onUp()
    {
        if (leaderId < 0 && electedNs >= 0)
        {
            electedNs = Math.max(electedNs, nowNs);
        }
    }

    private boolean hasQuorum()
    {
        return members.get(nextLeaderId).isAlive && members.stream().filter((member) -> member.isAlive).count() > 1;
    }

    @Override
    public List<ClusterMember> members()
    {
        return members.stream().map(FakeMember::proxy).toList();
    }

    @Override
    public Optional<ClusterMember> leader()
    {
        if (isLeaderBroken)
        {
            throw new IllegalStateException("the leader is broken");
        }
        return leaderId < 0 ? Optional.empty() : Optional.of(members.get(leaderId).proxy());
    }

    @Override
    public boolean isSettled()
    {
        return !isNeverSettled && leaderId >= 0 && members.stream().allMatch((member) -> member.isAlive);
    }

    @Override
    public List<ClusterMember> takeSnapshot(final Deadline deadline)
    {
        snapshotCount++;
        if (isSnapshotFailing)
        {
            throw new ControlFailure(ControlFailure.NOT_READY, "no room for a snapshot");
        }
        return members();
    }

    @Override
    public void requestSnapshot(final Deadline deadline)
    {
        takeSnapshot(deadline);
    }

    @Override
    public void resume()
    {
    }

    @Override
    public void start(final Deadline deadline, final Consumer<String> progress)
    {
        restoreCount++;
        if (isRestoreFailing)
        {
            throw new ControlFailure(ControlFailure.NOT_READY, "no leader in time");
        }
        members.forEach((member) -> member.isAlive = true);
        leaderId = Math.max(0, leaderId);
        isSilentAfterFault = false;
    }

    @Override
    public ElectionWatch watchElections()
    {
        if (isWatchBroken)
        {
            throw new ControlFailure(ControlFailure.NOT_READY, "nothing can be watched");
        }
        return new ElectionWatch()
        {
            @Override
            public List<Change> since(final long timeNs)
            {
                if (isHistoryBroken)
                {
                    throw new ControlFailure(ControlFailure.NOT_READY, "nothing was noted");
                }
                return changes.stream().filter((change) -> change.timeNs() >= timeNs).toList();
            }

            @Override
            public void close()
            {
                quorumLost.add(-1L);
            }
        };
    }

    @Override
    public boolean isDone()
    {
        return isLoadDone;
    }

    @Override
    public long answeredCount()
    {
        return answered;
    }

    @Override
    public long lastEchoNs()
    {
        return lastEchoNs;
    }

    @Override
    public long lastEchoDueNs()
    {
        return isBacklogStuck ? 0 : lastEchoNs;
    }

    @Override
    public List<SessionEvent> events()
    {
        return events;
    }

    @Override
    public void quorumLostNs(final long timeNs)
    {
        quorumLost.add(timeNs);
    }

    @Override
    public long echoesWithoutQuorum()
    {
        return echoesWithoutQuorum;
    }

    @Override
    public void park(final long maxNs)
    {
        onPark.run();
    }

    @Override
    public long epochNs()
    {
        return nowNs;
    }

    @Override
    public long nanoTime()
    {
        return nowNs;
    }
}
