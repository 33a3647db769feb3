package io.clusterecho.peers.ratis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.clusterecho.client.transport.SendResult;
import io.clusterecho.peers.Members;
import io.clusterecho.peers.session.Link;
import io.clusterecho.peers.session.ReplyQueue;
import io.clusterecho.schema.peers.MessageHeaderEncoder;
import io.clusterecho.schema.peers.OneWayEndEncoder;

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
final class RatisSession extends Link
{
    private final RaftClient client;

    RatisSession(
        final Members members, final int inFlightLimit, final ReplyQueue replies, final long timeoutNs) throws Exception
    {
        super(replies);
        final RaftProperties properties = new RaftProperties();
        // A call beyond this limit would wait; the transport stays within its own limit.
        RaftClientConfigKeys.Async.setOutstandingRequestsMax(properties, inFlightLimit + 1);
        GrpcConfigKeys.setMessageSizeMax(properties, SizeInBytes.valueOf(RatisServer.MESSAGE_LENGTH_MAX));
        client = RaftClient.newBuilder()
            .setProperties(properties)
            .setRaftGroup(RatisServer.group(members))
            .setRetryPolicy(RetryPolicies.retryForeverWithSleep(TimeDuration.valueOf(50, TimeUnit.MILLISECONDS)))
            .build();
        try
        {
            // A client connects with its first call.
            if (!client.async().send(message(hello())).get(timeoutNs, TimeUnit.NANOSECONDS).isSuccess())
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

    private static byte[] hello()
    {
        final byte[] bytes = new byte[MessageHeaderEncoder.ENCODED_LENGTH + OneWayEndEncoder.BLOCK_LENGTH];
        new OneWayEndEncoder().wrapAndApplyHeader(new UnsafeBuffer(bytes), 0, new MessageHeaderEncoder()).runId(0);
        return bytes;
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
        try
        {
            client.close();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("closing a session failed", ex);
        }
    }
}
