package io.clusterecho.peers.ratis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.clusterecho.peers.Endpoint;
import io.clusterecho.peers.Members;
import io.clusterecho.peers.PeerServer;
import io.clusterecho.peers.server.Conversation;

import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.apache.ratis.util.SizeInBytes;
import org.apache.ratis.util.TimeDuration;

/** One member. */
final class RatisServer implements PeerServer
{
    static final int MESSAGE_LENGTH_MAX = 16 << 20;
    private static final RaftGroupId GROUP_ID =
        RaftGroupId.valueOf(UUID.nameUUIDFromBytes("cluster-echo".getBytes(StandardCharsets.US_ASCII)));

    private final RaftServer server;

    RatisServer(final Members members, final int memberId, final Path dataDir, final boolean isInMemory, final int appendWaitUs)
    {
        final Endpoint endpoint = members.endpoint(memberId);
        endpoint.requireFreeTcpPort();
        final Path folder = dataDir.resolve("member-" + memberId);
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
        RaftServerConfigKeys.Log.Appender.setWaitTimeMin(properties, TimeDuration.valueOf(appendWaitUs, TimeUnit.MICROSECONDS));
        // By default 150 to 300 ms. A member that waits for a processor should not cause an election.
        RaftServerConfigKeys.Rpc.setTimeoutMin(properties, TimeDuration.valueOf(3, TimeUnit.SECONDS));
        RaftServerConfigKeys.Rpc.setTimeoutMax(properties, TimeDuration.valueOf(4, TimeUnit.SECONDS));
        RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMin(properties, TimeDuration.valueOf(150, TimeUnit.MILLISECONDS));
        RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMax(properties, TimeDuration.valueOf(300, TimeUnit.MILLISECONDS));
        try
        {
            Files.createDirectories(folder);
            server = RaftServer.newBuilder()
                .setGroup(group(members))
                .setServerId(peer(members, memberId).getId())
                .setStateMachine(new Echo())
                .setProperties(properties)
                .setOption(isThere ? RaftStorage.StartupOption.RECOVER : RaftStorage.StartupOption.FORMAT)
                .build();
            server.start();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("cannot serve at " + endpoint + " with data in " + folder, ex);
        }
    }

    @Override
    public void close()
    {
        try
        {
            server.close();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("stopping the member failed", ex);
        }
    }

    static RaftGroup group(final Members members)
    {
        return RaftGroup.valueOf(
            GROUP_ID, IntStream.range(0, members.endpoints().size()).mapToObj((memberId) -> peer(members, memberId)).toList());
    }

    private static RaftPeer peer(final Members members, final int memberId)
    {
        return RaftPeer.newBuilder()
            .setId("member-" + memberId).setAddress(members.endpoint(memberId).toString()).build();
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
