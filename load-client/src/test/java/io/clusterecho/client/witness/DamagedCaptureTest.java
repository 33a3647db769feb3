package io.clusterecho.client.witness;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.clusterecho.testing.Fuzz;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whatever is in a packet capture: its datagrams are read, or the message names the file.
 */
class DamagedCaptureTest
{
    private static final long TIME_NS = 1_795_000_000_123_456_000L;
    private static final byte[] PAYLOAD = new byte[64];

    @TempDir
    private Path folder;

    @Test
    void shouldReadOrRefuseACapture() throws IOException
    {
        final Path file = folder.resolve("packets.pcap");
        final byte[] sample = CaptureFile.ofThisMachine().udp(TIME_NS, 20_000, PAYLOAD).tcp(TIME_NS)
            .udpOverIp6(TIME_NS, 20_001, PAYLOAD).tagged(TIME_NS, 20_002, PAYLOAD).piece(TIME_NS, 9, 0x00b9, PAYLOAD).bytes();

        assertThat(Fuzz.run("capture", 5_000, List.of(sample), List.of(IOException.class), (input) ->
        {
            Files.write(file, input);
            final PacketCapture capture = new PacketCapture(file);
            capture.read((timeNs, port, payload) -> assertThat(port).isBetween(0, 65_535));
            assertThat(capture.cutCount()).isLessThanOrEqualTo(capture.packetCount());
        })).isPositive();
    }
}
