package io.clusterecho.client.load;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.clusterecho.client.schedule.Messages;
import io.clusterecho.reporting.measurement.Counter;
import io.clusterecho.reporting.measurement.Counts;
import io.clusterecho.reporting.measurement.KindOutcome;
import io.clusterecho.reporting.measurement.TimeRecorder;

import org.HdrHistogram.Histogram;

/**
 * Response times and counts of the measured messages of each kind. Written by the agent's thread, without allocation; read after
 * the agent has ended.
 */
final class KindRecords
{
    private final Messages messages;
    private final Histogram[] responseTimes;
    private final Counts[] counts;

    KindRecords(final Messages messages)
    {
        this.messages = messages;
        final int count = messages.kinds().size();
        responseTimes = Stream.generate(TimeRecorder::newHistogram).limit(count).toArray(Histogram[]::new);
        counts = Stream.generate(Counts::new).limit(count).toArray(Counts[]::new);
    }

    /**
     * The first reply to a measured message was received.
     *
     * @param responseTimeNs receive - intended.
     * @param isLate         whether that is beyond the late limit.
     */
    void onAnswered(final int kind, final long responseTimeNs, final boolean isLate)
    {
        responseTimes[kind].recordValue(Math.max(0, Math.min(responseTimeNs, TimeRecorder.MAX_TIME_NS)));
        count(kind, isLate ? Counter.LATE : Counter.ANSWERED);
    }

    /**
     * The run has ended without a reply to a measured message.
     *
     * @param ageNs  end of the run - intended.
     * @param isSent whether it was sent.
     */
    void onUnanswered(final int kind, final long ageNs, final boolean isSent)
    {
        responseTimes[kind].recordValue(ageNs);
        count(kind, isSent ? Counter.UNANSWERED : Counter.NEVER_SENT);
    }

    private void count(final int kind, final Counter outcome)
    {
        counts[kind].increment(outcome);
        counts[kind].increment(Counter.SCHEDULED);
    }

    KindRecords copy()
    {
        final KindRecords copy = new KindRecords(messages);
        for (int i = 0; i < responseTimes.length; i++)
        {
            copy.responseTimes[i].add(responseTimes[i]);
            copy.counts[i].add(counts[i]);
        }

        return copy;
    }

    List<KindOutcome> outcomes()
    {
        return IntStream.range(0, counts.length)
            .mapToObj((i) -> new KindOutcome(messages.kinds().get(i), counts[i], responseTimes[i])).toList();
    }
}
