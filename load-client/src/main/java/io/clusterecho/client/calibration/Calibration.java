package io.clusterecho.client.calibration;

import static io.clusterecho.text.Lines.line;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonUnwrapped;

import io.clusterecho.client.calibration.CalibratedEcho.PercentileError;
import io.clusterecho.reporting.report.DocumentedResult;
import io.clusterecho.reporting.document.Provenance;
import io.clusterecho.reporting.document.StoredVerdict;
import io.clusterecho.reporting.results.DocumentKind;
import io.clusterecho.reporting.results.Percentile;
import io.clusterecho.reporting.results.RunDescription;
import io.clusterecho.reporting.results.Verdict;
import io.clusterecho.settings.Quantity;
import io.clusterecho.text.Lines;
import io.clusterecho.text.TextTable;

import org.HdrHistogram.Histogram;

/**
 * The load client measured against known truth: {@code calibration.json} in its folder, and the output of {@code calibrate
 * --json}.
 *
 * @param echoes all but those that an interruption prevented.
 */
public record Calibration(
    String format, String label, String start, StoredVerdict verdict, int lengthBytes, String idle, int significantDigits,
    List<CalibratedEcho> echoes, @JsonUnwrapped Provenance provenance)
{
    /** What is stored and printed of a measurement. */
    public static DocumentedResult result(
        final RunDescription description, final int lengthBytes, final String idle, final int significantDigits,
        final List<CalibratedEcho> echoes, final boolean isPartial)
    {
        final Map<String, Histogram> files = new LinkedHashMap<>();
        echoes.forEach((one) -> files.put(
            "response-time-" + one.ratePerSecondAsked() + (one.stallNs() > 0 ? "-stall.hgrm" : ".hgrm"),
            one.responseTimes()));
        final StringBuilder text = new StringBuilder(1024);
        line(text, "reported response times, and how far they are from the truth");
        text.append(table(echoes).text());
        line(text, "");
        line(text, "messages of %,d bytes, idle strategy %s", lengthBytes, idle);
        line(text, "histograms have %d significant digits: an error below 1 in %,d is none", significantDigits,
            Math.round(Math.pow(10, significantDigits)));
        return new DocumentedResult(
            DocumentKind.CALIBRATION, description, description.label(), (unwritten) -> verdict(echoes, isPartial, unwritten),
            (verdict, folder) -> new Calibration(
            DocumentKind.CALIBRATION.format(), description.label(), description.start().toString(), StoredVerdict.of(verdict),
            lengthBytes, idle, significantDigits, echoes, Provenance.of(description, folder)), files, text.toString(), false);
    }

    /** Judge it. An error is a finding and no failure, unless the client reports less than the truth. */
    private static Verdict verdict(
        final List<CalibratedEcho> echoes, final boolean isPartial, final List<String> unwritten)
    {
        final List<String> reasons = new ArrayList<>();
        final List<String> warnings = new ArrayList<>();
        for (final CalibratedEcho one : echoes)
        {
            final String name = Lines.text("%,d/s, %s: ", one.ratePerSecondAsked(), one.name());
            one.verdict().reasons().forEach((reason) -> reasons.add(name + reason));
            one.verdict().warnings().forEach((warning) -> warnings.add(name + warning));
        }
        reasons.addAll(unwritten);
        return new Verdict(reasons, warnings, isPartial ? "ended before its end" : "");
    }

    private static TextTable table(final List<CalibratedEcho> echoes)
    {
        final TextTable table = new TextTable().right("rate/s").left("echo");
        Stream.of(Percentile.values()).forEach((percentile) -> table.right(percentile.label()));
        for (final CalibratedEcho one : echoes)
        {
            if (!one.errors().isEmpty())
            {
                row(table, Lines.text("%,d", one.ratePerSecondAsked()), one.name(), one,
                    (error) -> Quantity.formatNs(error.reportedNs()));
                row(table, "", "  error", one,
                    (error) -> (error.errorNs() < 0 ? "-" : "+") + Quantity.formatNs(Math.abs(error.errorNs())));
                row(table, "", "  error, %", one, (error) -> Lines.text("%+.2f", error.errorPercent()));
            }
        }
        return table;
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
