package io.clusterecho.client.sweep;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.document.RunDocument;
import io.clusterecho.reporting.results.ResultFolder;
import io.clusterecho.reporting.results.RunDescription;

/**
 * Sweeps with known numbers: a time of a cell in repeat <i>r</i> is 1000 us, times 2 for each fsync level, times 3
 * for messages of 288 bytes, plus <i>r</i> us.
 */
public final class SampleSweep
{
    private static final List<String> TIMES = List.of("responseTimeNs", "serviceTimeNs", "sendDelayNs", "stallNs");
    private static final long NS_PER_US = 1_000;
    private static final long SYNC_NS = 150_000;
    private static final double CPU_S = 100;
    private static final double SYNC_CPU_S = 20.5;

    private SampleSweep()
    {
    }

    /**
     * A new sweep.
     *
     * @param parent     of its folder.
     * @param properties keys and values, alternately.
     * @return the sweep, without any run.
     */
    public static SweepRecord begin(final Path parent, final String... properties)
    {
        final Map<String, String> map = new TreeMap<>();
        for (int i = 0; i < properties.length; i += 2)
        {
            map.put(properties[i], properties[i + 1]);
        }
        return SweepRecord.begin(
            ResultFolder.create(parent, "sample", Instant.parse("2026-11-21T09:13:36Z")),
            SweepPlan.parse(map, "test"), description());
    }

    /** Description of all runs. */
    public static RunDescription description()
    {
        return new RunDescription(
            "sample <b>", Instant.parse("2026-11-21T09:13:36Z"), "java -jar load-client.jar matrix sample",
            Map.of("arrivals", "constant"), Map.of(), "see each cell", "see each cell", 0);
    }

    /** Add all runs in the order of a sweep. */
    public static SweepRecord complete(final SweepRecord sweep)
    {
        for (int repeat = 1; repeat <= sweep.plan().repeats(); repeat++)
        {
            for (final Cell cell : sweep.plan().cells())
            {
                if (!sweep.isDone(cell, repeat))
                {
                    sweep.add(run(cell, repeat, true));
                }
            }
        }
        return sweep;
    }

    /**
     * One run.
     *
     * @param cell   of the sweep.
     * @param repeat of the cell.
     * @param isGood whether its verdict is GOOD.
     */
    public static SweepRun run(final Cell cell, final int repeat, final boolean isGood)
    {
        return run(cell, repeat, isGood, isGood ? "GOOD" : "FAILED");
    }

    static SweepRun run(final Cell cell, final int repeat, final boolean isGood, final String label)
    {
        return run(cell, repeat, isGood, label, 1, "");
    }

    /**
     * One good run.
     *
     * @param slowness factor of its times.
     * @param rule     that diagnoses it.
     */
    static SweepRun run(final Cell cell, final int repeat, final long slowness, final String rule)
    {
        return run(cell, repeat, true, "GOOD", slowness, rule);
    }

    private static SweepRun run(
        final Cell cell, final int repeat, final boolean isGood, final String label, final long slowness, final String rule)
    {
        final ObjectNode manifest = new ObjectMapper().createObjectNode();
        final ObjectNode verdict = manifest.putObject("verdict");
        verdict.put("good", isGood).put("label", label).put("partial", false);
        if (isGood)
        {
            verdict.putArray("reasons");
        }
        else
        {
            verdict.putArray("reasons").add("rate missed <i>");
        }
        verdict.putArray("warnings");
        manifest.put("start", "2026-11-21T09:13:36Z").put("ratePerSecondAsked", 1_000).put("ratePerSecondAchieved", 999.5);
        manifest.put("placement", "none".equals(cell.value(Dimension.PLACEMENT)) ? "none emulated" :
            "emulated " + cell.value(Dimension.PLACEMENT) + ": in words");
        final int level = Integer.parseInt(cell.value(Dimension.FSYNC));
        manifest.putObject("cpuSecondsPerMillion").put("all", CPU_S + level * SYNC_CPU_S + repeat);
        manifest.put("floorSyncNs", level * SYNC_NS);
        manifest.put("durability", "fsync " + cell.value(Dimension.FSYNC) + ": in words");
        manifest.putObject("diagnosis").put("tail", "").put("long", false).putArray("findings").addObject()
            .put("rule", rule).put("cause", rule + " in repeat " + repeat).put("advice", "").put("present", 1).put("share", 1);
        final long factor = slowness * (1L << level) *
            ("288".equals(cell.value(Dimension.SIZE)) ? 3 : 1);
        for (final String time : TIMES)
        {
            final ObjectNode times = manifest.putObject(time);
            int place = 0;
            for (final String percentile : new String[]{ "p50", "p90", "p99", "p99.9", "p99.99", "max" })
            {
                times.put(percentile, (1_000 * factor * (1 + place++) + repeat) * NS_PER_US);
            }
            times.put("count", 500_000);
        }

        final RunDocument run = Documents.bind(manifest, RunDocument.class);
        return SweepRun.measured(
            cell, repeat, run, run.verdict(), "runs/cell-" + cell.number() + "-repeat-" + repeat);
    }
}
