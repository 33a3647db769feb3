package io.clusterecho.client.baseline;

import java.util.ArrayList;
import java.util.List;

import io.clusterecho.host.SyncTimes;
import io.clusterecho.reporting.results.RunDescription;
import io.clusterecho.reporting.results.Verdict;

/**
 * What was measured of a machine. Parts that an interruption left out are null, or not in the list.
 *
 * @param description   how it came about.
 * @param lengthBytes   of a message.
 * @param ratePerSecond of the schedule of the round trips.
 * @param roundTrips    of datagrams, one for each idle strategy, the spinning one first.
 * @param sync          of the archive's folder.
 * @param timer         how long sleeps last.
 * @param copy          how fast memory is copied.
 * @param failures      of parts that could not be measured, a sentence each; they are null, too.
 * @param isPartial     whether it was interrupted.
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
     * Judge it, by its round trips and by what failed.
     *
     * @param unwritten what of its result could not be written, a sentence each.
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
            all.add("threads that spin were answered later than those that wait: others had the cores; measure again when " +
                "nothing else runs, or floors are too high");
        }
        if (null != sync && "tmpfs".equals(sync.place().type()))
        {
            all.add(sync.place().folder() + " is in memory: syncs cost nothing there, and keep nothing");
        }

        return all;
    }
}
