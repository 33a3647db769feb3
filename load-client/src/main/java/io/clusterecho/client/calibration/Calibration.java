package io.clusterecho.client.calibration;

import static io.clusterecho.text.Lines.line;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

import io.clusterecho.reporting.measurement.Time;
import io.clusterecho.reporting.results.DocumentKind;
import io.clusterecho.reporting.results.Percentile;
import io.clusterecho.reporting.results.RunDescription;
import io.clusterecho.reporting.results.Verdict;
import io.clusterecho.settings.Quantity;
import io.clusterecho.text.Lines;
import io.clusterecho.text.TextTable;

/**
 * The load client measured against known truth.
 *
 * @param echoes all but those that an interruption prevented.
 */
public record Calibration(
    RunDescription description,
    int lengthBytes,
    String idle,
    int significantDigits,
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
            final String name = Lines.text("%,d/s, %s: ", one.echo().ratePerSecond(), one.name());
            one.reasons().forEach((reason) -> reasons.add(name + reason));
            one.warnings().forEach((warning) -> warnings.add(name + warning));
        }
        reasons.addAll(unwritten);
        return new Verdict(reasons, warnings, isPartial ? "ended before its end" : "");
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
            body(), false);
    }

    private String body()
    {
        final TextTable table = new TextTable().right("rate/s").left("echo");
        Stream.of(Percentile.values()).forEach((percentile) -> table.right(percentile.label()));
        for (final CalibratedEcho one : echoes)
        {
            if (!one.errors().isEmpty())
            {
                row(table, Lines.text("%,d", one.echo().ratePerSecond()), one.name(), one,
                    (error) -> Quantity.formatNs(error.reportedNs()));
                row(table, "", "  error", one,
                    (error) -> (error.errorNs() < 0 ? "-" : "+") + Quantity.formatNs(Math.abs(error.errorNs())));
                row(table, "", "  error, %", one, (error) -> Lines.text("%+.2f", error.errorPercent()));
            }
        }
        final StringBuilder text = new StringBuilder(1024);
        line(text, "reported response times, and how far they are from the truth");
        text.append(table.text());
        line(text, "");
        line(text, "messages of %,d bytes, idle strategy %s", lengthBytes, idle);
        line(text, "histograms have %d significant digits: an error below 1 in %,d is none", significantDigits,
            Math.round(Math.pow(10, significantDigits)));
        return text.toString();
    }

    private static void row(
        final TextTable table, final String rate, final String name, final CalibratedEcho one,
        final Function<PercentileError, String> cell)
    {
        final List<String> cells = new ArrayList<>(List.of(rate, name));
        one.errors().forEach((error) -> cells.add(cell.apply(error)));
        table.row(cells);
    }
}
