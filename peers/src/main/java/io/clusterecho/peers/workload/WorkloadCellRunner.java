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
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;

import io.clusterecho.client.run.TransportNames;
import io.clusterecho.client.series.TestCluster;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.control.member.Deadline;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.peers.Peer;
import io.clusterecho.peers.PeerNames;
import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.results.ExitCode;
import io.clusterecho.reporting.results.Verdict;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Settings;

import org.agrona.IoUtil;

/**
 * Runs a cell once, with new server processes and a new client process. The suite's thread calls {@link #run}; any thread may
 * call {@link #interrupt()}.
 */
final class WorkloadCellRunner
{
    private static final long CLIENT_TIMEOUT_NS = TimeUnit.HOURS.toNanos(2);
    private static final long MEMBERS_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(6);
    private static final int OUT_OF_MEMORY = 3;
    private static final String SOURCE = "suite";

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
        catch (final IllegalStateException | UncheckedIOException | ControlFailure | InvalidSettingException ex)
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
        final PeerArguments both = PeerArguments.of(peer, cell);
        try (ServerProcesses servers = ServerProcesses.start(
            cell.system(), peer.endpointsFrom(firstPort), work, flags(serverFlags, cell.heap()), both.ofServer(), true))
        {
            final List<String> target =
                new ArrayList<>(List.of("--transport", cell.system(), "--endpoints", servers.endpoints()));
            target.addAll(both.ofClient());
            final CellResult measured = measure(cell, round, work, target);
            return ended(servers.processes()).map((end) -> new CellResult(cell, round, Map.of(), end)).orElse(measured);
        }
    }

    /** How the first server ended that runs no more: what its client measured shows nothing of the system. */
    static Optional<String> ended(final List<JavaProcess> servers)
    {
        return servers.stream().filter((server) -> !server.process().isAlive()).findFirst()
            .map((server) -> OUT_OF_MEMORY == server.process().exitStatus() ? CellResult.SERVER_OUT_OF_MEMORY :
                "a server ended: " + server.process().describeEnd());
    }

    private CellResult runCluster(final WorkloadCell cell, final int round, final Path work)
    {
        final ClusterVariant variant = ClusterVariant.of(cell.system());
        final String baseDir = work.resolve("cluster").toString();
        final Settings settings = new Settings(NodeSettings.PREFIX, NodeSettings.ALL)
            .put(NodeSettings.HOSTS.key(), "127.0.0.1,127.0.0.1,127.0.0.1", SOURCE)
            .put(NodeSettings.BASE_DIR.key(), baseDir, SOURCE)
            .put(NodeSettings.BASE_PORT.key(), String.valueOf(firstPort), SOURCE);
        variant.settings().forEach((key, value) -> settings.put(key, value, SOURCE));
        final TestCluster cluster = TestCluster.own(settings, null, (line) -> { });
        try
        {
            cluster.start();
            final List<String> target =
                new ArrayList<>(List.of("--transport", TransportNames.AERON_CLUSTER, "--base-dir", baseDir));
            target.addAll(variant.clientArguments());
            final CellResult measured = measure(cell, round, work, target);
            // Without a member for longer than some seconds, what was measured may be of fewer.
            return !measured.isGood() ||
                Deadline.in(MEMBERS_TIMEOUT_NS).await(() -> isInterrupted || cluster.cluster().isSettled()) ? measured :
                new CellResult(cell, round, Map.of(), "not all members followed the leader at the end");
        }
        finally
        {
            cluster.stop();
            cluster.deleteData();
        }
    }

    private CellResult measure(final WorkloadCell cell, final int round, final Path work, final List<String> target)
    {
        final List<String> arguments = new ArrayList<>(cell.arguments());
        arguments.addAll(target);
        arguments.addAll(List.of("--connect-timeout", "30s", "--json"));
        if (List.of("run", "ping-pong").contains(arguments.get(0)))
        {
            arguments.addAll(List.of("--output", work.resolve("results").toString(), "--label", cell.system()));
        }
        client = JavaProcess.start("client", flags(List.of(), cell.heap()), arguments, false);
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
            unsteady(root), Verdict.CLIENT_LIMITED.equals(root.at("/verdict/label").asText())) : reason(root);
        return new CellResult(
            cell, round, values, keep(cell, round, json).orElse(outcome), warmUpNs(root), warnings(root));
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

    /** What was not steady, a phrase for each reason, separated by semicolons; null if nothing shows that. */
    static String unsteady(final JsonNode result)
    {
        final List<String> reasons = new ArrayList<>();
        addText(reasons, result.at("/warmUp/unsteady"));
        if (result.at("/steadyState/reached").isBoolean())
        {
            result.at("/steadyState/reasons").forEach((reason) -> addText(reasons, reason));
        }

        return reasons.isEmpty() ? null : String.join("; ", reasons);
    }

    /** Length in ns of a warm-up that ended by itself; null for one of a fixed length. */
    static Double warmUpNs(final JsonNode result)
    {
        final JsonNode length = result.at("/warmUp/lengthNs");
        return length.isNumber() ? Double.valueOf(length.asDouble()) : null;
    }

    private static void addText(final List<String> reasons, final JsonNode reason)
    {
        if (reason.isTextual())
        {
            reasons.add(reason.asText());
        }
    }

    /** Write the complete result of the client, with its machine, versions and settings; returns why that failed, or empty. */
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
