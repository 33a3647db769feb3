package io.clusterecho.peers.http;

import java.io.IOException;
import java.time.Duration;

import io.clusterecho.client.transport.SendResult;
import io.clusterecho.peers.Endpoint;
import io.clusterecho.peers.session.Link;
import io.clusterecho.peers.session.ReplyQueue;

import io.netty.buffer.Unpooled;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;

/** A session over HTTP/1.1, with a pool of one connection. */
final class Http1Session implements Link
{
    private final ConnectionProvider connection;
    private final HttpClient client;
    private final ReplyQueue replies;
    private final UnsafeBuffer received = new UnsafeBuffer(0, 0);
    private volatile boolean isOpen = true;

    private Http1Session(final ConnectionProvider connection, final HttpClient client, final ReplyQueue replies)
    {
        this.connection = connection;
        this.client = client;
        this.replies = replies;
    }

    static Link dial(final Endpoint endpoint, final ReplyQueue replies, final long timeoutNs) throws Exception
    {
        final ConnectionProvider connection = ConnectionProvider.create("echo", 1);
        final HttpClient client =
            HttpClient.create(connection).host(endpoint.host()).port(endpoint.port()).disableRetry(true);
        try
        {
            // An empty message opens the connection and has no reply.
            post(client, new byte[0]).block(Duration.ofNanos(timeoutNs));
        }
        catch (final RuntimeException ex)
        {
            connection.dispose();
            throw ex;
        }

        return new Http1Session(connection, client, replies);
    }

    private static Mono<byte[]> post(final HttpClient client, final byte[] bytes)
    {
        return client.post().uri(Http1Peer.PATH)
            .send(Mono.just(Unpooled.wrappedBuffer(bytes)))
            .responseSingle((response, body) -> 200 == response.status().code() ?
                body.asByteArray() : Mono.error(new IOException("status " + response.status())));
    }

    @Override
    public SendResult trySend(final DirectBuffer message, final int offset, final int length)
    {
        final byte[] bytes = new byte[length];
        message.getBytes(offset, bytes);
        post(client, bytes).subscribe(this::onReply, (error) -> isOpen = false);
        return SendResult.SENT;
    }

    private void onReply(final byte[] reply)
    {
        final long nowNs = System.nanoTime();
        received.wrap(reply);
        replies.put(received, 0, reply.length, nowNs);
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
        connection.dispose();
    }
}
