package io.clusterecho.reporting.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.reporting.published.PublishedRatio;
import io.clusterecho.reporting.published.PublishedSetup;
import io.clusterecho.reporting.results.DocumentKind;
import io.clusterecho.reporting.results.Verdict;

/** Ratios between results of one page, and the same ratios of a public report where it measured the same; else what differs. */
final class PublishedRatios
{
    private static final List<String> PERCENTILES = List.of("p50", "p99", "p99.9");

    private PublishedRatios()
    {
    }

    /**
     * One side of a ratio.
     *
     * @param setup    in terms of the public report.
     * @param number   of the result on the page, among those of its kind, from 1.
     */
    private record Side(PublishedSetup setup, JsonNode document, int number)
    {
    }

    /**
     * Add the ratios of systems and messages of which the public report has figures: of good runs at one rate that differ in one
     * setting, each with the first such run before it; and of confirmed searches likewise.
     */
    static void put(final ArrayNode nodes, final ReportContent content)
    {
        final List<Side> runs = new ArrayList<>();
        for (final RunResult run : content.runs())
        {
            final int number = content.runs().indexOf(run) + 1;
            // A run that was limited by its client is valid, but shows little of the system.
            if (null == run.failover() && run.manifest().at("/verdict/good").asBoolean() &&
                !Verdict.CLIENT_LIMITED.equals(run.verdict()))
            {
                PublishedSetup.of(run.manifest()).ifPresent((setup) -> runs.add(new Side(setup, run.manifest(), number)));
            }
        }
        for (final Side side : runs)
        {
            for (final String percentile : PERCENTILES)
            {
                twin(runs, side, "/ratePerSecondAsked").ifPresent((twin) ->
                    put(nodes, "run", percentile, side, twin, "/responseTimeNs/" + percentile));
            }
        }

        final List<Side> searches = new ArrayList<>();
        final List<StoredDocument> stored = content.of(DocumentKind.MAX_RATE);
        for (final StoredDocument search : stored)
        {
            final int number = stored.indexOf(search) + 1;
            if ("confirmed".equals(search.document().at("/answer/status").asText()) &&
                !"client".equals(search.document().at("/limit/by").asText()))
            {
                PublishedSetup.of(search.document())
                    .ifPresent((setup) -> searches.add(new Side(setup, search.document(), number)));
            }
        }
        for (final Side side : searches)
        {
            twin(searches, side, "/slo").ifPresent((twin) ->
                put(nodes, "search", "rate", side, twin, "/answer/ratePerSecond"));
        }
    }

    /** The first result before this one that has the same condition and differs in one published setting. */
    private static Optional<Side> twin(final List<Side> sides, final Side side, final String condition)
    {
        return sides.subList(0, sides.indexOf(side)).stream().filter((other) ->
            side.document().at(condition).equals(other.document().at(condition)) &&
            side.setup().against(other.setup()).isPresent()).findFirst();
    }

    private static void put(
        final ArrayNode nodes, final String kind, final String metric, final Side side, final Side twin, final String pointer)
    {
        final PublishedRatio theirs = side.setup().ratioTo(twin.setup(), metric);
        final double other = twin.document().at(pointer).asDouble();
        if (!PublishedRatio.NONE.equals(theirs) && other > 0)
        {
            final ObjectNode node = nodes.addObject().put("kind", kind).put("metric", metric)
                .put("of", side.setup().against(twin.setup()).orElseThrow())
                .put("name", side.document().path("label").asText()).put("number", side.number())
                .put("against", twin.document().path("label").asText()).put("againstNumber", twin.number())
                .put("ours", side.document().at(pointer).asDouble() / other);
            theirs.ratio().ifPresent((ratio) -> node.put("published", ratio));
            final ArrayNode differences = node.putArray("publishedDiffers");
            theirs.differences().forEach(differences::add);
        }
    }
}
