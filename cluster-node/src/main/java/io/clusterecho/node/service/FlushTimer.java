package io.clusterecho.node.service;

import java.util.concurrent.TimeUnit;

import io.aeron.cluster.client.ClusterException;
import io.aeron.cluster.service.Cluster;

import io.clusterecho.media.counters.ServiceCounter;

/**
 * The cluster timer that flushes egress backlogs when no message comes. It is a timer because a service may not offer from its
 * background work.
 * <p>
 * Cluster timers are part of the replicated state: all members schedule them and all get the event through the log. So scheduling
 * depends on the log alone, never on a backlog, which only the leader has: a message sets the timer if it is not set; when it
 * fires it is set again as long as the last message is less than 15 s of cluster time old. An idle cluster has no timer and its
 * log does not grow.
 * <p>
 * Each event is an entry of the log, replicated, recorded and synced like a message, and so affects the measurement. While
 * messages come, each of them flushes and the timer is not needed: it is set to 100 ms while the last message is younger than
 * that, and to 10 ms afterwards.
 * <p>
 * There is one timer with one correlation id. The consensus module of a follower may find the event in the log before its service
 * has scheduled the timer; it then cancels the one out with the other, so that one request and one event always pair up. A
 * leader that loses leadership restores timers whose events were not committed. A snapshot of the consensus module contains the
 * timer itself, and is taken when the service has answered at the same position: this class keeps only the deadline.
 */
final class FlushTimer
{
    static final long CORRELATION_ID = 3200;

    /** Deadline when no timer is set. */
    static final long NOT_SET = Long.MIN_VALUE;

    private static final long SELDOM_MS = 100;
    /** Interval once they have ceased, when only the timer flushes. */
    private static final long OFTEN_MS = 10;
    private static final long LAPSE_AFTER_MS = 15_000;

    private final Cluster cluster;
    private final ServiceCounters counters;
    /** Deadline of the timer in the cluster's time unit, or {@link #NOT_SET}. */
    long deadline = NOT_SET;
    /** In the cluster's time unit, or {@link #NOT_SET}. */
    long lastMessageTime = NOT_SET;

    FlushTimer(final Cluster cluster, final ServiceCounters counters)
    {
        this.cluster = cluster;
        this.counters = counters;
    }

    /** A session message was received, at a time in the cluster's time unit. */
    void onMessage(final long timestamp)
    {
        lastMessageTime = timestamp;
        if (NOT_SET == deadline)
        {
            set(timestamp);
        }
    }

    /** A timer fired; true if this was our timer and it is not set again, because messages have ceased. */
    boolean onTimerEvent(final long correlationId, final long timestamp)
    {
        if (CORRELATION_ID != correlationId || NOT_SET == deadline)
        {
            return false;
        }

        if (timestamp - lastMessageTime < time(LAPSE_AFTER_MS))
        {
            set(timestamp);
            return false;
        }

        deadline = NOT_SET;
        return true;
    }

    private void set(final long timestamp)
    {
        deadline = timestamp + time(timestamp - lastMessageTime < time(SELDOM_MS) ? SELDOM_MS : OFTEN_MS);
        try
        {
            // Both sides continue when the consensus module reads its requests, as for the container's acknowledgements.
            while (!cluster.scheduleTimer(CORRELATION_ID, deadline))
            {
                cluster.idleStrategy().idle();
            }
        }
        catch (final ClusterException ex)
        {
            // The consensus module is gone, and this member will end. The present message must still be applied in full.
            counters.increment(ServiceCounter.TIMER_FAILURES);
        }
    }

    /** A time in the cluster's time unit, which is not known before the first entry of the log. */
    private long time(final long timeMs)
    {
        return cluster.timeUnit().convert(timeMs, TimeUnit.MILLISECONDS);
    }
}
