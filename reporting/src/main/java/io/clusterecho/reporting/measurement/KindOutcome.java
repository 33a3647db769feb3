package io.clusterecho.reporting.measurement;

import org.HdrHistogram.Histogram;

/**
 * Outcome of the messages of one kind in the measured window. Each count, added up over all kinds, is that of the whole.
 *
 * @param scheduled     messages of the window; the sum of the next four.
 * @param answered      first reply within the late limit.
 * @param late          first reply beyond the late limit.
 * @param unanswered    sent, no reply by the end.
 * @param neverSent     due, but not accepted by the transport by the end.
 * @param responseTimes of all of them, in ns; without a reply: their age at the end of the run.
 */
public record KindOutcome(
    MessageKind kind, long scheduled, long answered, long late, long unanswered, long neverSent, Histogram responseTimes)
{
    /**
     * The same kind over two clients.
     *
     * @param other share of another client.
     */
    public KindOutcome add(final KindOutcome other)
    {
        final Histogram sum = TimeRecorder.newHistogram();
        sum.add(responseTimes);
        sum.add(other.responseTimes);
        return new KindOutcome(
            kind, scheduled + other.scheduled, answered + other.answered, late + other.late, unanswered + other.unanswered,
            neverSent + other.neverSent, sum);
    }

    /** First replies per second: the kind's share of those of the whole. */
    public double ratePerSecondAchieved(final LoadOutcome whole)
    {
        final long replied = whole.answered() + whole.late();
        return 0 == replied ? 0 : whole.ratePerSecondAchieved() * (answered + late) / replied;
    }
}
