package io.clusterecho.client.compare;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * A comparison as one JSON document.
 */
public final class ComparisonJson
{
    /**
     * Name of the format, with its version behind the slash; raised when a field changes its meaning or goes.
     */
    public static final String FORMAT = "cluster-echo-comparison/1";

    private static final ObjectMapper MAPPER = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private ComparisonJson()
    {
    }

    /**
     * Put it into JSON.
     *
     * @param comparison to show.
     * @return the document, indented.
     */
    public static String json(final Comparison comparison)
    {
        final ObjectNode root = MAPPER.createObjectNode();
        root.put("format", FORMAT);
        root.put("outcome", comparison.isRefused() ? "REFUSED" : comparison.isRegression() ? "REGRESSION" : "NO REGRESSION");
        root.put("summary", comparison.summary());
        root.put("minEffect", comparison.plan().minEffect());
        root.put("alpha", comparison.plan().alpha());
        putSet(root.putObject("a"), comparison.a());
        putSet(root.putObject("b"), comparison.b());
        for (final Difference difference : comparison.differences())
        {
            final ObjectNode node = root.withArray("differences").addObject();
            node.put("key", difference.key()).put("path", difference.path());
            difference.inA().forEach(node.putArray("a")::add);
            difference.inB().forEach(node.putArray("b")::add);
        }
        comparison.refusals().forEach(root.putArray("refusals")::add);
        comparison.notes().forEach(root.putArray("notes")::add);
        root.putArray("changes");
        for (final Change change : comparison.changes())
        {
            final ObjectNode node = root.withArray("changes").addObject();
            node.put("metric", change.metric().name()).put("unit", change.metric().unit());
            putMedian(node.putObject("a"), change.a());
            putMedian(node.putObject("b"), change.b());
            if (Double.isFinite(change.share()))
            {
                node.put("change", change.share());
            }
            else
            {
                node.putNull("change");
            }
            node.put("p", change.pValue()).put("adjustedP", change.adjustedPValue());
            node.put("outcome", change.outcome().name());
        }

        try
        {
            return MAPPER.writeValueAsString(root) + "\n";
        }
        catch (final JsonProcessingException ex)
        {
            throw new IllegalStateException("a tree of plain values must be writable as JSON", ex);
        }
    }

    private static void putSet(final ObjectNode node, final RunSet set)
    {
        node.putArray("runs");
        set.runs().forEach((run) -> node.withArray("runs").add(run.folder().toString()));
        node.putArray("unfinished");
        set.unfinished().forEach((folder) -> node.withArray("unfinished").add(folder.toString()));
    }

    private static void putMedian(final ObjectNode node, final MedianInterval interval)
    {
        node.put("median", interval.median()).put("low", interval.low()).put("high", interval.high());
        node.put("confidence", interval.confidence());
    }
}
