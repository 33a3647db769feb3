package io.clusterecho.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
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
    void shouldConnectToTheServerWhoseCertificateItHas() throws IOException
    {
        final Path file = GrpcTls.certificate(Endpoint.parse(endpoints), settings("auto"));
        try (PeerServer server = serve(endpoints, "auto"))
        {
            assertThat(server).isNotNull();
            assertThat(Files.readString(file)).startsWith("-----BEGIN CERTIFICATE-----\n");
            connect(endpoints, "auto", 30 * SECOND_NS);
        }
        assertThat(file).doesNotExist();
    }

    @Test
    void shouldNotConnectToAServerWithAnotherCertificate()
    {
        final String others = "127.0.0.1:" + FreePorts.block();
        final String own = folder.resolve("own.pem").toString();
        final String another = folder.resolve("another.pem").toString();
        try (PeerServer server = serve(endpoints, own); PeerServer other = serve(others, another))
        {
            assertThatThrownBy(() -> connect(endpoints, another, 2 * SECOND_NS))
                .isInstanceOf(NotConnectedException.class);
            connect(endpoints, own, 30 * SECOND_NS);
            connect(others, another, 30 * SECOND_NS);
            assertThat(server).isNotSameAs(other);
        }
    }

    @Test
    void shouldSayThatThereIsNoCertificate() throws IOException
    {
        final Path none = folder.resolve("none.pem");
        assertThatThrownBy(() -> connect(endpoints, none.toString(), SECOND_NS / 10)).isInstanceOf(NotConnectedException.class)
            .hasStackTraceContaining("no certificate in " + none);
        final Path damaged = Files.writeString(folder.resolve("damaged.pem"), "not one");
        assertThatThrownBy(() -> GrpcTls.ofClient(damaged)).isInstanceOf(IOException.class)
            .hasMessage("no certificate in " + damaged);
    }

    private PeerServer serve(final String at, final String certificate)
    {
        return peer.serve(new Peer.ServeRequest(at, 0, folder, settings(certificate)));
    }

    private void connect(final String at, final String certificate, final long timeoutNs)
    {
        try (TransportConnector connector = peer.newConnector(
            new TransportRequest(at, 288, 1, true, settings(certificate), (error) -> { }));
            Transport transport = connector.newTransport())
        {
            transport.connect(timeoutNs);
            assertThat(transport.trySend(new UnsafeBuffer(new byte[288]), 0, 288)).isEqualTo(SendResult.SENT);
        }
    }

    private Settings settings(final String certificate)
    {
        return new Settings("peer.", peer.settings()).put(GrpcTls.CERTIFICATE.key(), certificate, "the test");
    }
}
