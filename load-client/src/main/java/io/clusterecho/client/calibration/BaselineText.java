package io.clusterecho.client.calibration;

import static io.clusterecho.text.Lines.line;

import java.util.Locale;

import io.clusterecho.host.SyncTimes;
import io.clusterecho.reporting.measurement.Time;
import io.clusterecho.reporting.results.Percentile;
import io.clusterecho.reporting.results.PercentileTable;
import io.clusterecho.reporting.results.Verdict;
import io.clusterecho.settings.Quantity;

/** A baseline as text for a person. */
public final class BaselineText
{
    private BaselineText()
    {
    }

    /**
     * The text of a baseline.
     *
     * @param baseline to print; parts that were not measured are left out.
     */
    public static String text(final Baseline baseline, final Verdict verdict, final String place)
    {
        final StringBuilder text = new StringBuilder(1024);
        line(text, "%s  %s", verdict.label(), baseline.description().label());
        verdict.allReasons().forEach((reason) -> line(text, "  ! %s", reason));
        verdict.warnings().forEach((warning) -> line(text, "  ~ %s", warning));
        line(text, "");
        final PercentileTable times = new PercentileTable();
        for (final UdpRoundTrip one : baseline.roundTrips())
        {
            times.row("UDP round trip, " + one.idle(), one.measurement().times().of(Time.SERVICE));
            times.row("  from intended send time", one.measurement().times().of(Time.RESPONSE));
        }
        if (null != baseline.sync())
        {
            times.row("sync of data (fsync 1)", baseline.sync().data());
            times.row("sync with metadata (fsync 2)", baseline.sync().all());
        }
        if (null != baseline.timer())
        {
            times.row("sleep of 1 ms, overshoot", baseline.timer().overshoot());
            times.row("shortest sleep", baseline.timer().shortest());
        }
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
        for (final UdpRoundTrip one : baseline.roundTrips())
        {
            floors(text, baseline, one);
        }
        if (null != baseline.description().calibration())
        {
            line(text, "calibrated %s", baseline.description().calibration().text());
        }
        line(text, "results in %s", place);
        return text.toString();
    }

    private static void floors(final StringBuilder text, final Baseline baseline, final UdpRoundTrip roundTrip)
    {
        final long responseNs = roundTrip.quietResponseTimeNs();
        final long serviceNs = roundTrip.quietServiceTimeNs();
        final StringBuilder floors = new StringBuilder(String.format(
            Locale.ROOT, "floor of a replicated round trip, %s: %s at fsync 0", roundTrip.idle(),
            Quantity.formatNs(Floor.ns(responseNs, serviceNs, 0, 2))));
        if (null != baseline.sync())
        {
            floors.append(String.format(
                Locale.ROOT, ", %s at 1, %s at 2",
                Quantity.formatNs(Floor.ns(responseNs, serviceNs, Percentile.P50.of(baseline.sync().data()), 2)),
                Quantity.formatNs(Floor.ns(responseNs, serviceNs, Percentile.P50.of(baseline.sync().all()), 2))));
        }
        line(text, "%s", floors);
    }
}
