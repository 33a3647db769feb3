package io.clusterecho.client.calibration;

import static io.clusterecho.text.Lines.line;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import io.clusterecho.reporting.results.Percentile;
import io.clusterecho.reporting.results.Verdict;
import io.clusterecho.settings.Quantity;
import io.clusterecho.text.TextTable;

/** A calibration as text for a person. */
public final class CalibrationText
{
    private CalibrationText()
    {
    }

    /**
     * The text of a calibration.
     *
     * @param calibration to print; parts that were not measured are left out.
     */
    public static String text(final Calibration calibration, final Verdict verdict, final String place)
    {
        final StringBuilder text = new StringBuilder(1024);
        line(text, "%s  %s", verdict.label(), calibration.description().label());
        verdict.allReasons().forEach((reason) -> line(text, "  ! %s", reason));
        verdict.warnings().forEach((warning) -> line(text, "  ~ %s", warning));
        line(text, "");
        line(text, "reported response times, and how far they are from the truth");
        final TextTable table = new TextTable().right("rate/s").left("echo");
        for (final Percentile percentile : Percentile.values())
        {
            table.right(percentile.label());
        }
        for (final CalibratedEcho one : calibration.echoes())
        {
            if (!one.errors().isEmpty())
            {
                row(table, String.format(Locale.ROOT, "%,d", one.echo().ratePerSecond()), one.name(),
                    one.errors().stream().map((error) -> Quantity.formatNs(error.reportedNs())).toList());
                row(table, "", "  error", one.errors().stream().map(CalibrationText::error).toList());
                row(table, "", "  error, %", one.errors().stream()
                    .map((error) -> String.format(Locale.ROOT, "%+.2f", error.errorPercent())).toList());
            }
        }
        text.append(table.text());
        line(text, "");
        line(text, "messages of %,d bytes, idle strategy %s", calibration.lengthBytes(), calibration.idle());
        line(text, "histograms have %d significant digits: an error below 1 in %,d is none", calibration.significantDigits(),
            Math.round(Math.pow(10, calibration.significantDigits())));
        if (null != calibration.clock())
        {
            line(text, "clock: %.1f ns a reading, smallest step %,d ns, %.2f%% of readings equal to the one before",
                calibration.clock().readNs(), calibration.clock().stepNs(), 100 * calibration.clock().equalShare());
        }
        if (calibration.description().ceilingPerSecond() > 0)
        {
            line(text, "ceiling of the agent: %,d/s into a transport that answers at once",
                calibration.description().ceilingPerSecond());
        }
        line(text, "results in %s", place);
        return text.toString();
    }

    private static void row(final TextTable table, final String rate, final String name, final List<String> cells)
    {
        final List<String> all = new ArrayList<>(List.of(rate, name));
        all.addAll(cells);
        table.row(all);
    }

    private static String error(final PercentileError error)
    {
        return (error.errorNs() < 0 ? "-" : "+") + Quantity.formatNs(Math.abs(error.errorNs()));
    }
}
