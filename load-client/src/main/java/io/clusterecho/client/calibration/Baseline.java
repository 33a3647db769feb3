package io.clusterecho.client.calibration;

import static io.clusterecho.text.Lines.line;
import static io.clusterecho.text.Lines.text;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.JsonNode;

import io.clusterecho.host.SyncTimes;
import io.clusterecho.reporting.report.DocumentedResult;
import io.clusterecho.reporting.document.Provenance;
import io.clusterecho.reporting.document.StoredVerdict;
import io.clusterecho.reporting.measurement.Time;
import io.clusterecho.reporting.results.CalibrationNote;
import io.clusterecho.reporting.results.DocumentKind;
import io.clusterecho.reporting.results.Percentile;
import io.clusterecho.reporting.results.PercentileTable;
import io.clusterecho.reporting.results.RunDescription;
import io.clusterecho.reporting.results.Times;
import io.clusterecho.reporting.results.Verdict;
import io.clusterecho.settings.IllegalArgument;
import io.clusterecho.settings.Quantity;

import org.HdrHistogram.Histogram;

/**
 * Measurements of a machine without a cluster: {@code baseline.json} in its folder, and the output of {@code calibrate --only
 * machine --json}. Parts that were not measured are left out.
 *
 * @param udp   one for each idle strategy, the spinning one first.
 * @param timer of documents until 2026-11-29: sleeps; also {@code copy}, copies of memory.
 */
public record Baseline(
    String format, String label, String start, StoredVerdict verdict, long lengthBytes, Long ratePerSecondAsked,
    List<UdpRoundTrip> udp, Sync sync, JsonNode timer, JsonNode copy, CalibrationNote calibration,
    @JsonUnwrapped Provenance provenance)
{
    /** Syncs of a page to disk. */
    public record Sync(String folder, String store, String type, Integer pageLengthBytes, Times dataNs, Times allNs)
    {
        static Sync of(final SyncTimes sync)
        {
            return null == sync ? null : new Sync(
                sync.place().folder(), sync.place().store(), sync.place().type(), SyncTimes.PAGE_LENGTH_BYTES,
                Times.of(sync.data()), Times.of(sync.all()));
        }
    }

    /** What is stored and printed of a measurement; the sync is null if an interruption prevented it. */
    public static DocumentedResult result(
        final RunDescription description, final int lengthBytes, final long ratePerSecond, final List<UdpRoundTrip> udp,
        final SyncTimes sync, final boolean isPartial)
    {
        final Map<String, Histogram> files = new LinkedHashMap<>();
        final PercentileTable table = new PercentileTable();
        for (final UdpRoundTrip one : udp)
        {
            final String file = "udp-" + one.idle();
            files.put(file + "-service-time.hgrm", one.times().of(Time.SERVICE));
            table.row("UDP round trip, " + one.idle(), one.times().of(Time.SERVICE));
            files.put(file + "-response-time.hgrm", one.times().of(Time.RESPONSE));
            table.row("  from intended send time", one.times().of(Time.RESPONSE));
        }
        final StringBuilder notes = new StringBuilder(512);
        line(notes, "messages of %,d bytes at %,d/s, both processes with the same idle strategy", lengthBytes, ratePerSecond);
        if (null != sync)
        {
            files.put("sync-data.hgrm", sync.data());
            table.row("sync of data (fsync 1)", sync.data());
            files.put("sync-all.hgrm", sync.all());
            table.row("sync with metadata (fsync 2)", sync.all());
            line(notes, "syncs of %,d bytes in %s (%s, %s)", SyncTimes.PAGE_LENGTH_BYTES, sync.place().folder(),
                sync.place().store(), sync.place().type());
        }
        udp.forEach((one) -> line(
            notes, "floor of a replicated round trip, %s: %s at fsync 0%s", one.idle(), floor(one, 0), null == sync ? "" :
            text(", %s at 1, %s at 2", floor(one, Percentile.P50.of(sync.data())), floor(one, Percentile.P50.of(sync.all())))));
        return new DocumentedResult(
            DocumentKind.BASELINE, description, description.label(), (unwritten) -> verdict(udp, sync, isPartial, unwritten),
            (verdict, folder) -> new Baseline(
            DocumentKind.BASELINE.format(), description.label(), description.start().toString(), StoredVerdict.of(verdict),
            lengthBytes, ratePerSecond, udp, Sync.of(sync), null, null, description.calibration(),
            Provenance.of(description, folder)), files, table.text() + "\n" + notes, true);
    }

    private static Verdict verdict(
        final List<UdpRoundTrip> udp, final SyncTimes sync, final boolean isPartial, final List<String> unwritten)
    {
        final List<String> reasons = new ArrayList<>();
        final List<String> warnings = new ArrayList<>();
        for (final UdpRoundTrip one : udp)
        {
            one.verdict().reasons().forEach((reason) -> reasons.add("UDP, " + one.idle() + ": " + reason));
            one.verdict().warnings().forEach((warning) -> warnings.add("UDP, " + one.idle() + ": " + warning));
        }
        reasons.addAll(unwritten);
        if (2 == udp.size() && udp.get(0).quietServiceTimeNs() > udp.get(1).quietServiceTimeNs())
        {
            warnings.add("spinning threads were answered later than waiting ones: other programs used the cores, so floors are " +
                "too high; measure again on an idle machine");
        }
        if (null != sync && "tmpfs".equals(sync.place().type()))
        {
            warnings.add(sync.place().folder() + " is in memory: syncs there cost nothing and protect nothing");
        }
        return new Verdict(reasons, warnings, isPartial ? "ended before its end" : "");
    }

    private static String floor(final UdpRoundTrip roundTrip, final long syncNs)
    {
        return Quantity.formatNs(floorNs(roundTrip.quietResponseTimeNs(), roundTrip.quietServiceTimeNs(), syncNs, 2));
    }

    boolean hasRoundTrips(final String idle)
    {
        return roundTrip(idle).filter((one) -> one.quietServiceTimeNs() > 0).isPresent();
    }

    /**
     * The floor of a replicated round trip with an idle strategy of its round trips, in ns.
     *
     * @param fsyncLevel of the cluster, 0 to 2.
     */
    long floorNs(final String idle, final int fsyncLevel, final int memberCount)
    {
        final UdpRoundTrip one = roundTrip(idle).orElseThrow();
        return floorNs(one.quietResponseTimeNs(), one.quietServiceTimeNs(), syncNs(fsyncLevel), memberCount);
    }

    /**
     * The least possible time of a replicated round trip on a machine, in ns: the sum of the critical path, which {@code
     * docs/DIAGNOSIS.md} derives.
     * <pre>
     *   client ──▶ leader ──▶ follower                     one way each
     *                         write, sync                  at file sync levels 1 and 2; in parallel with the leader's
     *   client ◀── leader ◀── follower                     one way each
     * </pre>
     *
     * @param responseTimeNs of a datagram's round trip from its intended send time: client and leader, in ns.
     * @param serviceTimeNs  of a datagram's round trip from its send time: leader and follower, in ns.
     * @param syncNs         of one page, in ns; 0 if replies do not wait for a sync.
     * @throws IllegalArgumentException for a negative time, or no member.
     */
    static long floorNs(final long responseTimeNs, final long serviceTimeNs, final long syncNs, final int memberCount)
    {
        IllegalArgument.throwIf(
            responseTimeNs < 0 || serviceTimeNs < 0 || syncNs < 0 || memberCount < 1,
            "responseTimeNs=" + responseTimeNs + ", serviceTimeNs=" + serviceTimeNs + ", syncNs=" + syncNs + ", memberCount=" +
            memberCount + ": times must be at least 0 and members at least 1");

        return responseTimeNs + (1 == memberCount ? 0 : serviceTimeNs) + syncNs;
    }

    private Optional<UdpRoundTrip> roundTrip(final String idle)
    {
        return udp.stream().filter((one) -> idle.equals(one.idle())).findFirst();
    }

    /** Median time in ns that a file sync level waits for; 0 for level 0 or if not measured. */
    long syncNs(final int fsyncLevel)
    {
        return 0 == fsyncLevel || null == sync ? 0 :
            Objects.requireNonNullElse((1 == fsyncLevel ? sync.dataNs() : sync.allNs()).at(Percentile.P50), 0L);
    }
}
