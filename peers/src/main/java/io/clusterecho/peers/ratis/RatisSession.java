package io.clusterecho.peers.ratis;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.clusterecho.client.transport.SendResult;
import io.clusterecho.peers.Members;
import io.clusterecho.peers.session.Link;
import io.clusterecho.peers.session.ReplyQueue;
import io.clusterecho.schema.peers.MessageHeaderEncoder;
import io.clusterecho.schema.peers.OneWayEndEncoder;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.apache.ratis.client.RaftClient;
import org.apache.ratis.client.RaftClientConfigKeys;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.retry.RetryPolicies;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.apache.ratis.util.SizeInBytes;
import org.apache.ratis.util.TimeDuration;

/**
 * A session with a group of members, with a Ratis client of its own. It finds the leader, follows a new one, and resends
 * unacknowledged calls. The members identify calls by id and apply each once.
 */
final class RatisSession implements Link
{
    private static final int HELLO_LENGTH = MessageHeaderEncoder.ENCODED_LENGTH + OneWayEndEncoder.BLOCK_LENGTH;

    private final RaftClient client;
    private final ReplyQueue replies;
    private volatile boolean isOpen = true;

    private RatisSession(final RaftClient client, final ReplyQueue replies)
    {
        this.client = client;
        this.replies = replies;
    }

    static Link dial(
        final Members members, final int inFlightLimit, final ReplyQueue replies, final long timeoutNs) throws Exception
    {
        final RaftProperties properties = new RaftProperties();
        // A call beyond this limit would wait; the transport stays within its own limit.
        RaftClientConfigKeys.Async.setOutstandingRequestsMax(properties, inFlightLimit + 1);
        GrpcConfigKeys.setMessageSizeMax(properties, SizeInBytes.valueOf(RatisServer.MESSAGE_LENGTH_MAX));
        final RaftClient client = RaftClient.newBuilder()
            .setProperties(properties)
            .setRaftGroup(RatisServer.group(members))
            .setRetryPolicy(RetryPolicies.retryForeverWithSleep(TimeDuration.valueOf(50, TimeUnit.MILLISECONDS)))
            .build();
        try
        {
            // A client connects with its first call.
            if (!client.async().send(message(hello(), 0, HELLO_LENGTH)).get(timeoutNs, TimeUnit.NANOSECONDS).isSuccess())
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

        return new RatisSession(client, replies);
    }

    private static DirectBuffer hello()
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[HELLO_LENGTH]);
        new OneWayEndEncoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder()).runId(0);
        return buffer;
    }

    private static Message message(final DirectBuffer buffer, final int offset, final int length)
    {
        final byte[] bytes = new byte[length];
        buffer.getBytes(offset, bytes);
        return Message.valueOf(UnsafeByteOperations.unsafeWrap(bytes));
    }

    @Override
    public SendResult trySend(final DirectBuffer message, final int offset, final int length)
    {
        client.async().send(message(message, offset, length)).whenComplete(this::onReply);
        return SendResult.SENT;
    }

    private void onReply(final RaftClientReply reply, final Throwable error)
    {
        final long nowNs = System.nanoTime();
        if (null == error && reply.isSuccess())
        {
            replies.put(reply.getMessage().getContent().asReadOnlyByteBuffer(), nowNs);
        }
        else
        {
            isOpen = false;
        }
    }

    @Override
    public boolean isOpen()
    {
        return isOpen;
    }

    @Override
    public void close()
    {
        isOpen = false;
        try
        {
            client.close();
        }
        catch (final IOException ex)
        {
            throw new java.io.UncheckedIOException("closing a session failed", ex);
        }
    }
}
