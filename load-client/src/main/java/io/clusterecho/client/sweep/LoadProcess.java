package io.clusterecho.client.sweep;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import com.fasterxml.jackson.databind.JsonNode;

import io.clusterecho.client.load.WarmUpTime;
import io.clusterecho.client.run.RunConfig;
import io.clusterecho.client.run.ThreadConfig;
import io.clusterecho.client.run.TransportNames;
import io.clusterecho.client.series.RunSeries;
import io.clusterecho.client.transport.TransportKind;
import io.clusterecho.client.transport.TransportProvider;
import io.clusterecho.process.ChildProcess;
import io.clusterecho.process.Launch;
import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.document.StoredVerdict;
import io.clusterecho.reporting.results.ExitCode;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Io;

/**
 * A load that is not at a rate, by a client in a process of its own: its machine code and its heap are those of one system. The
 * thread of the sweep calls it.
 *
 * @param given  options of the sweep, of which it has the sessions, the idle strategy and the core.
 * @param target of the client, options of its command.
 * @param folder of the run.
 */
record LoadProcess(SweepPlan plan, Cell cell, RunConfig given, WarmUpTime warmUp, List<String> target, Path folder)
{
    private static final String RESULT = "load.json";
    private static final String IN_FLIGHT_KEY = "peer.in.flight";
    private static final String OUT_OF_MEMORY = "OutOfMemoryError";
    private static final long TIMEOUT_NS = TimeUnit.HOURS.toNanos(2);
    /** More than any system makes until the limit on time, so that all are measured for the same time. */
    private static final long MOST_MESSAGES = 100_000_000;
    private static final long SHORT_WARM_UP_COUNT = 3_000;

    /** Flags of a JVM with a heap of this size, which ends when that is full: without one thread it would measure nothing. */
    static List<String> flags(final String heap)
    {
        final String end = "-XX:+ExitOnOutOfMemoryError";
        return Dimension.AUTO.equals(heap) ? List.of(end) : List.of(end, "-Xmx" + heap);
    }

    /** @return null if a signal came. */
    SweepRun measure(final int repeat, final RunSeries runs, final String folderName)
    {
        final StringBuffer out = new StringBuffer();
        final List<String> command = TransportProvider.all().stream().findFirst().orElseThrow(() -> new InvalidSettingException(
            Dimension.LOAD.key(), cell.value(Dimension.LOAD), "rate, or with bin/peers another one"))
            .program(flags(cell.value(Dimension.HEAP)), arguments());
        final Optional<String> failure;
        try (ChildProcess client = new Launch("the client", command).output((line) -> out.append(line).append('\n'))
            .errors((line) -> { }).tied().start())
        {
            runs.endRequest().waitFor(() ->
            {
                client.awaitEnd(TIMEOUT_NS);
            });
            failure = failure(client, out);
            client.kill();
        }
        return runs.endRequest().isRequested() ? null : failure.map((reason) -> SweepRun.failed(cell, repeat, reason))
            .orElseGet(() -> stored(repeat, out.toString(), folderName));
    }

    private static Optional<String> failure(final ChildProcess client, final StringBuffer out)
    {
        if (client.isAlive())
        {
            return Optional.of("the client did not exit in time");
        }

        // Waits for the last of its output.
        final String end = client.describeEnd();
        return List.of(ExitCode.GOOD, ExitCode.RUN_FAILED).contains(client.exitStatus()) ? Optional.empty() :
            Optional.of(out.indexOf(OUT_OF_MEMORY) >= 0 ? "client out of memory" : end);
    }

    List<String> arguments()
    {
        final String load = cell.value(Dimension.LOAD);
        final String size = cell.value(Dimension.SIZE);
        final String duration = plan.durationNs() + "ns";
        final RunConfig run = given.with(cell.options());
        final int connections = Cell.PING_PONG.equals(load) ? run.load().sessionCount() : 1;
        final int inFlight = cell.count(Dimension.IN_FLIGHT) * connections;
        final List<String> arguments = new ArrayList<>(List.of(load.split(":")[0]));
        arguments.addAll(switch (load)
        {
            case Cell.PING_PONG -> List.of(
                "--size", size, "--concurrency", String.valueOf(inFlight), "--connections", String.valueOf(connections),
                "--count", String.valueOf(MOST_MESSAGES), "--time-limit", duration, "--output", folder.toString(),
                ThreadConfig.CORE, given.threads().core());
            case TransportKind.CALLS ->
                List.of("--size", size, "--concurrency", String.valueOf(inFlight), "--duration", duration);
            case TransportKind.ONE_WAY -> List.of("--size", size, "--duration", duration);
            // Prices end by their number.
            default -> List.of("--count", load.substring(Cell.PRICES.length()));
        });
        arguments.addAll(Cell.PING_PONG.equals(load) && !warmUp.isAuto() ?
            List.of("--warm-up-count", String.valueOf(SHORT_WARM_UP_COUNT * Math.min(inFlight, 32))) :
            List.of("--warm-up", warmUp.toString()));
        arguments.addAll(List.of("--connect-timeout", "30s", "--idle", run.threads().idle().name(), "--json"));
        arguments.addAll(target);
        final TransportKind kind = TransportNames.kind(cell.value(Dimension.TRANSPORT));
        if (null != kind && PeerSystem.has(kind, IN_FLIGHT_KEY) && !Dimension.AUTO.equals(cell.value(Dimension.IN_FLIGHT)))
        {
            arguments.addAll(List.of("--transport-set", IN_FLIGHT_KEY + "=" + cell.count(Dimension.IN_FLIGHT)));
        }
        return arguments;
    }

    /** Keep what the client printed, with its machine, versions and settings, and read it. */
    private SweepRun stored(final int repeat, final String json, final String folderName)
    {
        Io.run(
            "cannot write " + folder.resolve(RESULT),
            () -> Files.writeString(Files.createDirectories(folder).resolve(RESULT), json));
        try
        {
            final JsonNode load = Documents.parse(json);
            return SweepRun.ofLoad(cell, repeat, load, verdict(load), folderName);
        }
        catch (final IllegalArgumentException ex)
        {
            return SweepRun.failed(cell, repeat, "the client printed no result: " + ex.getMessage());
        }
    }

    /** A load whose warm-up was not steady in time is not good: the values of its window are those of a mixture. */
    private static StoredVerdict verdict(final JsonNode load)
    {
        final boolean isGood = load.path("good").asBoolean();
        final StoredVerdict given = load.has("verdict") ? Documents.bind(load.get("verdict"), StoredVerdict.class) :
            new StoredVerdict(
            isGood, isGood ? "GOOD" : "FAILED", false, isGood ? List.of() : List.of("messages missing or wrong"), List.of());
        final String unsteady = load.at("/warmUp/unsteady").asText("");
        return unsteady.isEmpty() || !given.good() ? given :
            new StoredVerdict(false, "FAILED", false, List.of("not steady: " + unsteady), given.warnings());
    }
}
