package io.clusterecho.reporting.document;

import io.clusterecho.reporting.measurement.LoadOutcome;

/**
 * What became of the messages of the measured window: scheduled is the sum of the others.
 */
public record Accounts(Long scheduled, Long answered, Long late, Long unanswered, Long neverSent)
{
    /**
     * Of a run, or of a client's share of it.
     *
     * @param outcome of it.
     */
    public static Accounts of(final LoadOutcome outcome)
    {
        return new Accounts(
            outcome.scheduled(), outcome.answered(), outcome.late(), outcome.unanswered(), outcome.neverSent());
    }
}
