package io.clusterecho.reporting.measurement;

import org.HdrHistogram.Histogram;

/**
 * Outcome of the messages of one kind in the measured window. Each count, added up over all kinds, is that of the whole.
 *
 * @param counts        of {@link Counter#SCHEDULED} and the outcomes of which it is the sum.
 * @param responseTimes of all of them, in ns; without a reply: their age at the end of the run.
 */
public record KindOutcome(MessageKind kind, Counts counts, Histogram responseTimes)
{
    /** The same kind over two clients. */
    public KindOutcome add(final KindOutcome other)
    {
        final Histogram sum = TimeRecorder.newHistogram();
        sum.add(responseTimes);
        sum.add(other.responseTimes);
        return new KindOutcome(kind, counts.copy().add(other.counts), sum);
    }

    /** First replies per second: the kind's share of those of the whole. */
    public double ratePerSecondAchieved(final LoadOutcome whole)
    {
        final long replied = counts.of(Counter.ANSWERED) + counts.of(Counter.LATE);
        return 0 == whole.replied() ? 0 : whole.ratePerSecondAchieved() * replied / whole.replied();
    }
}
