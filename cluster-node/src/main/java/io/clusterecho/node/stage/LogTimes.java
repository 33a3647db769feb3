package io.clusterecho.node.stage;

import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.status.CountersReader;

import io.aeron.Aeron;
import io.aeron.archive.status.RecordingPos;
import io.aeron.cluster.service.ClusterCounters;
import io.aeron.cluster.service.ClusteredServiceContainer;

/** Times at which the log of one leadership term reached positions: recorded by the leader's archive, and committed. */
final class LogTimes
{
    /** About half a second of turns of a busy member. */
    private static final int CAPACITY = 1 << 15;

    private final int logSessionId;
    private final int loggedCounterId;
    private final int committedCounterId;
    private final PositionTimes logged;
    private final PositionTimes committed;

    /** For the leader's publication with a session id. */
    LogTimes(final int logSessionId, final int clusterId, final CountersReader counters)
    {
        this.logSessionId = logSessionId;
        loggedCounterId = RecordingPos.findCounterIdBySession(counters, logSessionId, Aeron.NULL_VALUE);
        committedCounterId = ClusterCounters.find(
            counters, ClusteredServiceContainer.Configuration.COMMIT_POSITION_TYPE_ID, clusterId);
        final int capacity = isFound() ? CAPACITY : 1;
        logged = new PositionTimes(capacity);
        committed = new PositionTimes(capacity);
    }

    int logSessionId()
    {
        return logSessionId;
    }

    /** Record changes; called by the sampling thread. */
    void sample(final CountersReader counters, final NanoClock clock)
    {
        if (isFound())
        {
            final long loggedPosition = counters.getCounterValue(loggedCounterId);
            final long committedPosition = counters.getCounterValue(committedCounterId);
            if (loggedPosition > logged.position() || committedPosition > committed.position())
            {
                final long nowNs = clock.nanoTime();
                add(logged, loggedPosition, nowNs);
                add(committed, committedPosition, nowNs);
            }
        }
    }

    /** Time at which the leader's archive had recorded the log up to a position; for the reading thread. */
    long loggedNs(final long position)
    {
        return logged.timeNs(position);
    }

    /** Time at which the log was committed up to a position; for the reading thread. */
    long committedNs(final long position)
    {
        return committed.timeNs(position);
    }

    private boolean isFound()
    {
        return CountersReader.NULL_COUNTER_ID != loggedCounterId && CountersReader.NULL_COUNTER_ID != committedCounterId;
    }

    private static void add(final PositionTimes times, final long position, final long nowNs)
    {
        if (position > times.position())
        {
            times.add(position, nowNs);
        }
    }
}
