package io.clusterecho.client.series;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import io.clusterecho.client.calibration.CalibratedEcho;
import io.clusterecho.client.calibration.Calibration;
import io.clusterecho.client.calibration.CalibrationDocument;
import io.clusterecho.client.calibration.CalibrationText;
import io.clusterecho.client.calibration.ClockCost;
import io.clusterecho.client.calibration.KnownEcho;
import io.clusterecho.client.load.Idle;
import io.clusterecho.client.run.Ceiling;
import io.clusterecho.client.schedule.Messages;
import io.clusterecho.client.run.Target;
import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.measurement.Time;
import io.clusterecho.reporting.measurement.TimeRecorder;
import io.clusterecho.reporting.results.DocumentKind;
import io.clusterecho.reporting.results.ResultDocuments;
import io.clusterecho.reporting.results.ResultFolder;
import io.clusterecho.reporting.results.RunDescription;
import io.clusterecho.reporting.results.Verdict;
import io.clusterecho.settings.Quantity;

/**
 * Measures the load client against echoes of known truth, one after the other, judges and stores the result. Ctrl-C ends the
 * current echo, which is dropped, skips the remaining ones and keeps the others. One thread calls {@link #execute()}, once.
 */
public final class CalibrationSeries
{
    private static final String TEXT_FILE = "calibration.txt";
    /** Share of the duration for the clock, and for the ceiling. */
    private static final double SHARE = 0.05;

    private final Plan plan;
    private final Consumer<String> progress;
    private EndRequest endRequest;

    /**
     * A checked plan.
     *
     * @param ratesPerSecond one after the other.
     * @param output         folder in which the result folder is created.
     */
    public record Plan(
        int lengthBytes,
        List<Long> ratesPerSecond,
        Idle idle,
        long delayNs,
        long durationNs,
        Path output,
        String label,
        String commandLine,
        Map<String, String> configuration)
    {
        /** Length of each echo's measurement, in ns: two for each rate. */
        public long echoNs()
        {
            return Math.round(durationNs * (1 - 2 * SHARE) / (2 * ratesPerSecond.size()));
        }
    }

    /** Result of a calibration, with its text for a person. */
    public record Ended(Verdict verdict, String json, String text)
    {
    }

    /** @param progress receives a line before each part. */
    public CalibrationSeries(final Plan plan, final Consumer<String> progress)
    {
        this.plan = plan;
        this.progress = progress;
    }

    /** Measure, judge and store. */
    public Ended execute()
    {
        final Instant start = Instant.now();
        final ResultFolder folder = ResultFolder.create(plan.output(), plan.label(), start);
        endRequest = EndRequest.onSignals();

        progress.accept("measuring the clock");
        final ClockCost clock = ClockCost.measure(Math.round(plan.durationNs() * SHARE));
        long ceilingPerSecond = 0;
        if (!endRequest.isRequested())
        {
            progress.accept("measuring the ceiling");
            ceilingPerSecond = Ceiling.messagesPerSecond(
                Messages.ofLength(plan.lengthBytes(), 1), Math.round(plan.durationNs() * SHARE));
        }
        final List<CalibratedEcho> echoes = new ArrayList<>();
        for (final long ratePerSecond : plan.ratesPerSecond())
        {
            for (final boolean isStalled : new boolean[]{ false, true })
            {
                measure(
                    KnownEcho.of(ratePerSecond, plan.lengthBytes(), plan.echoNs(), plan.delayNs(), isStalled), echoes);
            }
        }

        final Calibration calibration = new Calibration(
            new RunDescription(
                plan.label(), start, plan.commandLine(), plan.configuration(), Map.of(), "none: an echo in this process",
                Target.NO_PLACEMENT, ceilingPerSecond),
            plan.lengthBytes(), plan.idle().strategyName(), TimeRecorder.newHistogram().getNumberOfSignificantValueDigits(),
            clock, echoes, endRequest.isRequested());
        final ResultDocuments documents = documents(folder, calibration);
        final Verdict verdict = documents.write(calibration::verdict);
        return new Ended(verdict, documents.text(DocumentKind.CALIBRATION.fileName()), documents.text(TEXT_FILE));
    }

    /** The documents of a calibration, not written yet. */
    public static ResultDocuments documents(final ResultFolder folder, final Calibration calibration)
    {
        final String path = folder.path().toString();
        final ResultDocuments documents = new ResultDocuments(folder);
        for (final CalibratedEcho one : calibration.echoes())
        {
            final String name = "response-time-" + one.echo().ratePerSecond() +
                (one.echo().stallNs() > 0 ? "-stall.hgrm" : ".hgrm");
            documents.addFile(name, () -> folder.writePercentiles(name, one.measurement().times().of(Time.RESPONSE)));
        }
        documents.add(
            DocumentKind.CALIBRATION.fileName(),
            (verdict) -> Documents.text(CalibrationDocument.of(calibration, verdict, path)));
        documents.add(TEXT_FILE, (verdict) -> CalibrationText.text(calibration, verdict, path));
        return documents;
    }

    private void measure(final KnownEcho echo, final List<CalibratedEcho> echoes)
    {
        if (endRequest.isRequested())
        {
            return;
        }
        progress.accept(
            "measuring an echo of " + Quantity.formatNs(echo.delayNs()) +
            (echo.stallNs() > 0 ? " with a stall of " + Quantity.formatNs(echo.stallNs()) : "") + " at " +
            echo.ratePerSecond() + "/s");
        final CalibratedEcho measured = CalibratedEcho.measure(echo, plan.idle(), (run) -> endRequest.ends(run::requestEnd));
        endRequest.ends(null);
        // The truth is that of all messages.
        if (!endRequest.isRequested())
        {
            echoes.add(measured);
        }
    }
}
