package io.clusterecho.client.calibration;

import java.util.List;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.JsonNode;

import io.clusterecho.reporting.results.Accounts;
import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.document.Provenance;
import io.clusterecho.reporting.document.StoredVerdict;
import io.clusterecho.reporting.measurement.Time;
import io.clusterecho.reporting.results.DocumentKind;
import io.clusterecho.reporting.results.Times;
import io.clusterecho.reporting.results.Verdict;

/**
 * A calibration: {@code calibration.json} in its folder, and the output of {@code calibrate --json}.
 *
 * @param clock of documents until 2026-11-29: what a reading costs; also {@code clientCeilingPerSecond}.
 */
public record CalibrationDocument(
    String format, String label, String start, StoredVerdict verdict, int lengthBytes, String idle, int significantDigits,
    JsonNode clock, Long clientCeilingPerSecond, List<Echo> echoes,
    @JsonUnwrapped Provenance provenance)
{
    /** An echo of known truth. */
    public record Echo(
        long ratePerSecondAsked, Double ratePerSecondAchieved, long delayNs, long stallNs,
        @JsonUnwrapped Accounts accounts, List<PercentileError> errors, Times responseTimeNs, Times serviceTimeNs,
        Times sendDelayNs, Times clientStallNs)
    {
        static Echo of(final CalibratedEcho one)
        {
            return new Echo(
                one.echo().ratePerSecond(), Documents.rounded(one.measurement().outcome().ratePerSecondAchieved(), 2),
                one.echo().delayNs(), one.echo().stallNs(), Accounts.of(one.measurement().outcome().counts()),
                one.errors(), Times.of(one.measurement().times().of(Time.RESPONSE)),
                Times.of(one.measurement().times().of(Time.SERVICE)), Times.of(one.measurement().times().of(Time.SEND_DELAY)),
                Times.of(one.measurement().times().of(Time.STALL)));
        }
    }

    public static CalibrationDocument of(final Calibration calibration, final Verdict verdict, final String resultFolder)
    {
        return new CalibrationDocument(
            DocumentKind.CALIBRATION.format(), calibration.description().label(),
            calibration.description().start().toString(), StoredVerdict.of(verdict), calibration.lengthBytes(),
            calibration.idle(), calibration.significantDigits(), null, null,
            calibration.echoes().stream().map(Echo::of).toList(),
            Provenance.of(calibration.description(), resultFolder));
    }
}
