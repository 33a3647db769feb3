package io.clusterecho.client.results;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.client.load.LoadMeasurement;
import io.clusterecho.client.load.LoadOutcome;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.platform.BuildFacts;
import io.clusterecho.platform.MachineFacts;

import org.HdrHistogram.Histogram;

/**
 * A result as one JSON document: {@code manifest.json} of its folder, and what {@code --json} prints.
 */
public final class Manifest
{
    private static final ObjectMapper MAPPER = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private Manifest()
    {
    }

    /**
     * Put a result into JSON.
     *
     * @param description        how it came about.
     * @param ratePerSecondAsked of its schedule.
     * @param measurement        what was measured.
     * @param verdict            on it.
     * @param diagnosis          why its tail is as long as it is.
     * @param cpu                what it took of the cores.
     * @param floor              how far its median is from what the machine allows for, or null where that does not apply.
     * @param clients            that offered it together, none where this process did.
     * @param resultFolder       where it is kept.
     * @return the document, indented.
     */
    public static String json(
        final RunDescription description,
        final long ratePerSecondAsked,
        final LoadMeasurement measurement,
        final Verdict verdict,
        final Diagnosis diagnosis,
        final CpuCost cpu,
        final FloorRatio floor,
        final List<ClientRecord> clients,
        final String resultFolder)
    {
        final LoadOutcome outcome = measurement.outcome();
        final ObjectNode root = MAPPER.createObjectNode();
        root.put("format", DocumentKind.RUN.format());
        root.put("label", description.label());
        root.put("start", description.start().toString());
        putVerdict(root.putObject("verdict"), verdict);

        root.put("scheduled", outcome.scheduled());
        root.put("answered", outcome.answered());
        root.put("late", outcome.late());
        root.put("unanswered", outcome.unanswered());
        root.put("neverSent", outcome.neverSent());
        root.put("duplicates", outcome.duplicates());
        root.put("outOfOrder", outcome.outOfOrder());
        root.put("corrupt", outcome.corrupt());
        root.put("backPressured", outcome.backPressured());
        root.put("disconnected", outcome.disconnected());
        root.put("newLeaders", outcome.newLeaders());
        root.put("reconnects", outcome.reconnects());
        root.put("resent", outcome.resent());
        root.put("repeated", outcome.repeated());
        root.put("gaps", outcome.gaps());
        root.put("forgotten", outcome.forgotten());
        root.put("boundWaits", outcome.boundWaits());
        root.put("warmUpSkipped", outcome.warmUpSkipped());
        root.put("ratePerSecondAsked", ratePerSecondAsked);
        root.put("ratePerSecondAchieved", Math.round(outcome.ratePerSecondAchieved() * 100) / 100.0);
        root.put("clientCeilingPerSecond", description.ceilingPerSecond());
        putFloor(root, floor);
        putTimes(root.putObject("responseTimeNs"), measurement.responseTimes());
        putTimes(root.putObject("serviceTimeNs"), measurement.serviceTimes());
        putTimes(root.putObject("sendDelayNs"), measurement.sendDelays());
        putTimes(root.putObject("stallNs"), measurement.stalls());
        StageReport.put(root, measurement);
        putCpu(root.putObject("cpuSecondsPerMillion"), cpu);
        putDiagnosis(root.putObject("diagnosis"), diagnosis);
        clients.forEach((client) -> client.put(root.withArray("clients").addObject()));
        putCircumstances(root, description, resultFolder);
        return text(root);
    }

    /**
     * Put a verdict.
     *
     * @param node    to put it to.
     * @param verdict on a run.
     */
    public static void putVerdict(final ObjectNode node, final Verdict verdict)
    {
        node.put("good", verdict.isGood());
        node.put("label", verdict.label());
        node.put("partial", verdict.isPartial());
        verdict.allReasons().forEach(node.putArray("reasons")::add);
        verdict.warnings().forEach(node.putArray("warnings")::add);
    }

    private static void putCpu(final ObjectNode node, final CpuCost cpu)
    {
        putIfKnown(node, "client", cpu.clientS());
        putIfKnown(node, "members", cpu.membersS());
        putIfKnown(node, "all", cpu.allS());
    }

    private static void putIfKnown(final ObjectNode node, final String name, final double value)
    {
        if (!Double.isNaN(value))
        {
            node.put(name, Math.round(value * 1e3) / 1e3);
        }
    }

    /**
     * Put how a result came about.
     *
     * @param root         of its document.
     * @param description  of it.
     * @param resultFolder where it is kept.
     */
    public static void putCircumstances(final ObjectNode root, final RunDescription description, final String resultFolder)
    {
        root.put("durability", description.durability());
        root.put("placement", description.placement());
        root.put("resultFolder", resultFolder);
        root.put("commandLine", description.commandLine());
        putAll(root.putObject("configuration"), description.configuration());
        putAll(root.putObject("cluster"), description.cluster());
        putAll(root.putObject("versions"), BuildFacts.versions());
        final String clusterDir = description.cluster().get(NodeSettings.BASE_DIR.key());
        putAll(
            root.putObject("machine"),
            null == clusterDir ? MachineFacts.machine() : MachineFacts.machine(Path.of(clusterDir)));
        putAll(root.putObject("jvm"), MachineFacts.jvm());
    }

    /**
     * A document as text.
     *
     * @param root of it.
     * @return indented, with a line's end.
     */
    public static String text(final ObjectNode root)
    {
        try
        {
            return MAPPER.writeValueAsString(root) + "\n";
        }
        catch (final JsonProcessingException ex)
        {
            throw new IllegalStateException("a tree of plain values must be writable as JSON", ex);
        }
    }

    /**
     * Put the percentiles of a time.
     *
     * @param node      to put them to, in ns.
     * @param histogram in ns.
     */
    public static void putTimes(final ObjectNode node, final Histogram histogram)
    {
        for (final Percentile percentile : Percentile.values())
        {
            node.put(percentile.label(), percentile.of(histogram));
        }
        node.put("min", 0 == histogram.getTotalCount() ? 0 : histogram.getMinValue());
        node.put("mean", Math.round(histogram.getMean() * 10) / 10.0);
        node.put("count", histogram.getTotalCount());
    }

    private static void putFloor(final ObjectNode root, final FloorRatio floor)
    {
        if (null == floor)
        {
            return;
        }
        if (!floor.isKnown())
        {
            root.put("floorMissing", floor.missing());
            return;
        }
        root.put("floorNs", floor.floorNs());
        root.put("floorRatio", Math.round(floor.ratio() * 100) / 100.0);
        root.put("spinningFloorNs", floor.spinningFloorNs());
        root.put("spinningFloorRatio", Math.round(floor.spinningRatio() * 100) / 100.0);
        root.put("floorSyncNs", floor.syncNs());
        root.put("baseline", floor.baseline());
    }

    private static void putDiagnosis(final ObjectNode node, final Diagnosis diagnosis)
    {
        node.put("tail", diagnosis.tail());
        node.put("long", diagnosis.isLong());
        node.putArray("findings");
        for (final Finding finding : diagnosis.findings())
        {
            node.withArray("findings").addObject().put("rule", finding.rule()).put("cause", finding.cause())
                .put("advice", finding.advice())
                .put("present", Math.round(finding.present() * 1_000) / 1_000.0)
                .put("share", Math.round(finding.share() * 1_000) / 1_000.0);
        }
    }

    private static void putAll(final ObjectNode node, final Map<String, String> values)
    {
        values.forEach(node::put);
    }
}
