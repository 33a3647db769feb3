package io.clusterecho.client.calibration;

import java.util.List;

import com.fasterxml.jackson.annotation.JsonUnwrapped;

import io.clusterecho.reporting.document.Accounts;
import io.clusterecho.reporting.document.Circumstances;
import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.document.StoredVerdict;
import io.clusterecho.reporting.measurement.Time;
import io.clusterecho.reporting.results.DocumentKind;
import io.clusterecho.reporting.results.Times;
import io.clusterecho.reporting.results.Verdict;

/** A calibration: {@code calibration.json} in its folder, and the output of {@code calibrate --json}. */
public record CalibrationDocument(
    String format, String label, String start, StoredVerdict verdict, int lengthBytes, String idle, int significantDigits,
    Clock clock, Long clientCeilingPerSecond, List<Echo> echoes,
    @JsonUnwrapped Circumstances circumstances)
{
    /** The client's clock; the share with six decimals. */
    public record Clock(double readNs, long stepNs, double equalShare, long backCount)
    {
        static Clock of(final ClockCost clock)
        {
            return null == clock ? null : new Clock(
                Documents.rounded(clock.readNs(), 1), clock.stepNs(), Documents.rounded(clock.equalShare(), 6),
                clock.backCount());
        }
    }

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
                one.errors().stream().map(Echo::rounded).toList(), Times.of(one.measurement().times().of(Time.RESPONSE)),
                Times.of(one.measurement().times().of(Time.SERVICE)), Times.of(one.measurement().times().of(Time.SEND_DELAY)),
                Times.of(one.measurement().times().of(Time.STALL)));
        }

        private static PercentileError rounded(final PercentileError error)
        {
            return new PercentileError(
                error.percentile(), error.trueNs(), error.reportedNs(), error.errorNs(),
                Documents.rounded(error.errorPercent(), 3), error.resolutionNs());
        }
    }

    public static CalibrationDocument of(final Calibration calibration, final Verdict verdict, final String resultFolder)
    {
        return new CalibrationDocument(
            DocumentKind.CALIBRATION.format(), calibration.description().label(),
            calibration.description().start().toString(), StoredVerdict.of(verdict), calibration.lengthBytes(),
            calibration.idle(), calibration.significantDigits(), Clock.of(calibration.clock()),
            calibration.description().ceilingPerSecond(), calibration.echoes().stream().map(Echo::of).toList(),
            Circumstances.of(calibration.description(), resultFolder));
    }
}
