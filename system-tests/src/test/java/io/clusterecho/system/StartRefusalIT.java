package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.clusterecho.testing.Need;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

@Tag("any-driver")
class StartRefusalIT
{
    private static final int CONSENSUS_PORT_OFFSET = 1;
    private static final long TIMEOUT_NS = 120_000_000_000L;

    @RegisterExtension
    private final EchoCluster cluster = new EchoCluster(1);

    @TempDir
    private Path folder;

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

    /** A new network namespace has a loopback interface that is down. */
    @Test
    void shouldNameALoopbackInterfaceThatIsDown()
    {
        Need.root();
        final List<String> command = new ArrayList<>(List.of("unshare", "--net"));
        command.addAll(EchoCluster.java("cluster-node.jar", List.of("start", "--base-dir", cluster.baseDir().toString())));
        final CommandResult start = RunningCommand.start(command, folder).await(TIMEOUT_NS);
        assertThat(start.exitCode()).as("%s", start).isEqualTo(2);
        assertThat(start.err()).contains("echo.hosts=127.0.0.1", "ip link set lo up").hasLineCount(1);
        cluster.assertNothingIsLeft();
    }

    @Test
    void shouldUseAFolderOfAnyNameInALocaleWithoutIt() throws IOException
    {
        final Path other = Files.createDirectory(folder.resolve("größe-データ"));
        final CommandResult status = RunningCommand.start(
            List.of(
                "env", "LC_ALL=C", EchoCluster.ROOT.resolve("bin/cluster-node").toString(), "status", "--base-dir",
                other.toString()),
            folder).await(TIMEOUT_NS);
        assertThat(status.exitCode()).as("%s", status).isEqualTo(3);
        assertThat(status.out() + status.err()).contains(other.toString());
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
