package io.clusterecho.client.calibration;

import java.util.ArrayList;
import java.util.List;

import io.clusterecho.client.calibration.CalibrationPart.Distribution;
import io.clusterecho.host.SyncTimes;
import io.clusterecho.reporting.measurement.Histograms;
import io.clusterecho.reporting.measurement.Time;
import io.clusterecho.reporting.results.DocumentKind;
import io.clusterecho.reporting.results.RunDescription;
import io.clusterecho.reporting.results.Verdict;

/**
 * Measurements of a machine without a cluster. Parts left out by an interruption are null, or not in the list.
 *
 * @param roundTrips    one for each idle strategy, the spinning one first.
 * @param failures      of parts that could not be measured, a sentence each; these parts are null too.
 */
public record Baseline(
    RunDescription description,
    int lengthBytes,
    long ratePerSecond,
    List<UdpRoundTrip> roundTrips,
    SyncTimes sync,
    SleepTimes timer,
    CopySpeed copy,
    List<String> failures,
    boolean isPartial)
{
    /** Judge the round trips and the failures. */
    public Verdict verdict(final List<String> unwritten)
    {
        final List<String> reasons = new ArrayList<>(failures);
        roundTrips.forEach((one) ->
            one.verdict().reasons().forEach((reason) -> reasons.add("UDP, " + one.idle() + ": " + reason)));
        reasons.addAll(unwritten);
        return Verdict.ofRuns(reasons, warnings(), isPartial ? "ended before its end" : "");
    }

    /** What is stored and printed of it. */
    public CalibrationPart part()
    {
        return new CalibrationPart(
            DocumentKind.BASELINE, description, this::verdict,
            (verdict, folder) -> BaselineDocument.of(this, verdict, folder), distributions(), CalibrationText.body(this), true);
    }

    List<Distribution> distributions()
    {
        final List<Distribution> all = new ArrayList<>();
        for (final UdpRoundTrip one : roundTrips)
        {
            final Histograms times = one.measurement().times();
            final String file = "udp-" + one.idle();
            all.add(new Distribution("UDP round trip, " + one.idle(), file + "-service-time.hgrm", times.of(Time.SERVICE)));
            all.add(new Distribution("  from intended send time", file + "-response-time.hgrm", times.of(Time.RESPONSE)));
        }
        if (null != sync)
        {
            all.add(new Distribution("sync of data (fsync 1)", "sync-data.hgrm", sync.data()));
            all.add(new Distribution("sync with metadata (fsync 2)", "sync-all.hgrm", sync.all()));
        }
        if (null != timer)
        {
            all.add(new Distribution("sleep of 1 ms, overshoot", "sleep-overshoot.hgrm", timer.overshoot()));
            all.add(new Distribution("shortest sleep", "shortest-sleep.hgrm", timer.shortest()));
        }
        return all;
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
