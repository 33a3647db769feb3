package io.clusterecho.client.calibration;

import static io.clusterecho.text.Lines.line;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.clusterecho.host.SyncTimes;
import io.clusterecho.reporting.document.DocumentedResult;
import io.clusterecho.reporting.document.Provenance;
import io.clusterecho.reporting.document.StoredVerdict;
import io.clusterecho.reporting.measurement.Histograms;
import io.clusterecho.reporting.measurement.Time;
import io.clusterecho.reporting.results.DocumentKind;
import io.clusterecho.reporting.results.Percentile;
import io.clusterecho.reporting.results.PercentileTable;
import io.clusterecho.reporting.results.RunDescription;
import io.clusterecho.reporting.results.Verdict;
import io.clusterecho.settings.Quantity;
import io.clusterecho.text.Lines;

import org.HdrHistogram.Histogram;

/**
 * Measurements of a machine without a cluster. Parts left out by an interruption are null, or not in the list.
 *
 * @param roundTrips    one for each idle strategy, the spinning one first.
 */
public record Baseline(
    RunDescription description,
    int lengthBytes,
    long ratePerSecond,
    List<UdpRoundTrip> roundTrips,
    SyncTimes sync,
    boolean isPartial)
{
    /** Judge the round trips. */
    public Verdict verdict(final List<String> unwritten)
    {
        final List<String> reasons = new ArrayList<>();
        roundTrips.forEach((one) ->
            one.verdict().reasons().forEach((reason) -> reasons.add("UDP, " + one.idle() + ": " + reason)));
        reasons.addAll(unwritten);
        return new Verdict(reasons, warnings(), isPartial ? "ended before its end" : "");
    }

    /** What is stored and printed of it. */
    public DocumentedResult result()
    {
        final Map<String, Histogram> files = new LinkedHashMap<>();
        final PercentileTable table = new PercentileTable();
        for (final UdpRoundTrip one : roundTrips)
        {
            final Histograms times = one.times();
            final String file = "udp-" + one.idle();
            files.put(file + "-service-time.hgrm", times.of(Time.SERVICE));
            table.row("UDP round trip, " + one.idle(), times.of(Time.SERVICE));
            files.put(file + "-response-time.hgrm", times.of(Time.RESPONSE));
            table.row("  from intended send time", times.of(Time.RESPONSE));
        }
        if (null != sync)
        {
            files.put("sync-data.hgrm", sync.data());
            table.row("sync of data (fsync 1)", sync.data());
            files.put("sync-all.hgrm", sync.all());
            table.row("sync with metadata (fsync 2)", sync.all());
        }
        return new DocumentedResult(
            DocumentKind.BASELINE, description, this::verdict, this::document, files, table.text() + "\n" + notes(), true);
    }

    BaselineDocument document(final Verdict verdict, final String resultFolder)
    {
        return new BaselineDocument(
            DocumentKind.BASELINE.format(), description.label(), description.start().toString(), StoredVerdict.of(verdict),
            lengthBytes, ratePerSecond, roundTrips, BaselineDocument.Sync.of(sync), null, null, description.calibration(),
            Provenance.of(description, resultFolder));
    }

    private String notes()
    {
        final StringBuilder text = new StringBuilder(512);
        line(text, "messages of %,d bytes at %,d/s, both processes with the same idle strategy", lengthBytes, ratePerSecond);
        if (null != sync)
        {
            line(text, "syncs of %,d bytes in %s (%s, %s)", SyncTimes.PAGE_LENGTH_BYTES, sync.place().folder(),
                sync.place().store(), sync.place().type());
        }
        for (final UdpRoundTrip one : roundTrips)
        {
            line(text, "floor of a replicated round trip, %s: %s at fsync 0%s", one.idle(), floor(one, 0), null == sync ? "" :
                Lines.text(", %s at 1, %s at 2", floor(one, Percentile.P50.of(sync.data())),
                floor(one, Percentile.P50.of(sync.all()))));
        }
        return text.toString();
    }

    private static String floor(final UdpRoundTrip roundTrip, final long syncNs)
    {
        return Quantity.formatNs(BaselineDocument.floorNs(
            roundTrip.quietResponseTimeNs(), roundTrip.quietServiceTimeNs(), syncNs, 2));
    }

    private List<String> warnings()
    {
        final List<String> all = new ArrayList<>();
        roundTrips.forEach((one) ->
            one.verdict().warnings().forEach((warning) -> all.add("UDP, " + one.idle() + ": " + warning)));
        if (2 == roundTrips.size() && roundTrips.get(0).quietServiceTimeNs() > roundTrips.get(1).quietServiceTimeNs())
        {
            all.add("spinning threads were answered later than waiting ones: other programs used the cores, so floors are too " +
                "high; measure again on an idle machine");
        }
        if (null != sync && "tmpfs".equals(sync.place().type()))
        {
            all.add(sync.place().folder() + " is in memory: syncs there cost nothing and protect nothing");
        }

        return all;
    }
}
