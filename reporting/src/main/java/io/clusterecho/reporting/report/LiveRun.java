package io.clusterecho.reporting.report;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.platform.StallMeter;
import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.document.StoredVerdict;
import io.clusterecho.reporting.document.Times;
import io.clusterecho.reporting.measurement.IntervalListener;
import io.clusterecho.reporting.measurement.RunInterval;
import io.clusterecho.reporting.measurement.TimeRecorder;
import io.clusterecho.reporting.results.DocumentKind;

import org.HdrHistogram.Histogram;

/**
 * The data of a page about a run in progress. Written by the thread that watches the run, from the intervals that it takes
 * anyway; read by any other thread. The thread that offers the load does not touch it.
 * <p>
 * The newest intervals are kept, so that a run of any length takes the same memory; percentiles are of the whole run.
 */
public final class LiveRun implements IntervalListener
{
    /**
     * In place of a verdict while there is none.
     */
    public static final String VERDICT = "RUNNING";

    private static final int MAX_INTERVAL_COUNT = 300;

    private final Map<String, String> circumstances = new TreeMap<>();
    private final Deque<Row> rows = new ArrayDeque<>();
    private final Histogram responseTimes = TimeRecorder.newHistogram();
    private final Histogram serviceTimes = TimeRecorder.newHistogram();
    private final Histogram sendDelays = TimeRecorder.newHistogram();
    private final Histogram stalls = StallMeter.newHistogram();
    private final Path folder;
    private final String label;
    private long ratePerSecondAsked;
    private double achievedPerSecond;
    private long sentAll;
    private long answeredAll;
    private long backPressuredAll;
    private long disconnectedAll;
    private long version;
    private boolean isEnded;

    /**
     * One row of the charts.
     *
     * @param interval      its begin, end and counts.
     * @param responseTimes in it.
     * @param sendDelays    in it.
     * @param stalls        of this process in it.
     */
    private record Row(Interval interval, Distribution responseTimes, Distribution sendDelays, Distribution stalls)
    {
    }

    /**
     * A run before its first interval.
     *
     * @param label       of the run.
     * @param folder      of its result.
     * @param commandLine that started it.
     * @param durability  in words.
     */
    public LiveRun(final String label, final Path folder, final String commandLine, final String durability)
    {
        this.label = label;
        this.folder = folder.toAbsolutePath().normalize();
        circumstances.put("commandLine", commandLine);
        circumstances.put("durability", durability);
        circumstances.put("resultFolder", folder.toString());
    }

    @Override
    public void onInterval(final RunInterval interval)
    {
        // Computed before the lock is taken, which readers need too.
        final Row row = new Row(
            new Interval(
                interval.beginNs() / 1e9, interval.endNs() / 1e9, 1, interval.phase().name().toLowerCase(Locale.ROOT),
                interval.leaderMemberId() < 0 ? "" : String.valueOf(interval.leaderMemberId()), interval.sentAll() - sentAll,
                interval.answeredAll() - answeredAll, interval.sentAll() - interval.answeredAll(),
                interval.backPressured() - backPressuredAll, interval.disconnected() - disconnectedAll),
            Distribution.of(interval.responseTimes()),
            Distribution.of(interval.sendDelays()),
            Distribution.of(interval.stalls()));
        synchronized (this)
        {
            rows.addLast(row);
            if (rows.size() > MAX_INTERVAL_COUNT)
            {
                rows.removeFirst();
            }
            responseTimes.add(interval.responseTimes());
            serviceTimes.add(interval.serviceTimes());
            sendDelays.add(interval.sendDelays());
            stalls.add(interval.stalls());
            ratePerSecondAsked = interval.ratePerSecondAsked();
            achievedPerSecond = row.interval().answered() / Math.max(1e-9, row.interval().lengthS());
            sentAll = interval.sentAll();
            answeredAll = interval.answeredAll();
            backPressuredAll = interval.backPressured();
            disconnectedAll = interval.disconnected();
            version++;
        }
    }

    /**
     * The run has ended: pages that are shown the next {@link #json()} say so and stop polling. Any thread may call it.
     */
    synchronized void end()
    {
        isEnded = true;
        version++;
    }

    /**
     * Changes whenever {@link #json()} does.
     */
    synchronized long version()
    {
        return version;
    }

    /**
     * The run so far, in the shape of a run that has ended.
     *
     * @return one line.
     */
    String json()
    {
        final ObjectNode manifest = JsonNodeFactory.instance.objectNode();
        final List<Row> shown;
        final Histogram response;
        final Histogram service;
        final Histogram delay;
        final boolean isOver;
        synchronized (this)
        {
            shown = new ArrayList<>(rows);
            response = responseTimes.copy();
            service = serviceTimes.copy();
            delay = sendDelays.copy();
            isOver = isEnded;
            manifest.set("stallNs", Documents.tree(Times.of(stalls)));
            manifest.put("ratePerSecondAsked", ratePerSecondAsked);
            manifest.put("ratePerSecondAchieved", Math.round(achievedPerSecond));
            manifest.put("sent", sentAll).put("answered", answeredAll).put("backPressured", backPressuredAll);
            manifest.put("disconnected", disconnectedAll);
        }
        manifest.put("format", DocumentKind.RUN.format()).put("label", label);
        manifest.set("verdict", Documents.tree(new StoredVerdict(false, VERDICT, true, List.of(), List.of())));
        // A message without a reply may still get one.
        manifest.put("unanswered", 0).put("neverSent", 0);
        manifest.set("responseTimeNs", Documents.tree(Times.of(response)));
        manifest.set("serviceTimeNs", Documents.tree(Times.of(service)));
        manifest.set("sendDelayNs", Documents.tree(Times.of(delay)));
        circumstances.forEach(manifest::put);
        manifest.putObject("configuration");
        final RunResult result = new RunResult(
            folder, manifest, List.of(), PercentileCurve.of(response), PercentileCurve.of(service), PercentileCurve.of(delay),
            shown.stream().map(Row::interval).toList(), shown.stream().map(Row::responseTimes).toList(),
            shown.stream().map(Row::sendDelays).toList(), shown.stream().map(Row::stalls).toList(),
            new CounterSeries(Map.of(), Map.of()), null);
        final ObjectNode root = ReportData.tree(
            new ReportContent(shown.isEmpty() ? List.of() : List.of(result), List.of(), List.of(), List.of(), List.of(),
            List.of()), folder);
        if (isOver)
        {
            root.put("ended", circumstances.get("resultFolder"));
        }

        return ReportData.json(root);
    }
}
