package io.clusterecho.reporting.report;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.platform.StallMeter;
import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.document.StoredVerdict;
import io.clusterecho.reporting.document.Times;
import io.clusterecho.reporting.measurement.Counter;
import io.clusterecho.reporting.measurement.IntervalCounts;
import io.clusterecho.reporting.measurement.IntervalListener;
import io.clusterecho.reporting.measurement.LoadMeasurement;
import io.clusterecho.reporting.measurement.LoadOutcome;
import io.clusterecho.reporting.measurement.RunInterval;
import io.clusterecho.reporting.measurement.RunPhase;
import io.clusterecho.reporting.measurement.TimeRecorder;
import io.clusterecho.reporting.results.DocumentKind;
import io.clusterecho.reporting.results.Threshold;

import org.HdrHistogram.Histogram;

/**
 * The data of a page about a run in progress. Written by the thread that watches the run, from the intervals that it takes
 * anyway; read by any other thread. The thread that offers the load does not touch it.
 * <p>
 * The newest intervals are kept, so that a run of any length takes the same memory; percentiles are of the whole run.
 */
public final class LiveRun implements IntervalListener
{
    /** In place of a verdict while there is none. */
    public static final String VERDICT = "RUNNING";

    private static final int MAX_INTERVAL_COUNT = 300;
    private static final String DURABILITY = "durability";

    private final Map<String, String> circumstances = new TreeMap<>();
    private final IntervalCounts counts = new IntervalCounts();
    private final Deque<Row> rows = new ArrayDeque<>();
    private final Histogram responseTimes = TimeRecorder.newHistogram();
    private final Histogram serviceTimes = TimeRecorder.newHistogram();
    private final Histogram sendDelays = TimeRecorder.newHistogram();
    private final Histogram receiveLateness = TimeRecorder.newHistogram();
    private final Histogram clientParts = TimeRecorder.newHistogram();
    private final Histogram stalls = StallMeter.newHistogram();
    private final Path folder;
    private final String label;
    private final List<Threshold> thresholds;
    private final long[] totals = new long[Counter.values().length];
    private final Histogram newestTimes = TimeRecorder.newHistogram();
    private long ratePerSecondAsked;
    private double achievedPerSecond;
    private boolean isComplete;
    /** Begin of the first measured interval, or -1 before it. */
    private long measuredFromNs = -1;
    private long version;
    private boolean isEnded;

    /**
     * One row of the charts.
     *
     * @param interval      its begin, end and counts.
     */
    record Row(
        Interval interval, Distribution responseTimes, Distribution sendDelays, Distribution lateness, Distribution stalls)
    {
    }

    /**
     * The run up to an interval: copies, which no other thread changes.
     *
     * @param rows               of the newest intervals, the oldest first.
     * @param totals             by counter, since the start.
     * @param achievedPerSecond  first replies per second in the newest interval.
     * @param measurement        of the messages answered so far; its outcome has no others, and the target rate.
     * @param newestTimes        response times of the newest interval.
     * @param measuredFromNs     begin of the measured window since the start, or -1.
     * @param isComplete         whether the newest interval is the last.
     * @param isEnded            whether the result is complete, too.
     */
    record Snapshot(
        List<Row> rows, long[] totals, long ratePerSecondAsked, double achievedPerSecond, LoadMeasurement measurement,
        Histogram newestTimes, long measuredFromNs, boolean isComplete, boolean isEnded)
    {
        long total(final Counter counter)
        {
            return totals[counter.ordinal()];
        }
    }

    /**
     * A run before its first interval.
     *
     * @param durability  in words.
     * @param thresholds  that its result must meet.
     */
    public LiveRun(
        final String label, final Path folder, final String commandLine, final String durability,
        final List<Threshold> thresholds)
    {
        this.thresholds = thresholds;
        this.label = label;
        this.folder = folder.toAbsolutePath().normalize();
        circumstances.put("commandLine", commandLine);
        circumstances.put(DURABILITY, durability);
        circumstances.put("resultFolder", folder.toString());
    }

    @Override
    public void onInterval(final RunInterval interval)
    {
        // Computed before the lock is taken, which readers need too.
        counts.next(interval);
        final Row row = new Row(
            new Interval(
                interval.beginNs() / 1e9, interval.endNs() / 1e9, 1, interval.phase().label(),
                interval.leaderMemberId() < 0 ? "" : String.valueOf(interval.leaderMemberId()), counts.of(Counter.SENT_ALL),
                counts.of(Counter.ANSWERED_ALL), interval.sentAll() - interval.answeredAll(),
                counts.of(Counter.BACK_PRESSURED), counts.of(Counter.DISCONNECTED), interval.ratePerSecondAsked()),
            Distribution.of(interval.responseTimes()),
            Distribution.of(interval.sendDelays()),
            Distribution.of(interval.receiveLateness()),
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
            receiveLateness.add(interval.receiveLateness());
            clientParts.add(interval.clientParts());
            if (interval.isMeasured())
            {
                stalls.add(interval.stalls());
            }
            if (measuredFromNs < 0 && RunPhase.WARM_UP != interval.phase())
            {
                measuredFromNs = interval.beginNs();
            }
            newestTimes.reset();
            newestTimes.add(interval.responseTimes());
            ratePerSecondAsked = interval.ratePerSecondAsked();
            achievedPerSecond = row.interval().answered() / Math.max(1e-9, row.interval().lengthS());
            isComplete = interval.isLast();
            for (final Counter counter : Counter.values())
            {
                totals[counter.ordinal()] = interval.count(counter);
            }
            version++;
        }
    }

    /** The run has ended: pages that are shown the next {@link #json()} say so and stop polling. Any thread may call it. */
    synchronized void end()
    {
        isEnded = true;
        version++;
    }

    /** Changes whenever {@link #json()} does. */
    synchronized long version()
    {
        return version;
    }

    /** The run so far. */
    synchronized Snapshot snapshot()
    {
        return new Snapshot(
            List.copyOf(rows), totals.clone(), ratePerSecondAsked, achievedPerSecond,
            new LoadMeasurement(
                outcome(), responseTimes.copy(), serviceTimes.copy(), sendDelays.copy(), receiveLateness.copy(),
                clientParts.copy(), stalls.copy()),
            newestTimes.copy(), measuredFromNs, isComplete, isEnded);
    }

    /** A message without a reply may still get one, and the rate is judged at the end. */
    private LoadOutcome outcome()
    {
        final long answered = total(Counter.ANSWERED);
        final long late = total(Counter.LATE);
        return new LoadOutcome(
            answered + late, answered, late, 0, 0, total(Counter.DUPLICATES), total(Counter.OUT_OF_ORDER),
            total(Counter.CORRUPT), total(Counter.BACK_PRESSURED), total(Counter.DISCONNECTED), total(Counter.NEW_LEADERS),
            total(Counter.RECONNECTS), total(Counter.RESENT), total(Counter.REPEATED), total(Counter.GAPS),
            total(Counter.FORGOTTEN), total(Counter.BOUND_WAITS), total(Counter.WARM_UP_SKIPPED), ratePerSecondAsked, 0,
            TimeRecorder.newHistogram(), null, List.of());
    }

    private long total(final Counter counter)
    {
        return totals[counter.ordinal()];
    }

    String label()
    {
        return label;
    }

    String durability()
    {
        return circumstances.get(DURABILITY);
    }

    List<Threshold> thresholds()
    {
        return thresholds;
    }

    /**
     * The run so far, in the shape of a run that has ended.
     *
     * @return one line.
     */
    String json()
    {
        final Snapshot run = snapshot();
        final LoadMeasurement measurement = run.measurement();
        final ObjectNode manifest = JsonNodeFactory.instance.objectNode();
        manifest.set("stallNs", Documents.tree(Times.of(measurement.stalls())));
        manifest.put("ratePerSecondAsked", run.ratePerSecondAsked());
        manifest.put("ratePerSecondAchieved", Math.round(run.achievedPerSecond()));
        manifest.put("sent", run.total(Counter.SENT_ALL)).put("answered", run.total(Counter.ANSWERED_ALL));
        manifest.put("backPressured", run.total(Counter.BACK_PRESSURED));
        manifest.put("disconnected", run.total(Counter.DISCONNECTED));
        manifest.put("format", DocumentKind.RUN.format()).put("label", label);
        manifest.set("verdict", Documents.tree(new StoredVerdict(false, VERDICT, true, List.of(), List.of())));
        // A message without a reply may still get one.
        manifest.put("unanswered", 0).put("neverSent", 0);
        manifest.set("responseTimeNs", Documents.tree(Times.of(measurement.responseTimes())));
        manifest.set("serviceTimeNs", Documents.tree(Times.of(measurement.serviceTimes())));
        manifest.set("sendDelayNs", Documents.tree(Times.of(measurement.sendDelays())));
        final boolean isLatenessKnown = measurement.receiveLateness().getTotalCount() > 0;
        if (isLatenessKnown)
        {
            manifest.set("receiveLatenessNs", Documents.tree(Times.of(measurement.receiveLateness())));
        }
        circumstances.forEach(manifest::put);
        final ObjectNode configuration = manifest.putObject("configuration");
        if (run.measuredFromNs() >= 0)
        {
            // The charts begin there, although older rows are dropped.
            configuration.put("warm-up", run.measuredFromNs() + "ns");
        }
        final List<Row> shown = run.rows();
        final RunResult result = new RunResult(
            folder, manifest, List.of(), PercentileCurve.of(measurement.responseTimes()),
            PercentileCurve.of(measurement.serviceTimes()), PercentileCurve.of(measurement.sendDelays()),
            isLatenessKnown ? PercentileCurve.of(measurement.receiveLateness()) : PercentileCurve.NONE,
            shown.stream().map(Row::interval).toList(), shown.stream().map(Row::responseTimes).toList(),
            shown.stream().map(Row::sendDelays).toList(),
            isLatenessKnown ? shown.stream().map(Row::lateness).toList() : List.of(),
            shown.stream().map(Row::stalls).toList(),
            new CounterSeries(Map.of(), Map.of()), null);
        final ObjectNode root = ReportData.tree(
            new ReportContent(shown.isEmpty() ? List.of() : List.of(result), List.of(), List.of(), List.of(), List.of(),
            List.of()), folder);
        if (run.isEnded())
        {
            root.put("ended", circumstances.get("resultFolder"));
        }

        return ReportData.json(root);
    }
}
