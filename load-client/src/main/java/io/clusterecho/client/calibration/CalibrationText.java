package io.clusterecho.client.calibration;

import static io.clusterecho.text.Lines.line;

import java.util.ArrayList;
import java.util.List;

import io.clusterecho.host.SyncTimes;
import io.clusterecho.reporting.results.Percentile;
import io.clusterecho.reporting.results.PercentileTable;
import io.clusterecho.reporting.results.Verdict;
import io.clusterecho.settings.Quantity;
import io.clusterecho.text.Lines;
import io.clusterecho.text.TextTable;

/** The parts of a calibration as text for a person. */
public final class CalibrationText
{
    private CalibrationText()
    {
    }

    /** The text of a part of a calibration. */
    public static String text(final CalibrationPart part, final Verdict verdict, final String place)
    {
        final StringBuilder text = new StringBuilder(1024);
        line(text, "%s  %s", verdict.label(), part.description().label());
        verdict.allReasons().forEach((reason) -> line(text, "  ! %s", reason));
        verdict.warnings().forEach((warning) -> line(text, "  ~ %s", warning));
        line(text, "");
        text.append(part.body());
        if (null != part.description().calibration())
        {
            line(text, "calibrated %s", part.description().calibration().text());
        }
        line(text, "results in %s", place);
        return text.toString();
    }

    static String body(final Calibration calibration)
    {
        final StringBuilder text = new StringBuilder(1024);
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
                row(table, Lines.text("%,d", one.echo().ratePerSecond()), one.name(),
                    one.errors().stream().map((error) -> Quantity.formatNs(error.reportedNs())).toList());
                row(table, "", "  error", one.errors().stream().map(CalibrationText::error).toList());
                row(table, "", "  error, %", one.errors().stream()
                    .map((error) -> Lines.text("%+.2f", error.errorPercent())).toList());
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
        return text.toString();
    }

    static String body(final Baseline baseline)
    {
        final StringBuilder text = new StringBuilder(1024);
        final PercentileTable times = new PercentileTable();
        baseline.distributions().forEach((one) -> times.row(one.label(), one.times()));
        text.append(times.text());
        line(text, "");
        line(text, "messages of %,d bytes at %,d/s, both processes with the same idle strategy", baseline.lengthBytes(),
            baseline.ratePerSecond());
        if (null != baseline.sync())
        {
            line(text, "syncs of %,d bytes in %s (%s, %s)", SyncTimes.PAGE_LENGTH_BYTES, baseline.sync().place().folder(),
                baseline.sync().place().store(), baseline.sync().place().type());
        }
        if (null != baseline.copy())
        {
            line(text, "copies of %,d bytes %.1f GB/s, of %,d bytes %.1f GB/s",
                baseline.copy().messageLengthBytes(), baseline.copy().messageBytesPerSecond() / 1e9,
                baseline.copy().largeLengthBytes(), baseline.copy().largeBytesPerSecond() / 1e9);
        }
        baseline.roundTrips().forEach((one) -> line(text, "%s", floors(one, baseline.sync())));
        return text.toString();
    }

    private static String floors(final UdpRoundTrip roundTrip, final SyncTimes sync)
    {
        final String floor = Lines.text(
            "floor of a replicated round trip, %s: %s at fsync 0", roundTrip.idle(), floor(roundTrip, 0));
        return null == sync ? floor : floor + Lines.text(
            ", %s at 1, %s at 2", floor(roundTrip, Percentile.P50.of(sync.data())),
            floor(roundTrip, Percentile.P50.of(sync.all())));
    }

    private static String floor(final UdpRoundTrip roundTrip, final long syncNs)
    {
        return Quantity.formatNs(BaselineDocument.floorNs(
            roundTrip.quietResponseTimeNs(), roundTrip.quietServiceTimeNs(), syncNs, 2));
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
