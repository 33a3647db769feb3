package io.clusterecho.peers.etcd;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.clusterecho.control.member.Deadline;
import io.clusterecho.peers.Endpoint;
import io.clusterecho.peers.Members;
import io.clusterecho.peers.PeerServer;
import io.clusterecho.peers.etcd.api.MaintenanceGrpc;
import io.clusterecho.peers.etcd.api.StatusRequest;
import io.clusterecho.process.ChildProcess;
import io.clusterecho.process.Launch;

import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;

/**
 * One member: an {@code etcd} process that ends with this process. The port for the other members is the port of its endpoint
 * plus the number of members.
 */
final class EtcdServer implements PeerServer
{
    private static final long START_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long STATUS_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(1);
    /** Without compaction its store grows by every message, up to the quota at which it accepts no more. */
    private static final List<String> TUNING = List.of(
        // Its default is 1 s. A member that waits for a processor should not cause an election.
        "--election-timeout", "3000", "--auto-compaction-mode", "revision", "--auto-compaction-retention", "1000",
        "--quota-backend-bytes", "8589934592",
        "--max-request-bytes", "4194304", "--logger", "zap", "--log-level", "fatal");

    private final ChildProcess process;

    EtcdServer(final Path binary, final Members members, final int memberId, final Path dataDir)
    {
        final Endpoint endpoint = members.endpoint(memberId);
        endpoint.requireFreeTcpPort();
        peer(members, memberId).requireFreeTcpPort();
        final Path folder = dataDir.resolve("member-" + memberId);
        try
        {
            Files.createDirectories(dataDir);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("cannot write data to " + folder, ex);
        }

        process = new Launch("etcd", command(binary, members, memberId, folder))
            .output((line) -> System.err.println(line)).tied().start();
        try
        {
            awaitLeader(endpoint);
        }
        catch (final RuntimeException ex)
        {
            process.close();
            throw ex;
        }
    }

    private static List<String> command(final Path binary, final Members members, final int memberId, final Path folder)
    {
        final String url = "http://" + members.endpoint(memberId);
        final String peerUrl = "http://" + peer(members, memberId);
        final String all = IntStream.range(0, members.endpoints().size())
            .mapToObj((id) -> "member-" + id + "=http://" + peer(members, id)).collect(Collectors.joining(","));
        final List<String> command = new ArrayList<>(List.of(
            binary.toString(), "--name", "member-" + memberId, "--data-dir", folder.toString(), "--listen-client-urls", url,
            "--advertise-client-urls", url, "--listen-peer-urls", peerUrl, "--initial-advertise-peer-urls", peerUrl,
            "--initial-cluster", all, "--initial-cluster-token", "cluster-echo"));
        command.addAll(TUNING);
        return command;
    }

    private static Endpoint peer(final Members members, final int memberId)
    {
        final Endpoint endpoint = members.endpoint(memberId);
        return new Endpoint(endpoint.host(), endpoint.port() + members.endpoints().size());
    }

    /** Wait for a leader: without one it accepts no puts. */
    private void awaitLeader(final Endpoint endpoint)
    {
        final ManagedChannel channel =
            NettyChannelBuilder.forAddress(endpoint.host(), endpoint.port()).usePlaintext().build();
        try
        {
            final boolean isLed = Deadline.in(START_TIMEOUT_NS).await(() -> !process.isAlive() || hasLeader(channel));
            if (!isLed || !process.isAlive())
            {
                throw new IllegalStateException(!process.isAlive() ? process.describeEnd() :
                    "etcd at " + endpoint + " found no leader within " + TimeUnit.NANOSECONDS.toSeconds(START_TIMEOUT_NS) +
                    " s" + process.lastWords());
            }
        }
        finally
        {
            channel.shutdownNow();
        }
    }

    private static boolean hasLeader(final ManagedChannel channel)
    {
        try
        {
            return 0 != MaintenanceGrpc.newBlockingStub(channel)
                .withDeadlineAfter(STATUS_TIMEOUT_NS, TimeUnit.NANOSECONDS)
                .status(StatusRequest.getDefaultInstance())
                .getLeader();
        }
        catch (final StatusRuntimeException ex)
        {
            return false;
        }
    }

    @Override
    public Optional<String> end()
    {
        return process.isAlive() ? Optional.empty() : Optional.of(process.describeEnd());
    }

    @Override
    public void close()
    {
        process.close();
    }
}
