package io.clusterecho.client.failover;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToLongFunction;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.client.audit.AuditReport;
import io.clusterecho.client.audit.JournalAudit;
import io.clusterecho.client.load.LoadOutcome;
import io.clusterecho.client.results.Manifest;
import io.clusterecho.client.results.Percentile;
import io.clusterecho.client.results.DocumentKind;
import io.clusterecho.client.results.Verdict;

/**
 * A failover test as JSON: {@code failover.json} of its folder, and what {@code failover --json} prints; and its cycles as
 * CSV.
 */
public final class FailoverJson
{
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private FailoverJson()
    {
    }

    /**
     * Put a test into JSON. What is not known yet is null.
     *
     * @param result       of it.
     * @param verdict      on it.
     * @param commandLine  that repeats it.
     * @param resultFolder where it is kept.
     * @return the document, indented.
     */
    public static String json(
        final FailoverResult result, final Verdict verdict, final String commandLine, final String resultFolder)
    {
        final ObjectNode root = MAPPER.createObjectNode();
        root.put("format", DocumentKind.FAILOVER.format());
        Manifest.putVerdict(root.putObject("verdict"), verdict);
        root.put("delivery", result.isExactlyOnce() ? "exactly-once" : "at-most-once");
        putOutcome(root, result);
        putAudit(root, result);
        root.put("outageBoundNs", result.outageBoundNs());
        root.put("outageResolutionNs", result.outageResolutionNs());
        putSpread(root.putObject("outageNs"), result.outages());
        final ObjectNode phases = root.putObject("phases");
        final ObjectNode resolutions = root.putObject("phaseResolutionNs");
        for (final Cycle.Phase phase : Cycle.Phase.values())
        {
            putSpread(phases.putObject(phase.key()), result.phase(phase));
            resolutions.put(phase.key(), result.resolutionNs(phase));
        }

        putStages(root.putObject("responseTimeNs"), result.stages());
        final ArrayNode cycles = root.putArray("cycles");
        for (final Cycle cycle : result.cycles())
        {
            final ObjectNode node = cycles.addObject();
            putCycle(node, cycle);
            result.timelines().stream().filter((timeline) -> timeline.cycle() == cycle)
                .forEach((timeline) -> putStages(node.putObject("responseTimeNs"), timeline.stages()));
        }
        root.put("commandLine", commandLine);
        root.put("resultFolder", resultFolder);
        return Manifest.text(root);
    }

    private static void putOutcome(final ObjectNode root, final FailoverResult result)
    {
        final LoadOutcome outcome = result.outcome();
        put(root, "scheduled", outcome, LoadOutcome::scheduled);
        put(root, "resent", outcome, LoadOutcome::resent);
        put(root, "repeated", outcome, LoadOutcome::repeated);
        put(root, "late", outcome, LoadOutcome::late);
        put(root, "unanswered", outcome, LoadOutcome::unanswered);
        put(root, "neverSent", outcome, LoadOutcome::neverSent);
        put(root, "gaps", outcome, LoadOutcome::gaps);
        put(root, "reconnects", outcome, LoadOutcome::reconnects);
        put(root, "newLeaders", outcome, LoadOutcome::newLeaders);
        put(root, "boundWaits", outcome, LoadOutcome::boundWaits);
    }

    private static void putAudit(final ObjectNode root, final FailoverResult result)
    {
        final AuditReport audit = result.audit();
        final JournalAudit journal = null == audit ? null : audit.journal();
        put(root, "acknowledged", journal, JournalAudit::acknowledged);
        put(root, "acknowledgedLost", journal, (ignored) -> result.acknowledgedLost());
        put(root, "appliedTwice", journal, (ignored) -> result.appliedTwice());
        put(root, "unansweredInLog", journal, JournalAudit::unansweredInLog);
        put(root, "unansweredLost", journal, (known) -> known.unansweredInTail() + known.unansweredLost());
        final ObjectNode node = root.putObject("audit");
        if (null == audit)
        {
            node.putNull("clean");
            node.putArray("findings");
        }
        else
        {
            node.put("clean", audit.isClean());
            final ArrayNode findings = node.putArray("findings");
            audit.findings().forEach((finding) -> findings.add(finding.text()));
        }
    }

    private static <T> void put(final ObjectNode node, final String name, final T known, final ToLongFunction<T> value)
    {
        if (null == known)
        {
            node.putNull(name);
        }
        else
        {
            node.put(name, value.applyAsLong(known));
        }
    }

    /**
     * Put the cycles into CSV, times in ms after the fault.
     *
     * @param result of the test.
     * @return a header and a row for each cycle.
     */
    public static String csv(final FailoverResult result)
    {
        final StringBuilder text = new StringBuilder(
            "cycle,fault,victims,valid,recovered,start_s,outage_ms,outage_resolution_ms");
        for (final Cycle.Phase phase : Cycle.Phase.values())
        {
            text.append(',').append(phase.label().replace(' ', '_')).append("_ms");
        }
        text.append('\n');
        for (final Cycle cycle : result.cycles())
        {
            text.append(String.format(
                Locale.ROOT, "%d,%s,%s,%b,%b,%.3f,%.3f,%.3f", cycle.number(), name(cycle.fault()),
                String.join("+", cycle.victims().stream().map(String::valueOf).toList()), cycle.isValid(),
                cycle.isRecovered(), cycle.startNs() / 1e9, cycle.outageNs() / 1e6, cycle.outageResolutionNs() / 1e6));
            for (final Cycle.Phase phase : Cycle.Phase.values())
            {
                text.append(',');
                if (cycle.phases().containsKey(phase))
                {
                    text.append(String.format(Locale.ROOT, "%.3f", cycle.phaseNs(phase) / 1e6));
                }
            }
            text.append('\n');
        }

        return text.toString();
    }

    /**
     * Put the timelines into CSV.
     *
     * @param timelines of cycles.
     * @return a header and a row for each stretch, times in ms after the fault.
     */
    public static String timelineCsv(final List<CycleTimeline> timelines)
    {
        final StringBuilder text = new StringBuilder(
            "cycle,begin_ms,end_ms,due,answered,unanswered,response_p50_us,response_p99_us,response_max_us\n");
        for (final CycleTimeline timeline : timelines)
        {
            for (final CycleTimeline.Stretch stretch : timeline.stretches())
            {
                text.append(String.format(
                    Locale.ROOT, "%d,%.3f,%.3f,%d,%d,%d", timeline.cycle().number(), stretch.beginNs() / 1e6,
                    stretch.endNs() / 1e6, stretch.due(), stretch.answered(), stretch.unanswered()));
                for (final long timeNs : new long[]{ stretch.p50Ns(), stretch.p99Ns(), stretch.maxNs() })
                {
                    text.append(timeNs < 0 ? "," : String.format(Locale.ROOT, ",%.1f", timeNs / 1e3));
                }
                text.append('\n');
            }
        }

        return text.toString();
    }

    private static void putCycle(final ObjectNode node, final Cycle cycle)
    {
        node.put("cycle", cycle.number());
        node.put("fault", name(cycle.fault()));
        final ArrayNode victims = node.putArray("victim");
        cycle.victims().forEach(victims::add);
        node.put("startNs", cycle.startNs());
        node.put("valid", cycle.isValid());
        node.put("recovered", cycle.isRecovered());
        node.put("problem", cycle.problem());
        node.put("quorumLost", cycle.isQuorumLost());
        node.put("interrupted", cycle.isInterrupted());
        node.put("outageNs", cycle.outageNs());
        node.put("outageResolutionNs", cycle.outageResolutionNs());
        for (final Cycle.Phase phase : Cycle.Phase.values())
        {
            if (cycle.phases().containsKey(phase))
            {
                node.put(phase.key(), cycle.phaseNs(phase));
            }
            else
            {
                node.putNull(phase.key());
            }
        }
        node.put("echoesWithoutQuorum", cycle.echoesWithoutQuorum());
        node.put("leaderBefore", cycle.leaderBefore());
        node.put("leaderAfter", cycle.leaderAfter());
        final ArrayNode leaders = node.putArray("newLeaders");
        cycle.newLeaderMemberIds().forEach(leaders::add);
    }

    private static void putStages(
        final ObjectNode node, final Map<CycleTimeline.Stage, CycleTimeline.StageTimes> stages)
    {
        stages.forEach((stage, times) ->
        {
            final ObjectNode timesNode = node.putObject(stage.key());
            timesNode.put("count", times.responseTimes().getTotalCount());
            timesNode.put("unanswered", times.unanswered());
            for (final Percentile percentile : Percentile.values())
            {
                timesNode.put(percentile.label(), percentile.of(times.responseTimes()));
            }
        });
    }

    private static void putSpread(final ObjectNode node, final FailoverResult.Spread spread)
    {
        node.put("count", spread.count());
        node.put("min", spread.min());
        node.put("median", spread.median());
        node.put("p90", spread.p90());
        node.put("max", spread.max());
    }

    private static String name(final Fault fault)
    {
        return fault.name().toLowerCase(Locale.ROOT);
    }
}
