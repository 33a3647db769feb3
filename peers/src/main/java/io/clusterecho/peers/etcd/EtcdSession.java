package io.clusterecho.peers.etcd;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;

import io.clusterecho.client.transport.SendResult;
import io.clusterecho.peers.Endpoint;
import io.clusterecho.peers.Members;
import io.clusterecho.peers.etcd.api.KVGrpc;
import io.clusterecho.peers.etcd.api.KeyValue;
import io.clusterecho.peers.etcd.api.MaintenanceGrpc;
import io.clusterecho.peers.etcd.api.PutRequest;
import io.clusterecho.peers.etcd.api.RangeRequest;
import io.clusterecho.peers.etcd.api.RequestOp;
import io.clusterecho.peers.etcd.api.ResponseOp;
import io.clusterecho.peers.etcd.api.StatusRequest;
import io.clusterecho.peers.etcd.api.StatusResponse;
import io.clusterecho.peers.etcd.api.TxnRequest;
import io.clusterecho.peers.etcd.api.TxnResponse;
import io.clusterecho.peers.server.Conversation;
import io.clusterecho.peers.session.Link;
import io.clusterecho.peers.session.ReplyQueue;

import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.StreamObserver;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * A session with the leader: other members would forward each call to it. The store returns the request, which is turned into the
 * reply here, because the server is not our program. Requests and responses: {@code etcd.proto}.
 */
final class EtcdSession extends Link implements StreamObserver<TxnResponse>
{
    private static final int MAX_MESSAGE_LENGTH = 16 << 20;
    private static final long STATUS_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(2);

    private static final ByteString KEY = ByteString.copyFromUtf8("cluster-echo");
    private static final RequestOp GET =
        RequestOp.newBuilder().setRequestRange(RangeRequest.newBuilder().setKey(KEY)).build();

    private final ManagedChannel channel;
    private final KVGrpc.KVStub store;

    private EtcdSession(final ManagedChannel channel, final ReplyQueue replies)
    {
        super(replies);
        this.channel = channel;
        this.store = KVGrpc.newStub(channel);
    }

    static Link dial(final Members members, final ReplyQueue replies, final long timeoutNs) throws Exception
    {
        final long deadlineNs = System.nanoTime() + timeoutNs;
        String lastFailure = "there is no leader";
        for (final Endpoint endpoint : members.endpoints())
        {
            final ManagedChannel channel = NettyChannelBuilder.forAddress(endpoint.host(), endpoint.port())
                .usePlaintext()
                .maxInboundMessageSize(MAX_MESSAGE_LENGTH)
                .build();
            boolean isKept = false;
            try
            {
                final long leftNs = Math.max(1, Math.min(STATUS_TIMEOUT_NS, deadlineNs - System.nanoTime()));
                isKept = isOfLeader(MaintenanceGrpc.newBlockingStub(channel)
                    .withDeadlineAfter(leftNs, TimeUnit.NANOSECONDS).status(StatusRequest.getDefaultInstance()));
            }
            catch (final StatusRuntimeException ex)
            {
                lastFailure = endpoint + ": " + ex.getMessage();
            }
            finally
            {
                if (!isKept)
                {
                    channel.shutdownNow();
                }
            }
            if (isKept)
            {
                return new EtcdSession(channel, replies);
            }
        }

        throw new IOException(lastFailure);
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
        for (final ResponseOp one : response.getResponsesList())
        {
            for (final KeyValue keyValue : one.getResponseRange().getKvsList())
            {
                return keyValue.getValue().toByteArray();
            }
        }

        return null;
    }

    /** Whether the member that answers is the leader. */
    static boolean isOfLeader(final StatusResponse status)
    {
        return 0 != status.getLeader() && status.getHeader().getMemberId() == status.getLeader();
    }
}
