package io.clusterecho.platform;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;

import org.junit.jupiter.api.Test;

class PathMtuTest
{
    private static final String HOST = "192.0.2.1";
    private static final int LOOPBACK_MTU = 65_536;

    @Test
    void shouldLeaveRoomForTheHeadersOfIpAndUdp() throws UnknownHostException
    {
        assertThat(path(1500).datagramLength()).isEqualTo(1472);
        assertThat(PathMtu.of(
            "eth0", 9001, InetAddress.getByName("2001:db8::1"), PathMtu.Source.INTERFACE, "").datagramLength())
            .isEqualTo(8953);
    }

    @Test
    void shouldWarnOfDatagramsThatDoNotFitAndOfNoOthers() throws UnknownHostException
    {
        assertThat(path(1500).warning("echo.mtu", 1472, HOST)).isEmpty();
        assertThat(path(1500).warning("echo.mtu", 8192, HOST).orElseThrow())
            .contains("echo.mtu=8192", HOST, "eth0", "1500", "1472 at most", "fragments");
    }

    @Test
    void shouldTakeWhatARouterToldForTheMtuOfThePath() throws UnknownHostException
    {
        final PathMtu path = path(9000).answered("1400 1372 silent\n");
        assertThat(path.source()).isEqualTo(PathMtu.Source.TOLD);
        assertThat(path.mtuLength()).isEqualTo(1400);
        assertThat(path.gap(HOST)).isEmpty();
        assertThat(path.warning("mtu", 1372, HOST)).isEmpty();
        assertThat(path.warning("mtu", 4096, HOST).orElseThrow())
            .contains("mtu=4096", "a link on the way has an MTU of 1400", "eth0 has 9000", "1372 at most", "fragments");
    }

    @Test
    void shouldKnowALinkThatDropsLongDatagramsAndSaysNothing() throws UnknownHostException
    {
        final PathMtu path = path(9000).answered("9000 1376 lost\n");
        assertThat(path.source()).isEqualTo(PathMtu.Source.LOST);
        assertThat(path.gap(HOST)).isEmpty();
        assertThat(path.warning("mtu", 4096, HOST).orElseThrow())
            .contains("longer datagrams are lost on the way", "1376 at most").doesNotContain("fragments");
    }

    @Test
    void shouldBeContentWithAPathThatCarriesWhatTheInterfaceDoes() throws UnknownHostException
    {
        final PathMtu path = path(9000).answered("9000 4096 whole\n");
        assertThat(path.isMeasured()).isTrue();
        assertThat(path.gap(HOST)).isEmpty();
        assertThat(path.warning("mtu", 4096, HOST)).isEmpty();
        assertThat(path.warning("mtu", 9000, HOST).orElseThrow()).contains("eth0 has an MTU of 9000", "8972 at most");
    }

    @Test
    void shouldSayWhyNothingIsKnownBeyondTheInterface() throws UnknownHostException
    {
        assertThat(path(1500).answered("1500 1472 silent\n").gap(HOST).orElseThrow())
            .isEqualTo("the path to " + HOST + " is known as far as eth0, with an MTU of 1500, and not beyond: it does not " +
            "answer");
        final String trace = "Traceback (most recent call last):\n  File x\nOSError: [Errno 101] Network is unreachable\n";
        assertThat(path(1500).answered(trace).gap(HOST).orElseThrow()).endsWith(": OSError: [Errno 101] Network is unreachable");
    }

    /** Needs python3, as does whoever wants to know more than the interface; without, that must be what is said. */
    @Test
    void shouldMeasureWithDatagramsToAPortAtWhichNobodyListens() throws IOException
    {
        final PathMtu loopback = PathMtu.of(
            "lo", LOOPBACK_MTU, InetAddress.getLoopbackAddress(), PathMtu.Source.INTERFACE, "not asked for");
        final PathMtu path = loopback.measured("127.0.0.1", freePort(), 8192);
        if (path.isMeasured())
        {
            assertThat(path.source()).isEqualTo(PathMtu.Source.ARRIVED);
            assertThat(path.mtuLength()).isEqualTo(LOOPBACK_MTU);
        }
        else
        {
            assertThat(path.unknown()).isEqualTo("there is no python3 here that could ask");
        }
    }

    @Test
    void shouldKnowWhatLoopbackCarriesWithoutAsking() throws SocketException
    {
        final PathMtu path = PathMtu.to("127.0.0.3", 9, 8192).orElseThrow();
        assertThat(path.isMeasured()).isTrue();
        assertThat(path.mtuLength())
            .isEqualTo(NetworkInterface.getByInetAddress(InetAddress.getLoopbackAddress()).getMTU());
    }

    @Test
    void shouldKnowNothingOfAHostThatCannotBeResolved()
    {
        assertThat(PathMtu.to("no-such-host.invalid", 9, 8192)).isEmpty();
    }

    private static PathMtu path(final int mtuLength) throws UnknownHostException
    {
        return PathMtu.of("eth0", mtuLength, InetAddress.getByName(HOST), PathMtu.Source.INTERFACE, "not asked for");
    }

    private static int freePort() throws IOException
    {
        try (DatagramSocket socket = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)))
        {
            return socket.getLocalPort();
        }
    }
}
