package io.clusterecho.peers.http;

import io.clusterecho.peers.Endpoint;
import io.clusterecho.peers.PeerServer;
import io.clusterecho.peers.server.Conversation;

import org.agrona.concurrent.UnsafeBuffer;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;

/** Server over HTTP/1.1. */
final class Http1Server implements PeerServer
{
    private final Endpoint endpoint;
    private final DisposableServer server;

    Http1Server(final Endpoint endpoint)
    {
        this.endpoint = endpoint;
        endpoint.requireFreeTcpPort();
        server = HttpServer.create()
            .host(endpoint.host())
            .port(endpoint.port())
            .route((routes) -> routes.post(
                Http1Peer.PATH,
                (request, response) -> response.sendByteArray(
                    request.receive().aggregate().asByteArray().map(Http1Server::reply))))
            .bindNow();
    }

    @Override
    public String endpoints()
    {
        return endpoint.toString();
    }

    @Override
    public void close()
    {
        server.disposeNow();
    }

    private static byte[] reply(final byte[] bytes)
    {
        final UnsafeBuffer message = new UnsafeBuffer(bytes);
        final byte[] reply = new byte[Conversation.replyLength(message, 0, bytes.length)];
        new Conversation().take(message, 0, bytes.length, new UnsafeBuffer(reply), 0);
        return reply;
    }
}
