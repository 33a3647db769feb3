package io.clusterecho.client.series;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import io.clusterecho.client.load.LoadPlan;
import io.clusterecho.client.run.EndRequest;
import io.clusterecho.client.run.RunConfig;
import io.clusterecho.reporting.measurement.Counter;
import io.clusterecho.reporting.measurement.Counts;
import io.clusterecho.reporting.measurement.Histograms;
import io.clusterecho.reporting.measurement.IntervalListener;
import io.clusterecho.reporting.measurement.LoadMeasurement;
import io.clusterecho.reporting.measurement.LoadOutcome;
import io.clusterecho.reporting.measurement.Time;
import io.clusterecho.reporting.measurement.TimeRecorder;
import io.clusterecho.reporting.results.ResultDocuments;
import io.clusterecho.reporting.results.ResultFolder;
import io.clusterecho.reporting.results.RunDescription;
import io.clusterecho.reporting.results.RunEvidence;

import org.HdrHistogram.Histogram;

/** Runs that end at once with a scripted outcome, judged and stored like any run; time does not pass. */
public final class FakeRuns extends RunSeries
{
    private static final long MS = 1_000_000L;
    private static final long COUNT = 1_000;

    private final List<Long> rates = new ArrayList<>();
    private final List<Long> pauses = new ArrayList<>();
    private final Function<RunConfig, Result> script;

    /**
     * Outcome of a run.
     *
     * @param lost      of its 1,000 messages.
     * @param isPartial whether it ended before its schedule.
     * @param losses    failures during the run.
     */
    public record Result(long lost, boolean isPartial, List<String> losses)
    {
        public static final Result GOOD = new Result(0, false, List.of());
        public static final Result BROKEN = new Result(5, false, List.of());
        public static final Result PARTIAL = new Result(0, true, List.of());
    }

    /** @param script called for each run; what it throws is what the run throws, and its folder is deleted. */
    public FakeRuns(final Function<RunConfig, Result> script)
    {
        super(EndRequest.byHand(Thread.currentThread()), false);
        this.script = script;
    }

    /** Acts like a signal. */
    public void interrupt()
    {
        endRequest().request();
    }

    /** Rates of the runs, in order. */
    public List<Long> rates()
    {
        return rates;
    }

    /** In ns. */
    public List<Long> pauses()
    {
        return pauses;
    }

    @Override
    public StoredRun measure(
        final RunConfig given,
        final long durationNs,
        final ResultFolder folder,
        final Instant start,
        final boolean isPaged,
        final List<? extends IntervalListener> watchers)
    {
        rates.add(given.load().ratePerSecond());
        final Result result;
        try
        {
            result = script.apply(given);
        }
        catch (final RuntimeException ex)
        {
            folder.discard();
            throw ex;
        }

        final LoadPlan plan = given.load().plan(durationNs);
        final LoadMeasurement measurement = measurement(result.lost(), plan.ratePerSecond());
        final RunDescription description = new RunDescription(
            given.label(), start, given.commandLine(), given.options(), given.options(), "none", "none emulated", 0);
        return StoredRun.write(
            folder, new ResultDocuments(folder), description,
            new RunEvidence(
                measurement, plan.ratePerSecond(), given.thresholds(), result.isPartial(), result.losses(), List.of(),
                null, null),
            List.of(), given.calibrations(), isPaged);
    }

    @Override
    public void pause(final long timeNs)
    {
        pauses.add(timeNs);
    }

    /**
     * Outcome of 1,000 messages.
     *
     * @param lost          number of messages.
     * @param ratePerSecond target and achieved rate.
     */
    public static LoadMeasurement measurement(final long lost, final long ratePerSecond)
    {
        final LoadOutcome outcome = new LoadOutcome(
            new Counts().set(Counter.SCHEDULED, COUNT).set(Counter.ANSWERED, COUNT - lost).set(Counter.UNANSWERED, lost),
            ratePerSecond, 0, TimeRecorder.newHistogram(), null, List.of(), List.of(), null);
        final Histogram times = TimeRecorder.newHistogram();
        times.recordValueWithCount(MS, COUNT);
        return new LoadMeasurement(outcome, new Histograms(Map.of(
            Time.RESPONSE, times, Time.SERVICE, times, Time.SEND_DELAY, times, Time.STALL, times)));
    }
}
