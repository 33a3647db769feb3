package io.clusterecho.platform;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;

import org.junit.jupiter.api.Test;

class PathMtuTest
{
    @Test
    void shouldLeaveRoomForTheHeadersOfIpAndUdp() throws UnknownHostException
    {
        assertThat(PathMtu.of("eth0", 1500, InetAddress.getByName("192.0.2.1")).datagramLength()).isEqualTo(1472);
        assertThat(PathMtu.of("eth0", 9001, InetAddress.getByName("2001:db8::1")).datagramLength()).isEqualTo(8953);
    }

    @Test
    void shouldWarnOfDatagramsThatDoNotFitAndOfNoOthers() throws UnknownHostException
    {
        final PathMtu path = PathMtu.of("eth0", 1500, InetAddress.getByName("192.0.2.1"));
        assertThat(path.warning("echo.mtu", 1472, "192.0.2.1")).isEmpty();
        assertThat(path.warning("echo.mtu", 8192, "192.0.2.1").orElseThrow())
            .contains("echo.mtu=8192", "192.0.2.1", "eth0", "1500", "1472 at most", "fragments");
    }

    @Test
    void shouldKnowWhatLoopbackCarries() throws SocketException
    {
        final PathMtu path = PathMtu.to("127.0.0.3").orElseThrow();
        assertThat(path.mtuLength())
            .isEqualTo(NetworkInterface.getByInetAddress(InetAddress.getLoopbackAddress()).getMTU());
    }

    @Test
    void shouldKnowNothingOfAHostThatCannotBeResolved()
    {
        assertThat(PathMtu.to("no-such-host.invalid")).isEmpty();
    }
}
