package io.clusterecho.client.baseline;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.client.load.LoadOutcome;
import io.clusterecho.client.results.Manifest;
import io.clusterecho.client.results.DocumentKind;
import io.clusterecho.client.results.Verdict;
import io.clusterecho.host.SyncTimes;

/**
 * A baseline as JSON: {@code baseline.json} of its folder, and what {@code baseline --json} prints.
 */
public final class BaselineJson
{
    private BaselineJson()
    {
    }

    /**
     * Put a baseline into JSON.
     *
     * @param baseline     to put; parts that were not measured are absent.
     * @param verdict      on it.
     * @param resultFolder where it is kept.
     * @return the document, indented.
     */
    public static String json(final Baseline baseline, final Verdict verdict, final String resultFolder)
    {
        final ObjectNode root = new ObjectMapper().createObjectNode();
        root.put("format", DocumentKind.BASELINE.format());
        root.put("label", baseline.description().label());
        root.put("start", baseline.description().start().toString());
        Manifest.putVerdict(root.putObject("verdict"), verdict);

        root.put("lengthBytes", baseline.lengthBytes());
        root.put("ratePerSecondAsked", baseline.ratePerSecond());
        root.putArray("udp");
        baseline.roundTrips().forEach((one) -> putRoundTrip(root.withArray("udp").addObject(), one));
        if (null != baseline.sync())
        {
            putSync(root.putObject("sync"), baseline.sync());
        }
        if (null != baseline.timer())
        {
            final ObjectNode timer = root.putObject("timer");
            Manifest.putTimes(timer.putObject("overshootNs"), baseline.timer().overshoot());
            Manifest.putTimes(timer.putObject("shortestSleepNs"), baseline.timer().shortest());
        }
        if (null != baseline.copy())
        {
            final ObjectNode copy = root.putObject("copy");
            copy.put("messageLengthBytes", baseline.copy().messageLengthBytes());
            copy.put("messageBytesPerSecond", Math.round(baseline.copy().messageBytesPerSecond()));
            copy.put("largeLengthBytes", baseline.copy().largeLengthBytes());
            copy.put("largeBytesPerSecond", Math.round(baseline.copy().largeBytesPerSecond()));
        }
        Manifest.putCircumstances(root, baseline.description(), resultFolder);
        return Manifest.text(root);
    }

    private static void putRoundTrip(final ObjectNode node, final UdpRoundTrip roundTrip)
    {
        final LoadOutcome outcome = roundTrip.measurement().outcome();
        node.put("idle", roundTrip.idle());
        node.put("scheduled", outcome.scheduled());
        node.put("answered", outcome.answered());
        node.put("late", outcome.late());
        node.put("unanswered", outcome.unanswered());
        node.put("neverSent", outcome.neverSent());
        node.put("duplicates", outcome.duplicates());
        node.put("outOfOrder", outcome.outOfOrder());
        node.put("corrupt", outcome.corrupt());
        node.put("ratePerSecondAchieved", Math.round(outcome.ratePerSecondAchieved() * 100) / 100.0);
        node.put("quietResponseTimeNs", roundTrip.quietResponseTimeNs());
        node.put("quietServiceTimeNs", roundTrip.quietServiceTimeNs());
        Manifest.putTimes(node.putObject("responseTimeNs"), roundTrip.measurement().responseTimes());
        Manifest.putTimes(node.putObject("serviceTimeNs"), roundTrip.measurement().serviceTimes());
        Manifest.putTimes(node.putObject("sendDelayNs"), roundTrip.measurement().sendDelays());
        Manifest.putTimes(node.putObject("stallNs"), roundTrip.measurement().stalls());
    }

    private static void putSync(final ObjectNode node, final SyncTimes sync)
    {
        node.put("folder", sync.place().folder());
        node.put("store", sync.place().store());
        node.put("type", sync.place().type());
        node.put("pageLengthBytes", SyncTimes.PAGE_LENGTH_BYTES);
        Manifest.putTimes(node.putObject("dataNs"), sync.data());
        Manifest.putTimes(node.putObject("allNs"), sync.all());
    }
}
