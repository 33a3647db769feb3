package io.clusterecho.peers.http;

import io.clusterecho.peers.Endpoint;
import io.clusterecho.peers.PeerServer;
import io.clusterecho.peers.server.Conversation;

import reactor.netty.http.server.HttpServer;

/** Server over HTTP/1.1. */
final class Http1Server
{
    private Http1Server()
    {
    }

    static PeerServer start(final Endpoint endpoint)
    {
        endpoint.requireFreeTcpPort();
        return HttpServer.create().host(endpoint.host()).port(endpoint.port()).route((routes) -> routes.post(
            Http1Peer.PATH,
            (request, response) -> response.sendByteArray(
                request.receive().aggregate().asByteArray().map((bytes) -> new Conversation().reply(bytes)))))
            .bindNow()::disposeNow;
    }
}
