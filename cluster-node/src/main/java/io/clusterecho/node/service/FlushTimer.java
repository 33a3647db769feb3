package io.clusterecho.node.service;

import java.util.concurrent.TimeUnit;

import io.aeron.cluster.client.ClusterException;
import io.aeron.cluster.service.Cluster;

import io.clusterecho.media.counters.ServiceCounter;

/**
 * The cluster timer from which egress backlogs are flushed when no message comes. A timer, because a service may not offer
 * from its background work.
 * <p>
 * Cluster timers are part of the replicated state: all members schedule and all get the event through the log. So when it is
 * set depends on the log alone, never on a backlog, which only the leader has: a message sets it if it is not set; when it
 * fires it is set again as long as the last message is less than 15 s of cluster time old. An idle cluster has no timer and
 * its log does not grow.
 * <p>
 * Each event is an entry of the log, which is replicated, recorded and synced as a message is, and so takes part in what is
 * measured. While messages come each of them flushes, and the timer need not: it is set to 100 ms as long as the last message
 * is younger than that, and to 10 ms after it.
 * <p>
 * There is one timer with one correlation id. The consensus module of a follower may meet the event in the log before its
 * service has asked for the timer, and then sets the one off against the other, so that one request and one event
 * always pair up; a leader that loses its office puts back timers whose events were not committed. A snapshot of the consensus
 * module holds the timer itself, and is taken when the service has answered at the same position: this side keeps only
 * the deadline.
 */
final class FlushTimer
{
    /**
     * Correlation id of the one timer of the service.
     */
    static final long CORRELATION_ID = 3200;

    /**
     * Deadline when no timer is set.
     */
    static final long NOT_SET = Long.MIN_VALUE;

    /** While messages come. */
    private static final long SELDOM_MS = 100;
    /** When they have ceased, and only the timer flushes. */
    private static final long OFTEN_MS = 10;
    private static final long LAPSE_AFTER_MS = 15_000;

    private final Cluster cluster;
    private final ServiceCounters counters;
    private long seldom;
    private long often;
    private long lapseAfter;
    private long deadline = NOT_SET;
    private long lastMessageTime = NOT_SET;
    private boolean isOwed;

    FlushTimer(final Cluster cluster, final ServiceCounters counters)
    {
        this.cluster = cluster;
        this.counters = counters;
    }

    /**
     * A session message came.
     *
     * @param timestamp of it in the cluster's time unit.
     */
    void onMessage(final long timestamp)
    {
        lastMessageTime = timestamp;
        if (NOT_SET == deadline)
        {
            set(timestamp);
        }
        else if (isOwed)
        {
            schedule();
        }
    }

    /**
     * A timer fired.
     *
     * @param correlationId of it.
     * @param timestamp     of the event in the cluster's time unit.
     * @return true if this was our timer and it is not set again: messages have ceased.
     */
    boolean onTimerEvent(final long correlationId, final long timestamp)
    {
        if (CORRELATION_ID != correlationId || NOT_SET == deadline)
        {
            return false;
        }

        isOwed = false;
        learnTimeUnit();
        if (timestamp - lastMessageTime < lapseAfter)
        {
            set(timestamp);
            return false;
        }

        deadline = NOT_SET;
        return true;
    }

    /**
     * Make sure that the consensus module knows of the timer before both are written to a snapshot.
     *
     * @throws ClusterException if it cannot be told.
     */
    void beforeSnapshot()
    {
        if (isOwed)
        {
            schedule();
            if (isOwed)
            {
                throw new ClusterException("flush timer cannot be scheduled: deadline=" + deadline);
            }
        }
    }

    void restore(final long snapshotDeadline, final long snapshotLastMessageTime)
    {
        deadline = snapshotDeadline;
        lastMessageTime = snapshotLastMessageTime;
    }

    /**
     * When the timer is due.
     *
     * @return the deadline in the cluster's time unit, or {@link #NOT_SET}.
     */
    long deadline()
    {
        return deadline;
    }

    /**
     * When the last message came.
     *
     * @return the time in the cluster's time unit, or {@link #NOT_SET}.
     */
    long lastMessageTime()
    {
        return lastMessageTime;
    }

    private void set(final long timestamp)
    {
        learnTimeUnit();
        deadline = timestamp + (timestamp - lastMessageTime < seldom ? seldom : often);
        schedule();
    }

    private void schedule()
    {
        isOwed = true;
        try
        {
            // Both sides go on when the consensus module takes what it was sent, as for the acknowledgements of the container.
            while (!cluster.scheduleTimer(CORRELATION_ID, deadline))
            {
                cluster.idleStrategy().idle();
            }
            isOwed = false;
        }
        catch (final ClusterException ex)
        {
            // The consensus module is gone, and this member with it. The message in hand must still be applied in full.
            counters.increment(ServiceCounter.TIMER_FAILURES);
        }
    }

    private void learnTimeUnit()
    {
        if (0 == seldom)
        {
            final TimeUnit timeUnit = cluster.timeUnit();
            seldom = timeUnit.convert(SELDOM_MS, TimeUnit.MILLISECONDS);
            often = timeUnit.convert(OFTEN_MS, TimeUnit.MILLISECONDS);
            lapseAfter = timeUnit.convert(LAPSE_AFTER_MS, TimeUnit.MILLISECONDS);
        }
    }
}
