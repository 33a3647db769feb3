package io.clusterecho.client.sweep;

import java.util.ArrayList;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * One repeat of one cell, as it stands in {@code sweep.json}; whether it was measured now or read back makes no difference.
 *
 * @param node of the document.
 */
public record SweepRun(JsonNode node)
{
    static final List<String> TIMES = List.of("responseTimeNs", "serviceTimeNs", "sendDelayNs", "stallNs");

    private static final List<String> COPIED = List.of(
        "start", "verdict", "ratePerSecondAsked", "ratePerSecondAchieved", "scheduled", "answered", "late", "unanswered",
        "neverSent", "backPressured", "newLeaders", "durability",
        "placement", "cpuSecondsPerMillion", "floorSyncNs", "floorMissing");

    /**
     * A run that was measured, be it good or not.
     *
     * @param cell     of it.
     * @param repeat   of the cell, from 1.
     * @param manifest of the run.
     * @param folder   of the run, as seen from the folder of the sweep.
     * @return the run.
     */
    public static SweepRun measured(final Cell cell, final int repeat, final JsonNode manifest, final String folder)
    {
        final ObjectNode node = begun(cell, repeat);
        COPIED.stream().filter(manifest::has).forEach((field) -> node.set(field, manifest.path(field)));
        TIMES.forEach((time) -> node.set(time, manifest.path(time)));
        node.put("folder", folder);
        return new SweepRun(node);
    }

    /**
     * A run that did not come about.
     *
     * @param cell   of it.
     * @param repeat of the cell, from 1.
     * @param reason in a sentence or several lines.
     * @return the run.
     */
    public static SweepRun failed(final Cell cell, final int repeat, final String reason)
    {
        final ObjectNode node = begun(cell, repeat);
        final ObjectNode verdict = node.putObject("verdict");
        verdict.put("good", false).put("label", "FAILED").put("partial", false);
        verdict.putArray("reasons").add(reason);
        verdict.putArray("warnings");
        return new SweepRun(node);
    }

    int cell()
    {
        return node.path("cell").asInt();
    }

    int repeat()
    {
        return node.path("repeat").asInt();
    }

    /**
     * Whether the run can stand.
     *
     * @return true for GOOD.
     */
    public boolean isGood()
    {
        return node.path("verdict").path("good").asBoolean();
    }

    /**
     * Whether there are times, good or not.
     *
     * @return false if the run did not come about.
     */
    public boolean isMeasured()
    {
        return node.path("responseTimeNs").path("count").asLong() > 0;
    }

    /**
     * What speaks against it.
     *
     * @return one text each.
     */
    public List<String> reasons()
    {
        return texts("reasons");
    }

    List<String> warnings()
    {
        return texts("warnings");
    }

    String placement()
    {
        return node.path("placement").asText();
    }

    String durability()
    {
        return node.path("durability").asText();
    }

    double number(final String pointer)
    {
        return node.at(pointer).asDouble();
    }

    private List<String> texts(final String name)
    {
        final List<String> texts = new ArrayList<>();
        node.path("verdict").path(name).forEach((text) -> texts.add(text.asText()));
        return texts;
    }

    private static ObjectNode begun(final Cell cell, final int repeat)
    {
        return new ObjectMapper().createObjectNode().put("cell", cell.number()).put("repeat", repeat);
    }
}
