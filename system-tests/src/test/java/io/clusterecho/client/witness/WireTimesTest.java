package io.clusterecho.client.witness;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WireTimesTest
{
    private static final int INGRESS = 20_000;
    private static final int LOG = 20_003;
    private static final int EGRESS = 45_678;
    private static final int WHOLE = 0xc0;
    private static final int REQUEST = 1;
    private static final int REPLY = 2;
    private static final int REPEATED = 4;
    private static final long CLIENT = 1_000_000_000_007L;

    @TempDir
    private Path folder;

    private final CaptureFile file = CaptureFile.ofThisMachine();
    private final WireTimes wire = new WireTimes(CLIENT, 2, 6, Set.of(INGRESS, 20_010));

    @Test
    void shouldFindRequestsAndRepliesInBatches() throws IOException
    {
        file.udp(1_000, INGRESS, CaptureFile.join(frame(REQUEST, 0, 0), frame(REQUEST, 1, 0), frame(REQUEST, 0, 1)))
            .udp(2_000, 20_010, frame(REQUEST, 1, 1))
            .udp(5_000, EGRESS, frame(REPLY, 0, 0))
            .udp(9_000, EGRESS, CaptureFile.join(frame(REPLY, 1, 0), frame(REPLY, 0, 1), frame(REPEATED, 1, 1)));
        read();
        assertThat(times()).containsExactly(4_000, 8_000, 8_000, 7_000, WireTimes.NONE, WireTimes.NONE);
        assertThat(wire.fragmentCount()).isZero();
        assertThat(wire.cutCount()).isZero();
    }

    @Test
    void shouldNotTakeTheLogForTheIngress() throws IOException
    {
        file.udp(3_000, LOG, frame(REQUEST, 0, 0)).udp(5_000, EGRESS, frame(REPLY, 0, 0));
        read();
        assertThat(wire.serviceTimeNs(0)).isEqualTo(WireTimes.NONE);
    }

    @Test
    void shouldCountFromTheFirstOfSeveralCopies() throws IOException
    {
        file.udp(1_500, INGRESS, frame(REQUEST, 0, 0)).udp(1_000, INGRESS, frame(REQUEST, 0, 0))
            .udp(8_000, EGRESS, frame(REPLY, 0, 0)).udp(9_000, EGRESS, frame(REPEATED, 0, 0));
        read();
        assertThat(wire.serviceTimeNs(0)).isEqualTo(7_000);
    }

    @Test
    void shouldRefuseFragments() throws IOException
    {
        file.udp(1_000, INGRESS, CaptureFile.frame(0x80, REQUEST, CLIENT, 0))
            .udp(2_000, EGRESS, CaptureFile.frame(0x40, REPLY, CLIENT, 0));
        read();
        assertThat(wire.fragmentCount()).isEqualTo(2);
        assertThat(wire.serviceTimeNs(0)).isEqualTo(WireTimes.NONE);
    }

    @Test
    void shouldIgnoreWhatIsNotOfThisRun() throws IOException
    {
        file.udp(1_000, INGRESS, CaptureFile.join(
            CaptureFile.frame(WHOLE, REQUEST, CLIENT - 1, 0), CaptureFile.frame(WHOLE, REQUEST, CLIENT + 2, 0),
            frame(REQUEST, 0, 3), frame(REQUEST, 0, -1), frame(REQUEST, 0, Long.MAX_VALUE / 2)))
            .udp(1_000, INGRESS, new byte[3]).udp(1_000, INGRESS, new byte[32]).udp(1_000, INGRESS, new byte[200])
            .udp(1_000, INGRESS, otherSchema()).udp(1_000, INGRESS, otherType());
        for (int i = 0; i < 3; i++)
        {
            file.udp(2_000, EGRESS, CaptureFile.join(frame(REPLY, 0, i), frame(REPLY, 1, i)));
        }
        read();
        assertThat(times()).containsOnly(WireTimes.NONE);
    }

    @Test
    void shouldReadTheFirstFramesOfADatagramThatWasCut() throws IOException
    {
        final CaptureFile cut = new CaptureFile(ByteOrder.LITTLE_ENDIAN, true, 1, 14 + 24 + 8 + 128 + 64 + 31);
        cut.udp(1_000, INGRESS, CaptureFile.join(frame(REQUEST, 0, 0), frame(REQUEST, 0, 1)))
            .udp(2_000, EGRESS, frame(REPLY, 0, 0)).udp(3_000, EGRESS, frame(REPLY, 0, 1));
        final PacketCapture capture = new PacketCapture(cut.write(folder.resolve("cut.pcap")));
        capture.read(wire);
        assertThat(wire.serviceTimeNs(0)).isEqualTo(1_000);
        assertThat(wire.serviceTimeNs(2)).isEqualTo(WireTimes.NONE);
        assertThat(wire.cutCount()).isEqualTo(1);
        assertThat(capture.cutCount()).isEqualTo(1);
    }

    private static byte[] otherSchema()
    {
        final byte[] frame = frame(REQUEST, 0, 0);
        frame[36] = 101;
        return frame;
    }

    private static byte[] otherType()
    {
        final byte[] frame = frame(REQUEST, 0, 0);
        frame[6] = 0;
        return frame;
    }

    private static byte[] frame(final int templateId, final int session, final long sequence)
    {
        return CaptureFile.frame(WHOLE, templateId, CLIENT + session, sequence);
    }

    private long[] times()
    {
        final long[] times = new long[6];
        Arrays.setAll(times, wire::serviceTimeNs);
        return times;
    }

    private void read() throws IOException
    {
        new PacketCapture(file.write(folder.resolve("one.pcap"))).read(wire);
    }
}
