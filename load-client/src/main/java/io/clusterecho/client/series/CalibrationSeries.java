package io.clusterecho.client.series;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

import com.fasterxml.jackson.databind.JsonNode;

import io.clusterecho.client.calibration.Baseline;
import io.clusterecho.client.calibration.CalibratedEcho;
import io.clusterecho.client.calibration.Calibration;
import io.clusterecho.client.calibration.Calibrations;
import io.clusterecho.client.calibration.KnownEcho;
import io.clusterecho.client.calibration.UdpRoundTrip;
import io.clusterecho.client.load.Idle;
import io.clusterecho.client.run.DeclaredOption.LoadOption;
import io.clusterecho.client.run.EndRequest;
import io.clusterecho.client.run.Target;
import io.clusterecho.client.transport.NotConnectedException;
import io.clusterecho.host.DiskPlace;
import io.clusterecho.host.SyncTimes;
import io.clusterecho.reporting.report.DocumentedResult;
import io.clusterecho.reporting.report.DocumentedResult.Ended;
import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.document.StoredVerdict;
import io.clusterecho.reporting.measurement.TimeRecorder;
import io.clusterecho.reporting.results.ResultFolder;
import io.clusterecho.reporting.results.RunDescription;
import io.clusterecho.reporting.results.Verdict;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Quantity;

/**
 * Measures the load client against echoes of known truth and the machine without a cluster, judges both and stores them in one
 * folder. Ctrl-C ends the current measurement, skips the remaining ones and keeps the results; an echo that was cut short is
 * dropped. One thread calls {@link #execute()}, once.
 */
public final class CalibrationSeries
{
    private final Instant start = Instant.now();
    private final Plan plan;
    private final Consumer<String> progress;
    private EndRequest endRequest;

    /** What can be calibrated. */
    public enum Part
    {
        /** The load client, against echoes of known truth. */
        client,
        /** The machine, without a cluster. */
        machine
    }

    /** A checked plan; both parts are measured unless one is given. */
    public record Plan(
        @LoadOption(names = "--only", label = "PART",
            text = "Part to measure: ${COMPLETION-CANDIDATES}. Default: both.")
        Part only,
        @LoadOption(names = { "--size", "-s" }, label = "BYTES", byDefault = "288", kind = LoadOption.Kind.SIZE,
            text = "Length of a message, 32 to 2048, or 65507 of the machine alone. Default: ${DEFAULT-VALUE}.")
        long lengthBytes,
        @LoadOption(names = "--rates", label = "N,N", isSplit = true, byDefault = "1k,10k,100k",
            kind = LoadOption.Kind.PER_SECOND,
            text = "Messages per second of the client, one measurement after the other. Default: ${DEFAULT-VALUE}.")
        List<Long> ratesPerSecond,
        @LoadOption(names = { "--rate", "-r" }, label = "N", byDefault = "10k", kind = LoadOption.Kind.PER_SECOND,
            text = "Datagrams per second, such as 1.5k or 1M. Default: ${DEFAULT-VALUE}.")
        long ratePerSecond,
        @LoadOption(names = "--idle", label = "STRATEGY", byDefault = "auto",
            text = "Idle strategy of the client's thread, and of both threads that exchange datagrams, which are measured " +
            "spinning too: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}, that of a run.")
        Idle idle,
        @LoadOption(names = "--delay", label = "TIME", byDefault = "100us", kind = LoadOption.Kind.TIME,
            text = "Delay of the echo in memory. Default: ${DEFAULT-VALUE}.")
        long delayNs,
        @LoadOption(names = { "--dir", "--base-dir" }, label = "DIR", byDefault = "cluster-data",
            text = "Folder of the members' logs, whose disk is measured; if it does not exist, the nearest existing parent. " +
            "Default: ${DEFAULT-VALUE}.")
        Path dir,
        @LoadOption(names = { "--duration", "-d" }, label = "TIME", byDefault = "20s", kind = LoadOption.Kind.TIME,
            text = "Length of each part, at least 1s. Client: two echoes at each rate, without and with a stall. Machine: " +
            "30%% for datagrams with each idle strategy, 10%% for each kind of sync. A quarter of each load is warm-up. " +
            "Default: ${DEFAULT-VALUE}.")
        long durationNs,
        @LoadOption(names = "--label", label = "TEXT", byDefault = "calibration", kind = LoadOption.Kind.TITLE,
            text = "Name of the result. Default: ${DEFAULT-VALUE}.")
        String label,
        @LoadOption(names = { "--output", "-o" }, label = "DIR", byDefault = "results", kind = LoadOption.Kind.FOLDER,
            text = "Folder for result folders. Default: ${DEFAULT-VALUE}.")
        Path output,
        String commandLine,
        Map<String, String> configuration)
    {
        public boolean has(final Part part)
        {
            return null == only || only == part;
        }

        int length()
        {
            return (int)lengthBytes;
        }

        /** The disk of the members' logs. */
        public DiskPlace place()
        {
            return DiskPlace.of("--dir", dir);
        }

        /** Length of the measurement of an echo, in ns: two for each rate. */
        public long echoNs()
        {
            return durationNs / (2 * ratesPerSecond.stream().distinct().count());
        }
    }

    /** Both parts, as they are printed. */
    record Both(String label, StoredVerdict verdict, JsonNode client, JsonNode machine)
    {
    }

    /** @param progress receives a line before each measurement. */
    public CalibrationSeries(final Plan plan, final Consumer<String> progress)
    {
        this.plan = plan;
        this.progress = progress;
    }

    /**
     * Measure, judge and store. What was measured of the client is stored whatever becomes of the machine.
     *
     * @throws NotConnectedException   if datagrams on loopback cannot be measured.
     * @throws InvalidSettingException if the folder of the syncs cannot be written.
     */
    public Ended execute()
    {
        final ResultFolder folder = ResultFolder.create(plan.output(), plan.label(), start);
        endRequest = EndRequest.onSignals(() -> { });
        final List<Ended> parts = new ArrayList<>();
        if (plan.has(Part.client))
        {
            parts.add(client().write(folder, true));
        }
        if (plan.has(Part.machine))
        {
            try
            {
                parts.add(machine().write(folder, true));
            }
            catch (final NotConnectedException | InvalidSettingException ex)
            {
                if (parts.isEmpty())
                {
                    folder.discard();
                }
                throw ex;
            }
        }

        return 1 == parts.size() ? parts.get(0) : both(parts.get(0), parts.get(1));
    }

    private DocumentedResult client()
    {
        final List<CalibratedEcho> echoes = new ArrayList<>();
        for (final long ratePerSecond : plan.ratesPerSecond().stream().distinct().toList())
        {
            for (final boolean isStalled : new boolean[]{ false, true })
            {
                final KnownEcho echo =
                    KnownEcho.of(ratePerSecond, plan.length(), plan.echoNs(), plan.delayNs(), isStalled);
                final CalibratedEcho measured = measured(
                    "an echo of " + Quantity.formatNs(echo.delayNs()) +
                    (echo.stallNs() > 0 ? " with a stall of " + Quantity.formatNs(echo.stallNs()) : "") + " at " +
                    echo.ratePerSecond() + "/s",
                    () -> CalibratedEcho.measure(echo, plan.idle(), (run) -> endRequest.ends(run::requestEnd)));
                // The truth is that of all messages.
                if (!endRequest.isRequested())
                {
                    echoes.add(measured);
                }
            }
        }

        return Calibration.result(
            description("none: an echo in this process"), plan.length(), plan.idle().strategyName(),
            TimeRecorder.newHistogram().getNumberOfSignificantValueDigits(), echoes, endRequest.isRequested());
    }

    private DocumentedResult machine()
    {
        // First, since a folder that cannot be written ends the command.
        final SyncTimes sync = measured(
            "syncs in " + plan.place().folder(),
            () -> SyncTimes.measure(plan.place(), plan.durationNs() / 10, endRequest::isRequested));
        final List<UdpRoundTrip> roundTrips = new ArrayList<>();
        measureRoundTrips(roundTrips, Idle.spin);
        if (!Idle.spin.strategyName().equals(plan.idle().strategyName()))
        {
            measureRoundTrips(roundTrips, plan.idle());
        }

        final RunDescription description = description("none: datagrams are not stored");
        return Baseline.result(
            description.with(Calibrations.below(plan.output(), (text) -> progress.accept("warning: " + text))
            .note(description, false)),
            plan.length(), plan.ratePerSecond(), roundTrips, sync, endRequest.isRequested());
    }

    private void measureRoundTrips(final List<UdpRoundTrip> roundTrips, final Idle waiting)
    {
        final long count = Math.round(plan.durationNs() * 0.3 / 1e9 * plan.ratePerSecond());
        final UdpRoundTrip roundTrip = measured(
            "UDP round trips, " + waiting.strategyName(), () -> UdpRoundTrip.measure(
            plan.ratePerSecond(), plan.length(), count, waiting, (run) -> endRequest.ends(run::requestEnd)));
        if (null != roundTrip && roundTrip.accounts().scheduled() > 0)
        {
            roundTrips.add(roundTrip);
        }
    }

    private RunDescription description(final String durability)
    {
        return new RunDescription(
            plan.label(), start, plan.commandLine(), plan.configuration(), Map.of(), durability, Target.NO_PLACEMENT, 0);
    }

    /** Measure something, or return null after a request for the end. */
    private <T> T measured(final String name, final Supplier<T> measure)
    {
        if (endRequest.isRequested())
        {
            return null;
        }
        progress.accept("measuring " + name);
        try
        {
            return measure.get();
        }
        finally
        {
            endRequest.ends(null);
        }
    }

    private Ended both(final Ended client, final Ended machine)
    {
        final List<Verdict> verdicts = List.of(client.verdict(), machine.verdict());
        final Verdict verdict = new Verdict(
            verdicts.stream().flatMap((one) -> one.reasons().stream()).toList(),
            verdicts.stream().flatMap((one) -> one.warnings().stream()).toList(),
            verdicts.stream().map(Verdict::partial).filter((text) -> !text.isEmpty()).findFirst().orElse(""));
        final Both document = new Both(
            plan.label(), StoredVerdict.of(verdict), Documents.parse(client.json()), Documents.parse(machine.json()));
        return new Ended(verdict, Documents.text(document), client.text() + "\n" + machine.text(), List.of());
    }
}
