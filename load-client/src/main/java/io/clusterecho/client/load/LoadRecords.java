package io.clusterecho.client.load;

import io.clusterecho.client.record.Counter;
import io.clusterecho.client.record.Counters;
import io.clusterecho.client.record.TimeRecorder;

/**
 * What all sessions of a run write and its watcher reads.
 */
final class LoadRecords
{
    private final Counters counters = new Counters();
    private final TimeRecorder warmUpTimes = new TimeRecorder();
    private final TimeRecorder measuredTimes = new TimeRecorder();
    private volatile int leaderMemberId = -1;
    private boolean hasMeasuredAnswer;
    private long firstAnswerNs;
    private long lastAnswerNs;

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
        if (!hasMeasuredAnswer)
        {
            hasMeasuredAnswer = true;
            firstAnswerNs = receiveTimeNs;
        }
        lastAnswerNs = receiveTimeNs;
    }

    void onNewLeader(final int memberId)
    {
        if (-1 != leaderMemberId && memberId != leaderMemberId)
        {
            counters.increment(Counter.NEW_LEADERS);
        }
        leaderMemberId = memberId;
    }

    /**
     * Member that leads, or -1 when that is not known; for any thread.
     */
    int leaderMemberId()
    {
        return leaderMemberId;
    }

    /**
     * Time between the first and the last answer of the measured window in ns; for when the agent has ended.
     */
    long answeringNs()
    {
        return lastAnswerNs - firstAnswerNs;
    }
}
