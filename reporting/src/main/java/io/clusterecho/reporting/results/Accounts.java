package io.clusterecho.reporting.results;

import io.clusterecho.reporting.measurement.Counter;
import io.clusterecho.reporting.measurement.Counts;

/** Messages of the measured window by outcome: scheduled is the sum of the others. */
public record Accounts(Long scheduled, Long answered, Long late, Long unanswered, Long neverSent)
{
    public static Accounts of(final Counts counts)
    {
        return new Accounts(
            counts.of(Counter.SCHEDULED), counts.of(Counter.ANSWERED), counts.of(Counter.LATE),
            counts.of(Counter.UNANSWERED), counts.of(Counter.NEVER_SENT));
    }
}
