package io.clusterecho.client.calibration;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import io.clusterecho.reporting.measurement.Time;
import io.clusterecho.reporting.results.DocumentKind;
import io.clusterecho.reporting.results.RunDescription;
import io.clusterecho.reporting.results.Verdict;

/**
 * The load client measured against known truth. Parts that an interruption prevented are null, or not in the list.
 *
 * @param description       how it was made; its ceiling is that of the agent.
 */
public record Calibration(
    RunDescription description,
    int lengthBytes,
    String idle,
    int significantDigits,
    ClockCost clock,
    List<CalibratedEcho> echoes,
    boolean isPartial)
{
    /** Judge it. An error is a finding and no failure, unless the client reports less than the truth. */
    public Verdict verdict(final List<String> unwritten)
    {
        final List<String> reasons = new ArrayList<>();
        final List<String> warnings = new ArrayList<>();
        for (final CalibratedEcho one : echoes)
        {
            final String name = String.format(Locale.ROOT, "%,d/s, %s: ", one.echo().ratePerSecond(), one.name());
            one.reasons().forEach((reason) -> reasons.add(name + reason));
            one.warnings().forEach((warning) -> warnings.add(name + warning));
        }
        if (null != clock && clock.backCount() > 0)
        {
            reasons.add("the clock went back " + clock.backCount() + " times");
        }
        reasons.addAll(unwritten);
        return Verdict.ofRuns(reasons, warnings, isPartial ? "ended before its end" : "");
    }

    /** What is stored and printed of it. */
    public CalibrationPart part()
    {
        return new CalibrationPart(
            DocumentKind.CALIBRATION, description, this::verdict,
            (verdict, folder) -> CalibrationDocument.of(this, verdict, folder),
            echoes.stream().map((one) -> new CalibrationPart.Distribution(
                one.name(),
                "response-time-" + one.echo().ratePerSecond() + (one.echo().stallNs() > 0 ? "-stall.hgrm" : ".hgrm"),
                one.measurement().times().of(Time.RESPONSE))).toList(),
            CalibrationText.body(this), false);
    }
}
