package io.clusterecho.peers.workload;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;

import io.clusterecho.client.run.TransportNames;
import io.clusterecho.peers.Peer;
import io.clusterecho.peers.PeerNames;
import io.clusterecho.process.JavaCommand;
import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.results.ExitCode;
import io.clusterecho.reporting.results.Verdict;

import org.agrona.IoUtil;

/**
 * Runs a cell once, with new server processes and a new client process. The suite's thread calls {@link #run}; any thread may
 * call {@link #interrupt()}.
 */
final class WorkloadCellRunner
{
    private static final long START_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(90);
    private static final long CLIENT_TIMEOUT_NS = TimeUnit.HOURS.toNanos(2);
    private static final int MEMBERS_LOOKS = 6;
    private static final long MEMBERS_PAUSE_NS = TimeUnit.SECONDS.toNanos(1);
    private static final int OUT_OF_MEMORY = 3;

    private final Path folder;
    private final int firstPort;
    private final List<String> serverFlags;
    private volatile JavaProcess client;
    private volatile boolean isInterrupted;

    /** @param folder        of the suite's result. */
    WorkloadCellRunner(final Path folder, final int firstPort, final List<String> serverFlags)
    {
        this.folder = folder;
        this.firstPort = firstPort;
        this.serverFlags = serverFlags;
    }

    /** Kill the running client and start no other. */
    void interrupt()
    {
        isInterrupted = true;
        final JavaProcess running = client;
        if (null != running)
        {
            running.process().kill();
        }
    }

    CellResult run(final WorkloadCell cell, final int round)
    {
        final Path work = folder.resolve("work");
        try
        {
            return ClusterVariant.isCluster(cell.system()) ? runCluster(cell, round, work) : runPeer(cell, round, work);
        }
        catch (final IllegalStateException | UncheckedIOException ex)
        {
            return new CellResult(cell, round, Map.of(), firstLine(ex.getMessage()));
        }
        finally
        {
            IoUtil.delete(work.toFile(), true);
        }
    }

    private CellResult runPeer(final WorkloadCell cell, final int round, final Path work)
    {
        final Peer peer = PeerNames.peer("--systems", cell.system());
        final String endpoints = peer.endpointsFrom(firstPort);
        final PeerArguments both = PeerArguments.of(peer, cell);
        final ServerProcesses servers = ServerProcesses.startTied(
            cell.system(), endpoints, work, flags(serverFlags, cell.heap()), both.ofServer(),
            START_TIMEOUT_NS);
        try
        {
            final List<String> target = new ArrayList<>(List.of("--transport", cell.system(), "--endpoints", endpoints));
            target.addAll(both.ofClient());
            final CellResult measured = measure(cell, round, work, target);
            final boolean isOutOfMemory = servers.processes().stream()
                .anyMatch((server) -> OUT_OF_MEMORY == server.process().exitStatus());
            if (isOutOfMemory)
            {
                return new CellResult(cell, round, Map.of(), CellResult.SERVER_OUT_OF_MEMORY);
            }
            return ended(servers.processes()).map((end) -> new CellResult(cell, round, Map.of(), end)).orElse(measured);
        }
        finally
        {
            servers.stop();
        }
    }

    /** How the first server ended that runs no more: what its client measured shows nothing of the system. */
    static Optional<String> ended(final List<JavaProcess> servers)
    {
        return servers.stream().filter((server) -> !server.process().isAlive()).findFirst()
            .map((server) -> "a server ended: " + server.process().describeEnd());
    }

    private CellResult runCluster(final WorkloadCell cell, final int round, final Path work)
    {
        final Path jar = JavaCommand.placeOf(WorkloadCellRunner.class).resolveSibling("cluster-node.jar");
        if (!Files.isRegularFile(jar))
        {
            throw new IllegalStateException(jar + " is missing: run the suite with the peers.jar that the build puts next to it");
        }

        final ClusterVariant variant = ClusterVariant.of(cell.system());
        final String baseDir = work.resolve("cluster").toString();
        final List<String> arguments = new ArrayList<>(List.of(
            "start", "--members", "3", "--base-dir", baseDir, "--base-port", String.valueOf(firstPort)));
        arguments.addAll(variant.startArguments());
        final JavaProcess start = JavaProcess.startCommand(work, "start", JavaCommand.ofJar(jar, List.of(), arguments));
        try
        {
            if (!start.await(START_TIMEOUT_NS + START_TIMEOUT_NS) || 0 != start.process().exitStatus())
            {
                throw new IllegalStateException("the cluster did not start: " + start.err());
            }

            final List<String> target =
                new ArrayList<>(List.of("--transport", TransportNames.AERON_CLUSTER, "--base-dir", baseDir));
            target.addAll(variant.clientArguments());
            final CellResult measured = measure(cell, round, work, target);
            return (measured.isGood() ? absence(work, jar, baseDir) : Optional.<String>empty())
                .map((absence) -> new CellResult(cell, round, Map.of(), absence)).orElse(measured);
        }
        finally
        {
            JavaProcess.startCommand(work, "stop", JavaCommand.ofJar(
                jar, List.of(), List.of("stop", "--base-dir", baseDir, "--delete-data")))
                .await(START_TIMEOUT_NS);
        }
    }

    /** Which members do not run, or do not follow the leader, for longer than some seconds: what was measured may be of fewer. */
    private Optional<String> absence(final Path work, final Path jar, final String baseDir)
    {
        String state = "";
        for (int i = 0; i < MEMBERS_LOOKS && !isInterrupted; i++)
        {
            final JavaProcess status = JavaProcess.startCommand(
                work, "status", JavaCommand.ofJar(jar, List.of(), List.of("status", "--base-dir", baseDir)));
            if (status.await(START_TIMEOUT_NS) && ExitCode.GOOD == status.process().exitStatus())
            {
                return Optional.empty();
            }
            state = status.out().lines().collect(Collectors.joining("; ")) + status.err();
            LockSupport.parkNanos(MEMBERS_PAUSE_NS);
        }
        return Optional.of("not all members ran at the end: " + state);
    }

    private CellResult measure(final WorkloadCell cell, final int round, final Path work, final List<String> target)
    {
        final List<String> arguments = new ArrayList<>(cell.arguments());
        arguments.addAll(target);
        arguments.addAll(List.of("--connect-timeout", "30s", "--json"));
        if (List.of("run", "ping-pong", "max-rate").contains(arguments.get(0)))
        {
            arguments.addAll(List.of("--output", work.resolve("results").toString(), "--label", cell.system()));
        }
        client = JavaProcess.start(work, "client", flags(List.of(), cell.heap()), arguments);
        if (isInterrupted)
        {
            interrupt();
        }
        final boolean isDone = client.await(CLIENT_TIMEOUT_NS);
        final int exitCode = client.process().exitStatus();
        if (!isDone)
        {
            return new CellResult(cell, round, Map.of(), "did not exit in time");
        }
        if (OUT_OF_MEMORY == exitCode && client.out().contains("OutOfMemoryError"))
        {
            return new CellResult(cell, round, Map.of(), CellResult.CLIENT_OUT_OF_MEMORY);
        }
        if (ExitCode.GOOD != exitCode && ExitCode.RUN_FAILED != exitCode)
        {
            return new CellResult(cell, round, Map.of(), "exit status " + exitCode + ": " + firstLine(client.err()));
        }

        return read(cell, round, client.out());
    }

    /** Whether the client limited a run or a search. */
    private static boolean isClientLimited(final JsonNode root)
    {
        return Verdict.CLIENT_LIMITED.equals(root.at("/verdict/label").asText()) ||
            "client".equals(root.at("/limit/by").asText());
    }

    private CellResult read(final WorkloadCell cell, final int round, final String json)
    {
        final JsonNode root;
        try
        {
            root = Documents.parse(json);
        }
        catch (final IllegalArgumentException ex)
        {
            throw new IllegalStateException("the client did not print JSON: " + firstLine(json), ex);
        }

        final Map<Workload.Metric, Double> values = new EnumMap<>(Workload.Metric.class);
        for (final Workload.Metric metric : cell.workload().metrics())
        {
            final JsonNode value = root.at(cell.workload().pointer(metric));
            if (value.isNumber())
            {
                values.put(metric, value.asDouble());
            }
            // A percentile is missing if too few messages are beyond it.
            else if (Workload.Metric.RATE == metric || !root.at(cell.workload().pointer(Workload.Metric.MAX)).isNumber())
            {
                throw new IllegalStateException("the client's result has no " + cell.workload().pointer(metric));
            }
        }
        final boolean isGood = root.path("good").asBoolean(root.at("/verdict/good").asBoolean());
        final String outcome = isGood ? CellResult.ofGoodRun(
            Steadiness.unsteady(root), isClientLimited(root)) : reason(root);
        return new CellResult(
            cell, round, values, keep(cell, round, json).orElse(outcome), Steadiness.warmUpNs(root), warnings(root));
    }

    /**
     * The first reason other than messages that are too slow or too few, if there is one, else the first. Messages that were
     * lost with a session are not too slow: a system that keeps up with the rate should keep its sessions.
     */
    static String reason(final JsonNode root)
    {
        final List<String> reasons = new ArrayList<>();
        root.at("/verdict/reasons").forEach((reason) -> reasons.add(reason.asText()));
        final long reconnects = root.path("reconnects").asLong();
        if (reconnects > 0 && reasons.stream().noneMatch(Verdict::isRateMissed))
        {
            reasons.add("sessions were lost and replaced: " + reconnects);
        }
        return reasons.stream().filter((reason) -> !Verdict.isShortfall(reason)).findFirst()
            .or(() -> reasons.stream().findFirst())
            .orElseGet(() -> root.path("failure").asText("messages missing or wrong"));
    }

    /** Warnings of the client, without the one that makes a run {@link CellResult#CLIENT_LIMITED}. */
    static List<String> warnings(final JsonNode root)
    {
        final List<String> warnings = new ArrayList<>();
        root.at("/verdict/warnings").forEach((warning) -> warnings.add(warning.asText()));
        warnings.removeIf((warning) -> warning.startsWith(Verdict.CLIENT_LIMITED));
        return warnings;
    }

    /**
     * Write the complete result of the client, with its machine, versions and settings.
     *
     * @return why it could not be written, or empty.
     */
    private Optional<String> keep(final WorkloadCell cell, final int round, final String json)
    {
        final String name = (cell.group() + " " + cell.system() + " " + round).replaceAll("[^A-Za-z0-9.-]+", "-") + ".json";
        try
        {
            Files.createDirectories(folder.resolve("runs"));
            Files.writeString(folder.resolve("runs").resolve(name), json);
            return Optional.empty();
        }
        catch (final IOException ex)
        {
            return Optional.of("the result is incomplete: " + name + " could not be written (" + ex.getMessage() + ")");
        }
    }

    /** The size of the heap overrides that in the given flags. */
    static List<String> flags(final List<String> given, final String heap)
    {
        return Stream.concat(given.stream(), Stream.of("-Xmx" + heap, "-XX:+ExitOnOutOfMemoryError")).toList();
    }

    private static String firstLine(final String text)
    {
        final String line = null == text ? "" : text.strip().lines().findFirst().orElse("");
        return line.length() > 200 ? line.substring(0, 200) : line;
    }
}
