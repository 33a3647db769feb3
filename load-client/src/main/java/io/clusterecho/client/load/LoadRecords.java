package io.clusterecho.client.load;

import io.clusterecho.client.record.Counter;
import io.clusterecho.client.record.Counters;
import io.clusterecho.client.record.StageTimes;
import io.clusterecho.client.record.TimeRecorder;
import io.clusterecho.client.record.Timeline;

/**
 * What all sessions of a run write and its watcher reads.
 */
final class LoadRecords
{
    private static final int TIMELINE_CAPACITY = 1 << 16;
    private static final long SHORTEST_GAP_NS = 5_000_000L;
    private static final int INTERVALS_PER_GAP = 10;

    private final Counters counters = new Counters();
    private final TimeRecorder warmUpTimes = new TimeRecorder();
    private final TimeRecorder measuredTimes = new TimeRecorder();
    private final Timeline timeline = new Timeline(TIMELINE_CAPACITY);
    private final long gapThresholdNs;
    private final StageTimes stages;
    private volatile int leaderMemberId = -1;
    private volatile long lastEchoNs;
    private volatile long quorumLostNs = Long.MAX_VALUE;
    private volatile long echoesWithoutQuorum;
    private boolean isSendable = true;
    private long lastAnswerNs;

    /**
     * @param ratePerSecond of this client's share: an echo gap is longer than ten of its intervals, and than 5 ms.
     * @param stages        of messages, or null if nobody asked for them.
     */
    LoadRecords(final double ratePerSecond, final StageTimes stages)
    {
        this.stages = stages;
        gapThresholdNs = Math.max(SHORTEST_GAP_NS, (long)(INTERVALS_PER_GAP * 1e9 / ratePerSecond));
    }

    /**
     * Stages of measured messages, or null; for when the agent has ended.
     */
    StageTimes stages()
    {
        return stages;
    }

    Timeline timeline()
    {
        return timeline;
    }

    /**
     * Time of the newest first reply on the agent's clock, or 0 before there was one; for any thread.
     */
    long lastEchoNs()
    {
        return lastEchoNs;
    }

    Counters counters()
    {
        return counters;
    }

    TimeRecorder times(final boolean isMeasured)
    {
        return isMeasured ? measuredTimes : warmUpTimes;
    }

    void onMeasuredAnswer(final long receiveTimeNs)
    {
        lastAnswerNs = receiveTimeNs;
    }

    /**
     * A first reply came, measured or not.
     *
     * @param receiveTimeNs of it.
     * @param dueTimeNs     of the message, on the same clock.
     * @return whether it ended a gap.
     */
    boolean onEcho(final long receiveTimeNs, final long dueTimeNs)
    {
        if (dueTimeNs >= quorumLostNs)
        {
            onEchoWithoutQuorum();
        }

        final long beforeNs = lastEchoNs;
        final boolean isGap = 0 != beforeNs && receiveTimeNs - beforeNs >= gapThresholdNs;
        if (isGap)
        {
            timeline.add(Timeline.Kind.ECHO_GAP, receiveTimeNs, beforeNs);
        }
        lastEchoNs = receiveTimeNs;
        return isGap;
    }

    /**
     * From when on no message may be answered, or {@link Long#MAX_VALUE}; for any thread.
     */
    void quorumLostNs(final long timeNs)
    {
        quorumLostNs = timeNs;
    }

    /**
     * First replies to messages that were not even due when the quorum was lost, while it was; for any thread.
     */
    long echoesWithoutQuorum()
    {
        return echoesWithoutQuorum;
    }

    void onBacklogDrained(final long receiveTimeNs)
    {
        timeline.add(Timeline.Kind.DRAINED, receiveTimeNs, 0);
    }

    void onSent(final long sendTimeNs)
    {
        if (!isSendable)
        {
            isSendable = true;
            timeline.add(Timeline.Kind.SENDABLE, sendTimeNs, 0);
        }
    }

    void onDisconnected(final long nowNs)
    {
        if (isSendable)
        {
            isSendable = false;
            timeline.add(Timeline.Kind.DISCONNECTED, nowNs, 0);
        }
    }

    void onNewLeader(final int memberId, final long nowNs)
    {
        if (-1 != leaderMemberId)
        {
            if (memberId != leaderMemberId)
            {
                counters.increment(Counter.NEW_LEADERS);
            }
            timeline.add(Timeline.Kind.NEW_LEADER, nowNs, memberId);
            isSendable = false;
        }
        leaderMemberId = memberId;
    }

    void onReconnected(final long nowNs)
    {
        counters.increment(Counter.RECONNECTS);
        timeline.add(Timeline.Kind.RECONNECTED, nowNs, 0);
        isSendable = false;
    }

    /**
     * Member that leads, or -1 when that is not known; for any thread.
     */
    int leaderMemberId()
    {
        return leaderMemberId;
    }

    /**
     * Time of the last first reply to a measured message on the agent's clock; for when the agent has ended.
     */
    long lastAnswerNs()
    {
        return lastAnswerNs;
    }

    private void onEchoWithoutQuorum()
    {
        // Only the agent's thread writes it.
        echoesWithoutQuorum = echoesWithoutQuorum + 1;
    }
}
