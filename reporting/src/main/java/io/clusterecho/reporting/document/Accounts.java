package io.clusterecho.reporting.document;

import io.clusterecho.reporting.measurement.LoadOutcome;

/** Messages of the measured window by outcome: scheduled is the sum of the others. */
public record Accounts(Long scheduled, Long answered, Long late, Long unanswered, Long neverSent)
{
    public static Accounts of(final LoadOutcome outcome)
    {
        return new Accounts(
            outcome.scheduled(), outcome.answered(), outcome.late(), outcome.unanswered(), outcome.neverSent());
    }
}
