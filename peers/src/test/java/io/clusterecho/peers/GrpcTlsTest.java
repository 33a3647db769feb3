package io.clusterecho.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;

import io.clusterecho.client.transport.NotConnectedException;
import io.clusterecho.client.transport.SendResult;
import io.clusterecho.client.transport.Transport;
import io.clusterecho.client.transport.TransportConnector;
import io.clusterecho.client.transport.TransportRequest;
import io.clusterecho.settings.Settings;
import io.clusterecho.testing.FreePorts;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GrpcTlsTest
{
    private static final long SECOND_NS = 1_000_000_000L;

    private final GrpcPeer peer = new GrpcPeer("grpc-tls", GrpcPeer.Trait.TLS);
    private final String endpoints = "127.0.0.1:" + FreePorts.block();

    @TempDir
    private Path folder;

    @Test
    void shouldConnectByTlsOnly()
    {
        try (PeerServer server = peer.serve(
            new Peer.ServeRequest(endpoints, 0, folder, new Settings("peer.", peer.settings()))))
        {
            assertThat(server).isNotNull();
            connect(peer, 30 * SECOND_NS);
            assertThatThrownBy(() -> connect(new GrpcPeer("grpc"), 2 * SECOND_NS)).isInstanceOf(NotConnectedException.class);
            connect(peer, 30 * SECOND_NS);
        }
    }

    private void connect(final GrpcPeer client, final long timeoutNs)
    {
        try (TransportConnector connector = client.newConnector(
            new TransportRequest(endpoints, 288, 1, true, new Settings("peer.", client.settings()), (error) -> { }));
            Transport transport = connector.newTransport())
        {
            transport.connect(timeoutNs);
            assertThat(transport.trySend(new UnsafeBuffer(new byte[288]), 0, 288)).isEqualTo(SendResult.SENT);
        }
    }
}
