package io.clusterecho.client.load;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.clusterecho.client.schedule.Messages;
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
    private final long[] answered;
    private final long[] late;
    private final long[] unanswered;
    private final long[] neverSent;

    KindRecords(final Messages messages)
    {
        this.messages = messages;
        final int count = messages.kinds().size();
        responseTimes = Stream.generate(TimeRecorder::newHistogram).limit(count).toArray(Histogram[]::new);
        answered = new long[count];
        late = new long[count];
        unanswered = new long[count];
        neverSent = new long[count];
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
        if (isLate)
        {
            late[kind]++;
        }
        else
        {
            answered[kind]++;
        }
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
        if (isSent)
        {
            unanswered[kind]++;
        }
        else
        {
            neverSent[kind]++;
        }
    }

    /** An independent copy. */
    KindRecords copy()
    {
        final KindRecords copy = new KindRecords(messages);
        for (int i = 0; i < responseTimes.length; i++)
        {
            copy.responseTimes[i].add(responseTimes[i]);
            copy.answered[i] = answered[i];
            copy.late[i] = late[i];
            copy.unanswered[i] = unanswered[i];
            copy.neverSent[i] = neverSent[i];
        }

        return copy;
    }

    List<KindOutcome> outcomes()
    {
        final List<KindOutcome> outcomes = new ArrayList<>();
        for (int i = 0; i < responseTimes.length; i++)
        {
            outcomes.add(new KindOutcome(
                messages.kinds().get(i), answered[i] + late[i] + unanswered[i] + neverSent[i], answered[i], late[i],
                unanswered[i], neverSent[i], responseTimes[i]));
        }

        return outcomes;
    }
}
