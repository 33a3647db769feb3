package io.clusterecho.client.series;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.clusterecho.client.calibration.Baseline;
import io.clusterecho.client.calibration.BaselineDocument;
import io.clusterecho.client.calibration.BaselineText;
import io.clusterecho.client.calibration.CopySpeed;
import io.clusterecho.client.calibration.SleepTimes;
import io.clusterecho.client.calibration.UdpRoundTrip;
import io.clusterecho.client.calibration.Calibrations;
import io.clusterecho.client.load.Delivery;
import io.clusterecho.client.load.Idle;
import io.clusterecho.client.load.LoadPlan;
import io.clusterecho.client.run.Target;
import io.clusterecho.client.transport.NotConnectedException;
import io.clusterecho.host.DiskPlace;
import io.clusterecho.host.SyncTimes;
import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.measurement.Counter;
import io.clusterecho.reporting.measurement.Time;
import io.clusterecho.reporting.report.ReportPage;
import io.clusterecho.reporting.results.DocumentKind;
import io.clusterecho.reporting.results.FileNames;
import io.clusterecho.reporting.results.ResultDocuments;
import io.clusterecho.reporting.results.ResultFolder;
import io.clusterecho.reporting.results.RunDescription;
import io.clusterecho.reporting.results.Verdict;
import io.clusterecho.settings.InvalidSettingException;

import org.HdrHistogram.Histogram;

/**
 * Measures the parts of a baseline one after the other, judges and stores them. Ctrl-C ends the current part, skips the
 * remaining ones and keeps the results. One thread calls {@link #execute()}, once.
 */
public final class BaselineSeries
{
    private static final long NS_PER_SECOND = 1_000_000_000L;
    private static final long DRAIN_TIMEOUT_NS = NS_PER_SECOND;
    private static final long LATE_AFTER_NS = 10 * NS_PER_SECOND;
    private static final int NEWEST_COUNT_MAX = 1 << 22;
    private static final String TEXT_FILE = "baseline.txt";

    private final Plan plan;
    private final Consumer<String> progress;
    private final List<String> failures = new ArrayList<>();
    private EndRequest endRequest;

    /**
     * A checked plan.
     *
     * @param idle          strategy that is measured besides spinning.
     * @param output        folder in which the result folder is created.
     */
    public record Plan(
        int lengthBytes,
        long ratePerSecond,
        Idle idle,
        DiskPlace place,
        long durationNs,
        Path output,
        String label,
        String commandLine,
        Map<String, String> configuration)
    {
    }

    /** Result of a baseline, with its text for a person. */
    public record Ended(Verdict verdict, String json, String text)
    {
    }

    /** @param progress receives a line before each part. */
    public BaselineSeries(final Plan plan, final Consumer<String> progress)
    {
        this.plan = plan;
        this.progress = progress;
    }

    /**
     * Measure, judge and store.
     *
     * @throws NotConnectedException if not even datagrams on loopback can be measured; then nothing is stored.
     */
    public Ended execute()
    {
        final Instant start = Instant.now();
        final ResultFolder folder = ResultFolder.create(plan.output(), plan.label(), start);
        endRequest = EndRequest.onSignals();

        final List<UdpRoundTrip> roundTrips = new ArrayList<>();
        try
        {
            measureRoundTrips(roundTrips, Idle.spin);
        }
        catch (final NotConnectedException ex)
        {
            folder.discard();
            throw ex;
        }
        if (!Idle.spin.strategyName().equals(plan.idle().strategyName()))
        {
            attempt("UDP, " + plan.idle().strategyName(), () ->
            {
                measureRoundTrips(roundTrips, plan.idle());
                return null;
            });
        }
        final SyncTimes sync = attempt("syncs", () -> part(
            "syncs in " + plan.place().folder(),
            () -> SyncTimes.measure(plan.place(), plan.durationNs() / 10, endRequest::isRequested)));
        final SleepTimes timer = part("sleeps", () -> SleepTimes.measure(plan.durationNs() / 20, endRequest::isRequested));
        final CopySpeed copy = part(
            "copies of memory", () -> CopySpeed.measure(plan.lengthBytes(), plan.durationNs() / 20, endRequest::isRequested));

        final RunDescription description = new RunDescription(
            plan.label(), start, plan.commandLine(), plan.configuration(), Map.of(), "none: datagrams are not stored",
            Target.NO_PLACEMENT, 0);
        final Baseline baseline = new Baseline(
            description.with(Calibrations.below(plan.output(), (text) -> progress.accept("warning: " + text)).of(description)),
            plan.lengthBytes(), plan.ratePerSecond(), roundTrips, sync, timer, copy, failures, endRequest.isRequested());
        final ResultDocuments documents = documents(folder, baseline);
        final Verdict verdict = documents.write(baseline::verdict);
        return new Ended(verdict, documents.text(DocumentKind.BASELINE.fileName()), documents.text(TEXT_FILE));
    }

    private void measureRoundTrips(final List<UdpRoundTrip> roundTrips, final Idle waiting)
    {
        final long count = Math.round(plan.durationNs() * 0.3 / 1e9 * plan.ratePerSecond());
        final LoadPlan load = new LoadPlan(
            plan.ratePerSecond(), plan.lengthBytes(), count / 4, count - count / 4, 1, DRAIN_TIMEOUT_NS, LATE_AFTER_NS,
            (int)Math.max(1024, Math.min(NEWEST_COUNT_MAX, count)), Delivery.AT_MOST_ONCE);
        final UdpRoundTrip roundTrip = part(
            "UDP round trips, " + waiting.strategyName(),
            () -> UdpRoundTrip.measure(load, waiting, (run) -> endRequest.ends(run::requestEnd)));
        endRequest.ends(null);
        if (null != roundTrip && roundTrip.measurement().outcome().of(Counter.SCHEDULED) > 0)
        {
            roundTrips.add(roundTrip);
        }
    }

    /** Measure a part, or return null after a request for the end. */
    private <T> T part(final String name, final Supplier<T> measure)
    {
        if (endRequest.isRequested())
        {
            return null;
        }
        progress.accept("measuring " + name);
        return measure.get();
    }

    /** Measure a part that the others do not depend on, or return null if it fails. */
    private <T> T attempt(final String name, final Supplier<T> measure)
    {
        try
        {
            return measure.get();
        }
        catch (final NotConnectedException | InvalidSettingException ex)
        {
            failures.add(name + " could not be measured: " + ex.getMessage());
            return null;
        }
    }

    /** The documents of a baseline, not written yet. */
    public static ResultDocuments documents(final ResultFolder folder, final Baseline baseline)
    {
        final String path = folder.path().toString();
        final ResultDocuments documents = new ResultDocuments(folder);
        for (final UdpRoundTrip one : baseline.roundTrips())
        {
            addTimes(documents, folder, "udp-" + one.idle() + "-response-time.hgrm", one.measurement().times().of(Time.RESPONSE));
            addTimes(documents, folder, "udp-" + one.idle() + "-service-time.hgrm", one.measurement().times().of(Time.SERVICE));
        }
        if (null != baseline.sync())
        {
            addTimes(documents, folder, "sync-data.hgrm", baseline.sync().data());
            addTimes(documents, folder, "sync-all.hgrm", baseline.sync().all());
        }
        if (null != baseline.timer())
        {
            addTimes(documents, folder, "sleep-overshoot.hgrm", baseline.timer().overshoot());
            addTimes(documents, folder, "shortest-sleep.hgrm", baseline.timer().shortest());
        }
        documents.add(
            DocumentKind.BASELINE.fileName(), (verdict) -> Documents.text(BaselineDocument.of(baseline, verdict, path)));
        documents.add(TEXT_FILE, (verdict) ->
            BaselineText.text(baseline, verdict, path + ", with charts in " + FileNames.PAGE));
        documents.addPage(
            FileNames.PAGE,
            () -> ReportPage.write(folder.path().resolve(FileNames.PAGE), List.of(folder.path())));
        return documents;
    }

    private static void addTimes(
        final ResultDocuments documents, final ResultFolder folder, final String name, final Histogram times)
    {
        documents.addFile(name, () -> folder.writePercentiles(name, times));
    }
}
