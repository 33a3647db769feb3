package io.clusterecho.peers;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;

import io.clusterecho.client.transport.SendResult;
import io.clusterecho.client.transport.TransportConnector;
import io.clusterecho.client.transport.TransportRequest;
import io.clusterecho.settings.Io;
import io.clusterecho.settings.Setting;

import org.apache.ratis.client.RaftClient;
import org.apache.ratis.client.RaftClientConfigKeys;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.retry.RetryPolicies;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.apache.ratis.util.SizeInBytes;
import org.apache.ratis.util.TimeDuration;

/**
 * Apache Ratis: a log replicated over three members, with an echo as its state machine. An alternative to Aeron Cluster on the
 * JVM.
 */
public record RatisPeer(String name, boolean isInMemory) implements Peer
{
    private static final int MESSAGE_LENGTH_MAX = 16 << 20;
    private static final RaftGroupId GROUP_ID =
        RaftGroupId.valueOf(UUID.nameUUIDFromBytes("cluster-echo".getBytes(StandardCharsets.US_ASCII)));

    private static final Setting<Integer> IN_FLIGHT = Setting.ofInt(
        QueuedTransport.IN_FLIGHT.key(), "256", 1, 4096,
        "Maximum requests in flight in one session; a leader of Ratis accepts up to 4,096.");

    private static final Setting<Integer> APPEND_WAIT = Setting.ofInt(
        "peer.append.wait.us", "1000", 0, 1_000_000,
        "Time in us that passes at least between two requests of a leader to a follower; 1000 is the default of Ratis. It " +
        "collects messages, and delays one that is alone.");

    @Override
    public List<Setting<?>> settings()
    {
        return List.of(IN_FLIGHT, APPEND_WAIT);
    }

    @Override
    public String durability()
    {
        return isInMemory ?
            "in memory: an acknowledged message is in the memory of a majority; it survives the loss of a minority" : FLUSHED;
    }

    @Override
    public Map<String, String> facts()
    {
        return Peer.facts(
            name,
            "Apache Ratis " + Peer.version("ratis") + " over gRPC",
            "replicated over three members, " + (isInMemory ? "not durable" : "durable (flushed before it is acknowledged)") +
            ", ordered, applied once",
            "its ordered asynchronous client, by default at most 256 requests in flight; " +
            (isInMemory ? "its log for tests, which keeps all entries" : "segments of 32 MiB preallocated") +
            "; no snapshots; in the sweeps of reports no wait between two requests to a follower where one message is in " +
            "flight; election timeouts of 3 to 4 s");
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
        final int limit = request.settings().value(IN_FLIGHT);
        return () -> new QueuedTransport(
            (replies, timeoutNs) -> new Session(members, limit, replies, timeoutNs), members.text(), true, limit,
            request.lengthBytes());
    }

    @Override
    public PeerServer serve(final ServeRequest request)
    {
        final Members members = Members.parse(request.endpoints());
        final int memberId = request.memberId();
        final Endpoint endpoint = members.endpoint(memberId);
        endpoint.requireFreeTcpPort();
        final Path folder = request.dataDir().resolve("member-" + memberId);
        final boolean isThere = Files.exists(folder);
        final RaftProperties properties = new RaftProperties();
        GrpcConfigKeys.Server.setHost(properties, endpoint.host());
        GrpcConfigKeys.Server.setPort(properties, endpoint.port());
        GrpcConfigKeys.setMessageSizeMax(properties, SizeInBytes.valueOf(MESSAGE_LENGTH_MAX));
        RaftServerConfigKeys.setStorageDir(properties, List.of(folder.toFile()));
        RaftServerConfigKeys.Log.setUseMemory(properties, isInMemory);
        RaftServerConfigKeys.Log.setSegmentSizeMax(properties, SizeInBytes.valueOf(32 << 20));
        RaftServerConfigKeys.Log.setPreallocatedSize(properties, SizeInBytes.valueOf(32 << 20));
        RaftServerConfigKeys.Log.setWriteBufferSize(properties, SizeInBytes.valueOf(8 << 20));
        RaftServerConfigKeys.Log.Appender.setBufferByteLimit(properties, SizeInBytes.valueOf(4 << 20));
        RaftServerConfigKeys.Log.Appender.setWaitTimeMin(
            properties, TimeDuration.valueOf(request.settings().value(APPEND_WAIT), TimeUnit.MICROSECONDS));
        // By default 150 to 300 ms. A member that waits for a processor should not cause an election.
        RaftServerConfigKeys.Rpc.setTimeoutMin(properties, TimeDuration.valueOf(3, TimeUnit.SECONDS));
        RaftServerConfigKeys.Rpc.setTimeoutMax(properties, TimeDuration.valueOf(4, TimeUnit.SECONDS));
        RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMin(properties, TimeDuration.valueOf(150, TimeUnit.MILLISECONDS));
        RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMax(properties, TimeDuration.valueOf(300, TimeUnit.MILLISECONDS));
        final RaftServer server = Io.call("cannot serve at " + endpoint + " with data in " + folder, () ->
        {
            Files.createDirectories(folder);
            return RaftServer.newBuilder()
                .setGroup(group(members))
                .setServerId(peer(members, memberId).getId())
                .setStateMachine(new Echo())
                .setProperties(properties)
                .setOption(isThere ? RaftStorage.StartupOption.RECOVER : RaftStorage.StartupOption.FORMAT)
                .build();
        });
        Io.run("cannot serve at " + endpoint, server::start);
        return () -> Io.run("stopping the member failed", server::close);
    }

    private static RaftGroup group(final Members members)
    {
        return RaftGroup.valueOf(
            GROUP_ID, IntStream.range(0, members.endpoints().size()).mapToObj((memberId) -> peer(members, memberId)).toList());
    }

    private static RaftPeer peer(final Members members, final int memberId)
    {
        return RaftPeer.newBuilder()
            .setId("member-" + memberId).setAddress(members.endpoint(memberId).toString()).build();
    }

    /**
     * A session with a group of members, with a Ratis client of its own. It finds the leader, follows a new one, and resends
     * unacknowledged calls. The members identify calls by id and apply each once.
     */
    private static final class Session extends Link
    {
        private final RaftClient client;

        Session(
            final Members members, final int inFlightLimit, final ReplyQueue replies, final long timeoutNs) throws Exception
        {
            super(replies);
            final RaftProperties properties = new RaftProperties();
            // A call beyond this limit would wait; the transport stays within its own limit.
            RaftClientConfigKeys.Async.setOutstandingRequestsMax(properties, inFlightLimit + 1);
            GrpcConfigKeys.setMessageSizeMax(properties, SizeInBytes.valueOf(MESSAGE_LENGTH_MAX));
            client = RaftClient.newBuilder()
                .setProperties(properties)
                .setRaftGroup(group(members))
                .setRetryPolicy(RetryPolicies.retryForeverWithSleep(TimeDuration.valueOf(50, TimeUnit.MILLISECONDS)))
                .build();
            try
            {
                // A client connects with its first call.
                if (!client.async().send(message(Conversation.end(0))).get(timeoutNs, TimeUnit.NANOSECONDS).isSuccess())
                {
                    throw new IOException("the first call was rejected");
                }
            }
            catch (final TimeoutException ex)
            {
                client.close();
                throw new IOException("no leader answered");
            }
            catch (final Exception ex)
            {
                client.close();
                throw ex;
            }
        }

        private static Message message(final byte[] bytes)
        {
            return Message.valueOf(UnsafeByteOperations.unsafeWrap(bytes));
        }

        @Override
        protected SendResult send(final byte[] message)
        {
            client.async().send(message(message)).whenComplete(this::onReply);
            return SendResult.SENT;
        }

        private void onReply(final RaftClientReply reply, final Throwable error)
        {
            final long nowNs = System.nanoTime();
            if (null == error && reply.isSuccess())
            {
                take(reply.getMessage().getContent().asReadOnlyByteBuffer(), nowNs);
            }
            else
            {
                fail();
            }
        }

        @Override
        protected void release()
        {
            Io.run("closing a session failed", client::close);
        }
    }

    /** Echoes the entries of the log. Ratis calls it on one thread. */
    private static final class Echo extends BaseStateMachine
    {
        private final Conversation conversation = new Conversation();

        @Override
        public CompletableFuture<Message> applyTransaction(final TransactionContext transaction)
        {
            final LogEntryProto entry = transaction.getLogEntry();
            final byte[] reply = conversation.reply(entry.getStateMachineLogEntry().getLogData().toByteArray());
            updateLastAppliedTermIndex(entry.getTerm(), entry.getIndex());
            return CompletableFuture.completedFuture(Message.valueOf(UnsafeByteOperations.unsafeWrap(reply)));
        }
    }
}
