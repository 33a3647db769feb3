package io.clusterecho.platform;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;

import io.clusterecho.testing.FreePorts;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PathMtuTest
{
    private static final String HOST = "192.0.2.1";
    private static final int LOOPBACK_MTU = 65_536;

    @Test
    void shouldLeaveRoomForTheHeadersOfIpAndUdp() throws UnknownHostException
    {
        assertThat(path(1500).datagramLength()).isEqualTo(1472);
        assertThat(PathMtu.of("eth0", 9001, InetAddress.getByName("2001:db8::1")).datagramLength()).isEqualTo(8953);
    }

    @Test
    void shouldWarnOnlyOfDatagramsThatDoNotFit() throws UnknownHostException
    {
        assertThat(path(1500).warning("echo.mtu", 1472, HOST)).isEmpty();
        assertThat(path(1500).warning("echo.mtu", 8192, HOST).orElseThrow())
            .contains("echo.mtu=8192", HOST, "eth0", "1500", "at most 1472", "fragmented");
    }

    @Test
    void shouldTakeWhatARouterToldForTheMtuOfThePath() throws UnknownHostException
    {
        final PathMtu path = path(9000).answered(1400, 1372, false, false);
        assertThat(path.mtuLength()).isEqualTo(1400);
        assertThat(path.gap(HOST)).isEmpty();
        assertThat(path.warning("mtu", 1372, HOST)).isEmpty();
        assertThat(path.warning("mtu", 4096, HOST).orElseThrow())
            .contains("mtu=4096", "a link on the path has a measured MTU of 1400", "eth0 has 9000", "at most 1372", "fragmented");
    }

    @Test
    void shouldAcceptAPathWithTheMtuOfTheInterface() throws UnknownHostException
    {
        final PathMtu path = path(9000).answered(9000, 4096, true, false);
        assertThat(path.unknown()).isEmpty();
        assertThat(path.gap(HOST)).isEmpty();
        assertThat(path.warning("mtu", 4096, HOST)).isEmpty();
        assertThat(path.warning("mtu", 9000, HOST).orElseThrow()).contains("eth0 has an MTU of 9000", "at most 8972");
    }

    @Test
    void shouldSayWhyNothingIsKnownBeyondTheInterface() throws UnknownHostException
    {
        assertThat(path(1500).answered(1500, 1472, false, false).gap(HOST).orElseThrow()).isEqualTo(
            "the path to " + HOST + " is known only up to eth0, with an MTU of 1500: it does not answer");
        assertThat(path(1500).answered(1500, 1472, false, true).gap(HOST).orElseThrow())
            .endsWith(": it answers a short datagram, but none of 1472 bytes, which may be lost on the way");
    }

    @ParameterizedTest
    @ValueSource(strings = { "127.0.0.1", "::1" })
    void shouldMeasureWithDatagramsToAPortAtWhichNobodyListens(final String address) throws IOException
    {
        final InetAddress host = InetAddress.getByName(address);
        final PathMtu path = PathMtu.of("lo", LOOPBACK_MTU, host).measured(host, FreePorts.block(), 8192);
        assertThat(path.unknown()).isEmpty();
        assertThat(path.mtuLength()).isEqualTo(LOOPBACK_MTU);
    }

    @Test
    void shouldReportWhyNothingCouldBeSent() throws UnknownHostException
    {
        final InetAddress all = InetAddress.getByName("255.255.255.255");
        assertThat(PathMtu.of("lo", LOOPBACK_MTU, all).measured(all, 9, 8192).unknown()).contains("Permission denied");
    }

    @Test
    void shouldKnowWhatLoopbackCarriesWithoutAsking() throws SocketException
    {
        final PathMtu path = PathMtu.to("127.0.0.3", 9, 8192).orElseThrow();
        assertThat(path.unknown()).isEmpty();
        assertThat(path.mtuLength())
            .isEqualTo(NetworkInterface.getByInetAddress(InetAddress.getLoopbackAddress()).getMTU());
    }

    @Test
    void shouldReportNoPathToAHostThatDoesNotResolve()
    {
        assertThat(PathMtu.to("no-such-host.invalid", 9, 8192)).isEmpty();
    }

    private static PathMtu path(final int mtuLength) throws UnknownHostException
    {
        return PathMtu.of("eth0", mtuLength, InetAddress.getByName(HOST));
    }
}
