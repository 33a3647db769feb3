package io.clusterecho.reporting.report;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.document.StoredVerdict;
import io.clusterecho.reporting.measurement.Counter;
import io.clusterecho.reporting.measurement.Counts;
import io.clusterecho.reporting.measurement.Histograms;
import io.clusterecho.reporting.measurement.IntervalListener;
import io.clusterecho.reporting.measurement.LoadMeasurement;
import io.clusterecho.reporting.measurement.LoadOutcome;
import io.clusterecho.reporting.measurement.RunInterval;
import io.clusterecho.reporting.measurement.RunPhase;
import io.clusterecho.reporting.measurement.Time;
import io.clusterecho.reporting.measurement.TimeRecorder;
import io.clusterecho.reporting.results.DocumentKind;
import io.clusterecho.reporting.results.Threshold;
import io.clusterecho.reporting.results.Times;

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
    private final Deque<Row> rows = new ArrayDeque<>();
    private final Histograms times = new Histograms();
    private final Path folder;
    private final String label;
    private final List<Threshold> thresholds;
    private Counts totals = new Counts();
    private final Histogram newestTimes = TimeRecorder.newHistogram();
    private long ratePerSecondAsked;
    private double achievedPerSecond;
    private boolean isComplete;
    /** Begin of the first measured interval, or -1 before it. */
    private long measuredFromNs = -1;
    private long version;
    private boolean isEnded;

    /** One row of the charts. */
    record Row(Interval interval, Map<Time, Distribution> distributions)
    {
    }

    /**
     * The run up to an interval: copies, which no other thread changes.
     *
     * @param rows               of the newest intervals, the oldest first.
     * @param achievedPerSecond  first replies per second in the newest interval.
     * @param measurement        of the messages answered so far; its outcome has no others, and the target rate.
     * @param newestTimes        response times of the newest interval.
     * @param measuredFromNs     begin of the measured window since the start, or -1.
     * @param isEnded            whether the result is complete, too.
     */
    record Snapshot(
        List<Row> rows, Counts totals, long ratePerSecondAsked, double achievedPerSecond, LoadMeasurement measurement,
        Histogram newestTimes, long measuredFromNs, boolean isComplete, boolean isEnded)
    {
    }

    /** A run before its first interval, with the conditions that its result must meet. */
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
        final Row row = new Row(
            new Interval(
                interval.beginNs() / 1e9, interval.endNs() / 1e9, 1, interval.phase().label(),
                interval.leaderMemberId() < 0 ? "" : String.valueOf(interval.leaderMemberId()),
                interval.counts().of(Counter.SENT_ALL), interval.counts().of(Counter.ANSWERED_ALL), interval.inFlight(),
                interval.counts().of(Counter.BACK_PRESSURED), interval.counts().of(Counter.DISCONNECTED),
                interval.ratePerSecondAsked()),
            RunResult.CHARTED.stream().collect(
            Collectors.toMap(Function.identity(), (time) -> Distribution.of(interval.times().of(time)))));
        synchronized (this)
        {
            rows.addLast(row);
            if (rows.size() > MAX_INTERVAL_COUNT)
            {
                rows.removeFirst();
            }
            interval.addTo(times);
            if (measuredFromNs < 0 && RunPhase.WARM_UP != interval.phase())
            {
                measuredFromNs = interval.beginNs();
            }
            newestTimes.reset();
            newestTimes.add(interval.times().of(Time.RESPONSE));
            ratePerSecondAsked = interval.ratePerSecondAsked();
            achievedPerSecond = row.interval().answered() / Math.max(1e-9, row.interval().lengthS());
            isComplete = interval.isLast();
            totals = interval.totals();
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

    synchronized Snapshot snapshot()
    {
        return new Snapshot(
            List.copyOf(rows), totals, ratePerSecondAsked, achievedPerSecond,
            new LoadMeasurement(outcome(), new Histograms().add(times)), newestTimes.copy(), measuredFromNs, isComplete,
            isEnded);
    }

    /** A message without a reply may still get one, and the rate is judged at the end. */
    private LoadOutcome outcome()
    {
        final Counts counts = totals.copy();
        counts.set(Counter.SCHEDULED, counts.of(Counter.ANSWERED) + counts.of(Counter.LATE));
        return new LoadOutcome(counts, ratePerSecondAsked, 0, TimeRecorder.newHistogram(), null, List.of());
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

    /** The run so far as one line, in the shape of a run that has ended. */
    String json()
    {
        final Snapshot run = snapshot();
        final LoadMeasurement measurement = run.measurement();
        final List<Time> known = Stream.of(Time.values()).filter((time) -> Time.CLIENT_PART != time &&
            (Time.RECEIVE_LATENESS != time || measurement.times().of(time).getTotalCount() > 0)).toList();
        final ObjectNode manifest = JsonNodeFactory.instance.objectNode();
        known.forEach((time) -> manifest.set(time.field(), Documents.tree(Times.of(measurement.times().of(time)))));
        manifest.put("ratePerSecondAsked", run.ratePerSecondAsked());
        manifest.put("ratePerSecondAchieved", Math.round(run.achievedPerSecond()));
        manifest.put("sent", run.totals().of(Counter.SENT_ALL)).put("answered", run.totals().of(Counter.ANSWERED_ALL));
        manifest.put("backPressured", run.totals().of(Counter.BACK_PRESSURED));
        manifest.put("disconnected", run.totals().of(Counter.DISCONNECTED));
        manifest.put("format", DocumentKind.RUN.format()).put("label", label);
        manifest.set("verdict", Documents.tree(new StoredVerdict(false, VERDICT, true, List.of(), List.of())));
        // A message without a reply may still get one.
        manifest.put("unanswered", 0).put("neverSent", 0);
        circumstances.forEach(manifest::put);
        final ObjectNode configuration = manifest.putObject("configuration");
        if (run.measuredFromNs() >= 0)
        {
            // The charts begin there, although older rows are dropped.
            configuration.put("warm-up", run.measuredFromNs() + "ns");
        }
        final List<Row> shown = run.rows();
        final RunResult result = new RunResult(
            folder, manifest, List.of(),
            each(Time.OF_MESSAGES, known, (time) -> PercentileCurve.of(measurement.times().of(time))),
            shown.stream().map(Row::interval).toList(),
            each(RunResult.CHARTED, known, (time) -> shown.stream().map((row) -> row.distributions().get(time)).toList()),
            CounterSeries.NONE, null);
        final ObjectNode root = ReportData.tree(
            new ReportContent(shown.isEmpty() ? List.of() : List.of(result), List.of(), Map.of()), folder);
        if (run.isEnded())
        {
            root.put("ended", circumstances.get("resultFolder"));
        }

        return ReportData.json(root);
    }

    private static <T> Map<Time, T> each(final List<Time> times, final List<Time> known, final Function<Time, T> value)
    {
        return times.stream().filter(known::contains).collect(Collectors.toMap(Function.identity(), value));
    }
}
