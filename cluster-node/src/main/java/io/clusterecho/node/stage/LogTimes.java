package io.clusterecho.node.stage;

import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.status.CountersReader;

import io.aeron.Aeron;
import io.aeron.archive.status.RecordingPos;
import io.aeron.cluster.service.ClusterCounters;
import io.aeron.cluster.service.ClusteredServiceContainer;

/**
 * Times at which the log of one leadership term reached positions: recorded by the leader's archive, and committed. One thread
 * samples, another reads the times.
 */
final class LogTimes
{
    /** About half a second of turns of a busy member. */
    private static final int CAPACITY = 1 << 15;

    final int logSessionId;
    final PositionTimes logged;
    final PositionTimes committed;
    private final int loggedCounterId;
    private final int committedCounterId;
    private final boolean isFound;

    /** For the leader's publication with a session id. */
    LogTimes(final int logSessionId, final int clusterId, final CountersReader counters)
    {
        this.logSessionId = logSessionId;
        loggedCounterId = RecordingPos.findCounterIdBySession(counters, logSessionId, Aeron.NULL_VALUE);
        committedCounterId = ClusterCounters.find(
            counters, ClusteredServiceContainer.Configuration.COMMIT_POSITION_TYPE_ID, clusterId);
        isFound = CountersReader.NULL_COUNTER_ID != loggedCounterId && CountersReader.NULL_COUNTER_ID != committedCounterId;
        logged = new PositionTimes(isFound ? CAPACITY : 1);
        committed = new PositionTimes(isFound ? CAPACITY : 1);
    }

    /** Record changes. */
    void sample(final CountersReader counters, final NanoClock clock)
    {
        if (isFound)
        {
            final long loggedPosition = counters.getCounterValue(loggedCounterId);
            final long committedPosition = counters.getCounterValue(committedCounterId);
            if (loggedPosition > logged.position() || committedPosition > committed.position())
            {
                final long nowNs = clock.nanoTime();
                logged.add(loggedPosition, nowNs);
                committed.add(committedPosition, nowNs);
            }
        }
    }
}
