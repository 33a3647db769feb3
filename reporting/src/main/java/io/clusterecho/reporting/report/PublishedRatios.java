package io.clusterecho.reporting.report;

import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

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
        // A run that was limited by its client is valid, but shows little of the system.
        final List<Side> runs = sides(content.runs(), RunResult::manifest, (run) -> null == run.failover() &&
            run.manifest().at("/verdict/good").asBoolean() && !Verdict.CLIENT_LIMITED.equals(run.verdict()));
        for (final Side run : runs)
        {
            for (final String percentile : PERCENTILES)
            {
                put(nodes, "run", percentile, run, twin(runs, run, "/ratePerSecondAsked"), "/responseTimeNs/" + percentile);
            }
        }
        final List<Side> searches = sides(content.of(DocumentKind.MAX_RATE), StoredDocument::document, (search) ->
            "confirmed".equals(search.document().at("/answer/status").asText()) &&
            !"client".equals(search.document().at("/limit/by").asText()));
        for (final Side search : searches)
        {
            put(nodes, "search", "rate", search, twin(searches, search, "/slo"), "/answer/ratePerSecond");
        }
    }

    private static <T> List<Side> sides(
        final List<T> results, final Function<T, JsonNode> document, final Predicate<T> isCompared)
    {
        return results.stream().filter(isCompared).flatMap((result) -> PublishedSetup.of(document.apply(result)).stream()
            .map((setup) -> new Side(setup, document.apply(result), results.indexOf(result) + 1))).toList();
    }

    /** The first result before this one that has the same condition and differs in one published setting, or null. */
    private static Side twin(final List<Side> sides, final Side side, final String condition)
    {
        return sides.subList(0, sides.indexOf(side)).stream().filter((other) ->
            side.document().at(condition).equals(other.document().at(condition)) &&
            side.setup().against(other.setup()).isPresent()).findFirst().orElse(null);
    }

    private static void put(
        final ArrayNode nodes, final String kind, final String metric, final Side side, final Side twin, final String pointer)
    {
        final PublishedRatio theirs = null == twin ? PublishedRatio.NONE : side.setup().ratioTo(twin.setup(), metric);
        final double other = null == twin ? 0 : twin.document().at(pointer).asDouble();
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
