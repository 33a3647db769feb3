package io.clusterecho.client.calibration;

import java.util.ArrayList;
import java.util.List;

import io.clusterecho.host.SyncTimes;
import io.clusterecho.reporting.results.RunDescription;
import io.clusterecho.reporting.results.Verdict;

/**
 * Measurements of a machine without a cluster. Parts left out by an interruption are null, or not in the list.
 *
 * @param roundTrips    of datagrams, one for each idle strategy, the spinning one first.
 * @param sync          times in the archive's folder.
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
    /**
     * Judge the round trips and the failures.
     *
     * @param unwritten files of the result that could not be written, a sentence each.
     */
    public Verdict verdict(final List<String> unwritten)
    {
        final List<String> reasons = new ArrayList<>(failures);
        roundTrips.forEach((one) ->
            one.verdict().reasons().forEach((reason) -> reasons.add("UDP, " + one.idle() + ": " + reason)));
        reasons.addAll(unwritten);
        return Verdict.ofRuns(reasons, warnings(), isPartial ? "ended before its end" : "");
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
