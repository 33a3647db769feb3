package io.clusterecho.client.baseline;

import java.util.ArrayList;
import java.util.List;

import io.clusterecho.client.results.RunDescription;
import io.clusterecho.host.SyncTimes;

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
    boolean isPartial)
{
    /**
     * Why it cannot stand as it is.
     *
     * @return a sentence each, none when it is good.
     */
    public List<String> reasons()
    {
        final List<String> all = new ArrayList<>(failures());
        if (isPartial)
        {
            all.add("partial: ended before its end");
        }

        return all;
    }

    /**
     * What went wrong with what was measured.
     *
     * @return a sentence each.
     */
    public List<String> failures()
    {
        return roundTrips.stream()
            .flatMap((one) -> one.verdict().reasons().stream().map((reason) -> "UDP, " + one.idle() + ": " + reason)).toList();
    }

    /**
     * What a reader should know all the same.
     *
     * @return a sentence each.
     */
    public List<String> warnings()
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

    /**
     * In one word.
     *
     * @return GOOD, PARTIAL or FAILED, as of runs.
     */
    public String verdict()
    {
        return !failures().isEmpty() ? "FAILED" : isPartial ? "PARTIAL" : "GOOD";
    }
}
