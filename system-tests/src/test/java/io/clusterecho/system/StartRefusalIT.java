package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("any-driver")
class StartRefusalIT
{
    private static final int CONSENSUS_PORT_OFFSET = 1;

    @RegisterExtension
    private final EchoCluster cluster = new EchoCluster(1);

    @Tag("matrix-29")
    @Test
    void shouldNameAPortInUseAndStartNothing() throws IOException
    {
        final int port = cluster.basePort() + CONSENSUS_PORT_OFFSET;
        try (DatagramSocket ignore = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), port)))
        {
            final CommandResult start = cluster.command("start");
            assertThat(start.exitCode()).as("%s", start).isEqualTo(2);
            assertThat(start.err()).contains("127.0.0.1:" + port).contains("consensus");
        }
        cluster.assertNothingIsLeft();
    }

    @Test
    void shouldNameAProcessorThatDoesNotExist()
    {
        final CommandResult start = cluster.with("echo.cores", "4000").command("start");
        assertThat(start.exitCode()).as("%s", start).isEqualTo(2);
        assertThat(start.err()).contains("echo.cores=4000 is not allowed: online processors");
        cluster.assertNothingIsLeft();
    }

    /** As doctor does: eight spinning threads of the member, two of a load client, and a core for the system. */
    @Test
    void shouldWarnOfSpinningThreadsThatShareCores()
    {
        final CommandResult start = cluster.with("echo.profile", "dedicated").command("start", "--deadline", "50ms");
        assertThat(start.exitCode()).as("%s", start).isEqualTo(3);
        final int cores = Runtime.getRuntime().availableProcessors();
        final String warning = "warning: " + cores + " processors for 1 member of profile dedicated and 1 load client; " +
            "wanted: 11: 8 for each member";
        assertThat(start.err().contains(warning)).as(start.err()).isEqualTo(cores < 11);
        cluster.assertNothingIsLeft();
    }

    @Test
    void shouldGiveUpAtTheDeadlineAndStopWhatItStarted()
    {
        final CommandResult start = cluster.command("start", "--deadline", "50ms");
        assertThat(start.exitCode()).as("%s", start).isEqualTo(3);
        assertThat(start.err()).contains("no leader").contains(cluster.members().get(0).logFile().toString());
        cluster.assertNothingIsLeft();
    }
}
