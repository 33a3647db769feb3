package io.clusterecho.client.witness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PacketCaptureTest
{
    private static final long TIME_NS = 1_795_000_000_123_456_000L;
    private static final byte[] PAYLOAD = { 1, 2, 3, 4, 5 };

    @TempDir
    private Path folder;

    private final List<String> found = new ArrayList<>();

    @ParameterizedTest
    @CsvSource({
        "true, true, 1", "true, false, 1", "false, true, 1", "false, false, 1", "false, true, 101", "false, true, 113",
        "false, true, 276", "false, true, 0", "true, true, 0", "true, false, 276" })
    void shouldReadEachByteOrderStampAndLinkType(final boolean isBigEndian, final boolean isInNs, final int linkType)
        throws IOException
    {
        final CaptureFile file = new CaptureFile(
            isBigEndian ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN, isInNs, linkType, 262_144)
            .udp(TIME_NS + 789, 20_000, PAYLOAD).tcp(TIME_NS).udp(TIME_NS + 1_000, 65_535, new byte[0])
            .udpOverIp6(TIME_NS + 2_000, 1, PAYLOAD);
        final PacketCapture capture = read(file.bytes());
        assertThat(found).containsExactly(
            TIME_NS + (isInNs ? 789 : 0) + " 20000 [1, 2, 3, 4, 5]", TIME_NS + 1_000 + " 65535 []",
            TIME_NS + 2_000 + " 1 [1, 2, 3, 4, 5]");
        assertThat(capture.packetCount()).isEqualTo(4);
        assertThat(capture.cutCount()).isZero();
        assertThat(capture.isFileCut()).isFalse();
    }

    @Test
    void shouldReadTaggedPacketsAndSkipPieces() throws IOException
    {
        final PacketCapture capture = read(CaptureFile.ofThisMachine().tagged(TIME_NS, 7, PAYLOAD)
            .piece(TIME_NS, 8, 0x2000, PAYLOAD).piece(TIME_NS, 9, 0x00b9, PAYLOAD).piece(TIME_NS, 10, 0x4000, PAYLOAD).bytes());
        // 0x4000 is "don't fragment".
        assertThat(found).containsExactly(TIME_NS + " 7 [1, 2, 3, 4, 5]", TIME_NS + " 10 [1, 2, 3, 4, 5]");
        assertThat(capture.pieceCount()).isEqualTo(2);
    }

    @Test
    void shouldReadUpToWhereAFileIsCut() throws IOException
    {
        final byte[] whole = CaptureFile.ofThisMachine().udp(TIME_NS, 1, PAYLOAD).udp(TIME_NS, 2, PAYLOAD).bytes();
        for (final int missing : new int[]{ 1, 20, 50, 60 })
        {
            found.clear();
            final PacketCapture capture = read(Arrays.copyOf(whole, whole.length - missing));
            assertThat(capture.isFileCut()).as("%d bytes missing", missing).isTrue();
            assertThat(found).containsExactly(TIME_NS + " 1 [1, 2, 3, 4, 5]");
        }
    }

    @Test
    void shouldCountPacketsBeyondTheSnapshotLength() throws IOException
    {
        final PacketCapture capture = read(new CaptureFile(ByteOrder.LITTLE_ENDIAN, true, 1, 14 + 24 + 8 + 2)
            .udp(TIME_NS, 1, PAYLOAD).udp(TIME_NS, 2, new byte[]{ 9 }).bytes());
        assertThat(capture.cutCount()).isEqualTo(1);
        assertThat(found).containsExactly(TIME_NS + " 1 [1, 2]", TIME_NS + " 2 [9]");
    }

    @ParameterizedTest
    @CsvSource({ "0", "10", "14", "30", "40", "44" })
    void shouldSkipPacketsCutWithinTheirHeaders(final int snapLength) throws IOException
    {
        final PacketCapture capture = read(new CaptureFile(ByteOrder.LITTLE_ENDIAN, true, 1, snapLength)
            .udp(TIME_NS, 1, PAYLOAD).udpOverIp6(TIME_NS, 2, PAYLOAD).bytes());
        assertThat(found).isEmpty();
        assertThat(capture.cutCount()).isEqualTo(2);
    }

    @Test
    void shouldRefuseWhatIsNoCapture() throws IOException
    {
        assertRefused(new byte[0], "it has 0 bytes");
        assertRefused(ByteBuffer.allocate(24).putInt(0x0a0d0d0a).array(), "pcapng");
        assertRefused(ByteBuffer.allocate(24).putInt(0x01020304).array(), "begins with 01020304");
        assertRefused(new CaptureFile(ByteOrder.LITTLE_ENDIAN, true, 147, 100).bytes(), "link type 147");
        assertRefused(
            CaptureFile.ofThisMachine().raw(ByteBuffer.allocate(16).putInt(8, -1).array()).bytes(), "packet 1 has -1 bytes");
    }

    private void assertRefused(final byte[] bytes, final String reason)
    {
        assertThatThrownBy(() -> read(bytes)).isInstanceOf(IOException.class).hasMessageContaining("capture.pcap")
            .hasMessageContaining(reason);
    }

    private PacketCapture read(final byte[] bytes) throws IOException
    {
        final PacketCapture capture = new PacketCapture(Files.write(folder.resolve("capture.pcap"), bytes));
        capture.read((timeNs, port, payload) ->
        {
            final byte[] content = new byte[payload.remaining()];
            payload.get(content);
            found.add(timeNs + " " + port + " " + Arrays.toString(content));
        });
        return capture;
    }
}
