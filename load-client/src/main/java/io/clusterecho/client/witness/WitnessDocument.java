package io.clusterecho.client.witness;

import com.fasterxml.jackson.annotation.JsonUnwrapped;

import io.clusterecho.reporting.document.Accounts;
import io.clusterecho.reporting.document.Circumstances;
import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.document.StoredVerdict;
import io.clusterecho.reporting.document.Times;
import io.clusterecho.reporting.results.DocumentKind;
import io.clusterecho.reporting.results.Verdict;

/**
 * A comparison with a capture: {@code witness.json} in its folder, and the output of {@code witness --json}.
 */
public record WitnessDocument(
    String format, String label, String start, StoredVerdict verdict, long ratePerSecondAsked, Double ratePerSecondAchieved,
    long lengthBytes,
    @JsonUnwrapped Accounts accounts,
    long matched, Times responseTimeNs, Times serviceTimeNs, Times matchedServiceTimeNs, Times wireTimeNs, Times differenceNs,
    long belowWire, long lowestDifferenceNs, long toleranceNs, long clockDriftNs, Capture capture,
    @JsonUnwrapped Circumstances circumstances)
{
    /**
     * What was captured; {@code dropped} is absent if unknown.
     */
    public record Capture(long packets, Long dropped, long cutPackets, long cutFrames, long fragments, long ipFragments)
    {
    }

    static WitnessDocument of(final Witness witness, final Verdict verdict, final String resultFolder)
    {
        final Testimony testimony = witness.testimony();
        return new WitnessDocument(
            DocumentKind.WITNESS.format(), witness.description().label(), witness.description().start().toString(),
            StoredVerdict.of(verdict), witness.ratePerSecond(),
            Documents.rounded(witness.measurement().outcome().ratePerSecondAchieved(), 2), witness.lengthBytes(),
            Accounts.of(witness.measurement().outcome()), testimony.matchedCount(),
            Times.of(witness.measurement().responseTimes()), Times.of(witness.measurement().serviceTimes()),
            Times.of(testimony.ownTimes()), Times.of(testimony.wireTimes()), Times.of(testimony.differences()),
            testimony.belowCount(), testimony.lowestNs(), witness.toleranceNs(), witness.driftNs(),
            new Capture(
                witness.capture().packetCount(), witness.droppedCount() < 0 ? null : witness.droppedCount(),
                witness.capture().cutCount(), witness.wire().cutCount(), witness.wire().fragmentCount(),
                witness.capture().pieceCount()),
            Circumstances.of(witness.description(), resultFolder));
    }
}
