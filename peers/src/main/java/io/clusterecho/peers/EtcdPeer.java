package io.clusterecho.peers;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;

import io.clusterecho.client.transport.SendResult;
import io.clusterecho.client.transport.TransportConnector;
import io.clusterecho.client.transport.TransportRequest;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.control.member.Deadline;
import io.clusterecho.peers.etcd.api.KVGrpc;
import io.clusterecho.peers.etcd.api.MaintenanceGrpc;
import io.clusterecho.peers.etcd.api.PutRequest;
import io.clusterecho.peers.etcd.api.RangeRequest;
import io.clusterecho.peers.etcd.api.RequestOp;
import io.clusterecho.peers.etcd.api.StatusRequest;
import io.clusterecho.peers.etcd.api.StatusResponse;
import io.clusterecho.peers.etcd.api.TxnRequest;
import io.clusterecho.peers.etcd.api.TxnResponse;
import io.clusterecho.process.ChildProcess;
import io.clusterecho.process.Launch;
import io.clusterecho.reporting.results.ExitCode;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Io;
import io.clusterecho.settings.Setting;

import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.StreamObserver;

import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * etcd: a key-value store replicated over three members, which puts a message and returns it over its gRPC interface. The members
 * are processes of the etcd program.
 */
public record EtcdPeer(String name) implements Peer
{
    private static final int MAX_MESSAGE_LENGTH = 16 << 20;
    private static final long VERSION_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(10);
    private static final String VERSION_PREFIX = "etcd Version: ";
    private static final String UNKNOWN = "of unknown version";
    private static final Setting<String> BINARY = Setting.ofText(
        "peer.etcd.binary", "etcd", "a program", "The etcd program, by its path or by a name in PATH.");

    @Override
    public List<Setting<?>> settings()
    {
        return List.of(QueuedTransport.CALLS_IN_FLIGHT, BINARY);
    }

    @Override
    public String durability()
    {
        return FLUSHED;
    }

    @Override
    public Map<String, String> facts()
    {
        return Peer.facts(
            name,
            "etcd " + Launch.find(BINARY.defaultText()).map(EtcdPeer::version).orElse("of another machine") +
            ", over gRPC " + Peer.version("grpc"),
            "replicated over three members, durable (flushed before it is acknowledged), not ordered",
            "a transaction for each message, which puts it under one key and reads it back; by default at most 256 in " +
            "flight, to the leader; old values are compacted every five minutes; an election timeout of 3 s");
    }

    @Override
    public int serverCount()
    {
        return Members.COUNT;
    }

    @Override
    public TransportConnector newConnector(final TransportRequest request)
    {
        final Members members = Members.parse(request.endpoints());
        final int limit = request.settings().value(QueuedTransport.CALLS_IN_FLIGHT);
        return () -> new QueuedTransport(
            (replies, timeoutNs) -> dial(members, replies, timeoutNs), members.text(), false, limit, request.lengthBytes());
    }

    @Override
    public PeerServer serve(final ServeRequest request)
    {
        final String program = request.settings().value(BINARY);
        final Path binary = Launch.find(program).orElseThrow(() -> new InvalidSettingException(
            BINARY.key(), program, "the etcd program, by its path or by a name in PATH; it is not part of this project"));
        return new Server(binary, Members.parse(request.endpoints()), request.memberId(), request.dataDir());
    }

    /** Version of a program, or a text that it is unknown. */
    private static String version(final Path binary)
    {
        final List<String> lines = new ArrayList<>();
        try (ChildProcess process = new Launch("etcd", List.of(binary.toString(), "--version")).output(lines::add).start())
        {
            process.awaitEndUninterrupted(System.nanoTime() + VERSION_TIMEOUT_NS);
        }

        return lines.stream().filter((line) -> line.startsWith(VERSION_PREFIX))
            .map((line) -> line.substring(VERSION_PREFIX.length()).trim()).findFirst().orElse(UNKNOWN);
    }

    /** A session with the leader: other members would forward each call to it. */
    private static Link dial(final Members members, final ReplyQueue replies, final long timeoutNs) throws IOException
    {
        final long deadlineNs = System.nanoTime() + timeoutNs;
        String lastFailure = "there is no leader";
        for (final Endpoint endpoint : members.endpoints())
        {
            final ManagedChannel channel = channel(endpoint);
            try
            {
                final long leftNs = Math.max(1, Math.min(TimeUnit.SECONDS.toNanos(2), deadlineNs - System.nanoTime()));
                if (isOfLeader(status(channel, leftNs)))
                {
                    return new Session(channel, replies);
                }
            }
            catch (final StatusRuntimeException ex)
            {
                lastFailure = endpoint + ": " + ex.getMessage();
            }
            channel.shutdownNow();
        }

        throw new IOException(lastFailure);
    }

    private static ManagedChannel channel(final Endpoint endpoint)
    {
        return NettyChannelBuilder.forAddress(endpoint.host(), endpoint.port()).usePlaintext()
            .maxInboundMessageSize(MAX_MESSAGE_LENGTH).build();
    }

    private static StatusResponse status(final ManagedChannel channel, final long timeoutNs)
    {
        return MaintenanceGrpc.newBlockingStub(channel).withDeadlineAfter(timeoutNs, TimeUnit.NANOSECONDS)
            .status(StatusRequest.getDefaultInstance());
    }

    /** Whether the member that answers is the leader. */
    static boolean isOfLeader(final StatusResponse status)
    {
        return 0 != status.getLeader() && status.getHeader().getMemberId() == status.getLeader();
    }

    /**
     * A session with the leader. The store returns the request, which is turned into the reply here, because the server is not
     * our program. Requests and responses: {@code etcd.proto}.
     */
    static final class Session extends Link implements StreamObserver<TxnResponse>
    {
        private static final ByteString KEY = ByteString.copyFromUtf8("cluster-echo");
        private static final RequestOp GET =
            RequestOp.newBuilder().setRequestRange(RangeRequest.newBuilder().setKey(KEY)).build();

        private final ManagedChannel channel;
        private final KVGrpc.KVStub store;

        private Session(final ManagedChannel channel, final ReplyQueue replies)
        {
            super(replies);
            this.channel = channel;
            this.store = KVGrpc.newStub(channel);
        }

        @Override
        protected SendResult send(final byte[] message)
        {
            store.txn(putAndGet(message), this);
            return SendResult.SENT;
        }

        @Override
        public void onNext(final TxnResponse response)
        {
            final long nowNs = System.nanoTime();
            final byte[] value = valueOf(response);
            if (null == value)
            {
                fail();
            }
            else if (Conversation.answerInPlace(new UnsafeBuffer(value), 0, value.length))
            {
                take(ByteBuffer.wrap(value), nowNs);
            }
        }

        @Override
        public void onError(final Throwable error)
        {
            fail();
        }

        @Override
        public void onCompleted()
        {
            // The reply was received in onNext.
        }

        @Override
        protected void release()
        {
            channel.shutdownNow();
        }

        /** A transaction that puts a message and then reads it back. */
        static TxnRequest putAndGet(final byte[] message)
        {
            final PutRequest.Builder put =
                PutRequest.newBuilder().setKey(KEY).setValue(UnsafeByteOperations.unsafeWrap(message));
            return TxnRequest.newBuilder().addSuccess(RequestOp.newBuilder().setRequestPut(put)).addSuccess(GET).build();
        }

        /** A copy of the value that a transaction read; null if it read none. */
        static byte[] valueOf(final TxnResponse response)
        {
            return response.getResponsesList().stream().flatMap((one) -> one.getResponseRange().getKvsList().stream())
                .findFirst().map((keyValue) -> keyValue.getValue().toByteArray()).orElse(null);
        }
    }

    /**
     * One member: an {@code etcd} process that ends with this process. The port for the other members is the port of its endpoint
     * plus the number of members.
     */
    private static final class Server implements PeerServer
    {
        private static final long START_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(60);
        /** Without compaction its store grows by every message, up to the quota at which it accepts no more. */
        private static final List<String> TUNING = List.of(
            // Its default is 1 s. A member that waits for a processor should not cause an election.
            "--election-timeout", "3000", "--auto-compaction-mode", "revision", "--auto-compaction-retention", "1000",
            "--quota-backend-bytes", "8589934592",
            "--max-request-bytes", "4194304", "--logger", "zap", "--log-level", "fatal");

        private final ChildProcess process;

        Server(final Path binary, final Members members, final int memberId, final Path dataDir)
        {
            final Endpoint endpoint = members.endpoint(memberId);
            endpoint.requireFreeTcpPort();
            peer(members, memberId).requireFreeTcpPort();
            final Path folder = dataDir.resolve("member-" + memberId);
            Io.run("cannot write data to " + folder, () -> Files.createDirectories(dataDir));

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
            final ManagedChannel channel = channel(endpoint);
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
                return 0 != status(channel, TimeUnit.SECONDS.toNanos(1)).getLeader();
            }
            catch (final StatusRuntimeException ex)
            {
                return false;
            }
        }

        @Override
        public void work(final IdleStrategy idleStrategy)
        {
            if (!process.isAlive())
            {
                throw new ControlFailure(ExitCode.INTERNAL, process.describeEnd());
            }
            PeerServer.super.work(idleStrategy);
        }

        @Override
        public void close()
        {
            process.close();
        }
    }
}
