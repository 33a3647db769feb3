package io.clusterecho.client.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;

import io.clusterecho.client.transport.NotConnectedException;
import io.clusterecho.host.HostFiles;
import io.clusterecho.platform.SelfAdvancingClock;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LocalPortsTest
{
    private static final String HEADER = "   sl  local_address rem_address   st tx_queue rx_queue\n";
    private static final String ENDPOINTS = "0=127.0.0.1:20000,1=localhost:20010";

    @TempDir
    private Path folder;

    private final SelfAdvancingClock clock = new SelfAdvancingClock(Long.MAX_VALUE, this::bind);
    private final long beginNs = clock.nanoTime();
    private long bindNs = Long.MAX_VALUE;

    @Test
    void shouldSeeASocketOfThisMachine() throws IOException
    {
        final int port;
        try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress()))
        {
            port = socket.getLocalPort();
            assertThatCode(() -> new LocalPorts().await("0=127.0.0.1:" + port, 1)).doesNotThrowAnyException();
        }
        assertThatThrownBy(() -> new LocalPorts().await("0=127.0.0.1:" + port, 1)).isInstanceOf(NotConnectedException.class)
            .hasMessageContaining("UDP port " + port + ";").hasMessageContaining("cluster-node.jar start");
    }

    @ParameterizedTest
    @CsvSource({ "1000000, 1000000", "10000000000, 1000000000", "60000000000, 60000000000" })
    void shouldWaitNoLongerThanAClusterNeedsToAppear(final long connectTimeoutNs, final long expectedNs) throws IOException
    {
        Files.writeString(table(), HEADER + row("0100007F:0035"));
        assertThatThrownBy(() -> new LocalPorts(new HostFiles(folder), clock).await(ENDPOINTS, connectTimeoutNs))
            .isInstanceOf(NotConnectedException.class).hasMessageContaining("20000, 20010");
        assertThat(waitedNs()).isBetween(expectedNs, expectedNs + 50_000_000);
    }

    @Test
    void shouldNoticeAMemberThatStarts() throws IOException
    {
        Files.writeString(table(), HEADER + row("0100007F:0035"));
        bindNs = 500_000_000L;
        new LocalPorts(new HostFiles(folder), clock).await(ENDPOINTS, 10_000_000_000L);
        assertThat(waitedNs()).isEqualTo(bindNs);
    }

    @Test
    void shouldNotJudgeOtherHostsNorSystemsWithoutATable() throws IOException
    {
        Files.writeString(table(), HEADER + row("0100007F:0035"));
        new LocalPorts(new HostFiles(folder), clock).await("0=127.0.0.1:20000,1=192.0.2.1:20010", 1);
        new LocalPorts(new HostFiles(folder.resolve("none")), clock).await(ENDPOINTS, 1);
        assertThat(waitedNs()).isZero();
    }

    private long waitedNs()
    {
        return clock.nanoTime() - beginNs;
    }

    private void bind()
    {
        if (waitedNs() >= bindNs)
        {
            try
            {
                // Port 20010, bound to any address.
                Files.writeString(table(), HEADER + row("00000000:4E2A"));
            }
            catch (final IOException ex)
            {
                throw new AssertionError(ex);
            }
        }
    }

    private Path table() throws IOException
    {
        return Files.createDirectories(folder.resolve("proc/net")).resolve("udp");
    }

    private static String row(final String localAddress)
    {
        return "  163: " + localAddress + " 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 1\n";
    }
}
