package io.clusterecho.reporting.report;

import java.util.List;
import java.util.function.ToDoubleFunction;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.reporting.results.Cycle;

/** The numbers of a failover test as JSON for a page. */
final class FailoverData
{
    private static final double MS_PER_S = 1e3;

    private FailoverData()
    {
    }

    /** Add the data of a test. */
    static void put(final ObjectNode node, final FailoverRun failover)
    {
        node.put("verdict", failover.verdict());
        node.set("result", failover.result());
        final ObjectNode bands = node.putObject("bands");
        for (final Cycle cycle : failover.document().cycles())
        {
            final ArrayNode list = bands.putArray(String.valueOf(cycle.number()));
            for (final PhaseBand band : PhaseBand.of(cycle))
            {
                list.addObject().put("lane", band.lane()).put("name", band.name())
                    .put("fromNs", band.fromNs()).put("toNs", band.toNs());
            }
        }

        node.put("timelineCount", failover.timelineCount());
        final ObjectNode timelines = node.putObject("timelines");
        failover.timelines().forEach(
            (cycle, stretches) -> putTimeline(timelines.putObject(String.valueOf(cycle)), stretches));
    }

    private static void putTimeline(final ObjectNode node, final List<FailoverStretch> stretches)
    {
        // The first and the last may be shorter.
        final double longestMs = stretches.stream().mapToDouble(FailoverStretch::lengthMs).max().orElse(0);
        node.put("stretchMs", longestMs);
        put(node.putArray("atMs"), stretches, (stretch) -> (stretch.beginMs() + stretch.endMs()) / 2);
        put(node.putArray("duePerS"), stretches, (stretch) -> perSecond(stretch, stretch.due(), longestMs));
        put(node.putArray("answeredPerS"), stretches, (stretch) -> perSecond(stretch, stretch.answered(), longestMs));
        put(node.putArray("unansweredPerS"), stretches, (stretch) -> perSecond(stretch, stretch.unanswered(), longestMs));
        put(node.putArray("p50Us"), stretches, (stretch) -> rounded(stretch.p50Us()));
        put(node.putArray("p99Us"), stretches, (stretch) -> rounded(stretch.p99Us()));
        put(node.putArray("maxUs"), stretches, (stretch) -> rounded(stretch.maxUs()));
    }

    /** NaN for a stretch less than half as long as the others: a rate over so short a time is noise. */
    private static double perSecond(final FailoverStretch stretch, final long count, final double longestMs)
    {
        return 2 * stretch.lengthMs() < longestMs ? Double.NaN : Math.round(count * MS_PER_S / stretch.lengthMs());
    }

    /** A resolution of 0.1 us below 1 ms and of 1 us above: a chart shows no more, and the page stays small. */
    private static double rounded(final double timeUs)
    {
        return timeUs >= 1e3 ? Math.rint(timeUs) : Math.rint(10 * timeUs) / 10;
    }

    private static void put(
        final ArrayNode values, final List<FailoverStretch> stretches, final ToDoubleFunction<FailoverStretch> number)
    {
        for (final FailoverStretch stretch : stretches)
        {
            final double value = number.applyAsDouble(stretch);
            if (Double.isNaN(value))
            {
                values.addNull();
            }
            else if (value == Math.rint(value))
            {
                values.add((long)value);
            }
            else
            {
                values.add(value);
            }
        }
    }
}
