package io.clusterecho.control.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;

import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.clusterecho.node.member.MemberFolder;
import io.clusterecho.testing.FreePorts;

class LeftoverChecksTest
{
    @TempDir
    private Path root;

    @Test
    void shouldNameTheFoldersOfDeadDriversAndOfNoOthers()
    {
        final RecordedHost host = new RecordedHost(root).put("dev/shm/someone-elses/file", "");
        final MediaDriver.Context ctx = new MediaDriver.Context()
            .aeronDirectoryName(root.resolve("dev/shm/cluster-echo-living-0").toString())
            .threadingMode(ThreadingMode.INVOKER);
        try (MediaDriver driver = MediaDriver.launch(ctx))
        {
            assertThat(driver.aeronDirectoryName()).isNotEmpty();
            assertThat(checks(host).driverFolders().found()).isEqualTo("none dead, 1 in use");
            host.put("dev/shm/cluster-echo-12345678-0/cnc.dat", "cut off");
            final Check check = checks(host).driverFolders();
            assertThat(check.level()).isEqualTo(Check.Level.WARN);
            assertThat(check.fix()).isEqualTo("rm -r /dev/shm/cluster-echo-12345678-0");
        }
    }

    @Test
    void shouldNotLetANameBecomeACommand()
    {
        final RecordedHost host = new RecordedHost(root).put("dev/shm/cluster-echo-; id'x/file", "");
        assertThat(checks(host).driverFolders().fix()).isEqualTo("rm -r '/dev/shm/cluster-echo-; id'\\''x'");
    }

    @Test
    void shouldTellFoldersInUseFromThoseOfEndedMembers() throws IOException
    {
        final RecordedHost host = new RecordedHost(root);
        final HostPlan plan = host.plan("compact", 1);
        assertThat(checks(host).memberFolders().level()).isEqualTo(Check.Level.OK);
        try (MemberFolder folder = MemberFolder.open(plan.config()))
        {
            assertThat(checks(host).memberFolders().found()).isEqualTo("in use: " + folder.dir());
            assertThat(checks(host).memberFolders().level()).isEqualTo(Check.Level.FAIL);
            Files.writeString(folder.archiveDir().resolve("archive-mark.dat"), "mark");
        }
        assertThat(checks(host).memberFolders().level()).isEqualTo(Check.Level.WARN);
        assertThat(checks(host).memberFolders().fix())
            .isEqualTo(
                "java -jar cluster-node.jar stop --base-dir " + plan.config().baseDir() +
                " --delete-data # starts with an empty log");
    }

    @Test
    void shouldNameATakenPort() throws IOException
    {
        final RecordedHost host = new RecordedHost(root);
        try (DatagramSocket taken = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)))
        {
            final HostPlan plan = host.plan("compact", 1, "echo.base.port", String.valueOf(taken.getLocalPort()));
            final Check check = new StorageChecks(plan, host.files(), StorageChecks::space).ports();
            assertThat(check.level()).isEqualTo(Check.Level.FAIL);
            assertThat(check.found()).contains("127.0.0.1:" + taken.getLocalPort());
        }
    }

    @Test
    void shouldWarnOfPortsThatTheKernelGivesToClients()
    {
        final RecordedHost host = new RecordedHost(root).put("proc/sys/net/ipv4/ip_local_port_range", "32768\t60999\n");
        final int firstPort = FreePorts.block();
        assertThat(ports(host, firstPort).level()).isEqualTo(Check.Level.OK);
        host.put("proc/sys/net/ipv4/ip_local_port_range", firstPort + 19 + "\t60999\n");
        assertThat(ports(host, firstPort).level()).isEqualTo(Check.Level.WARN);
        assertThat(ports(host, firstPort).found()).contains(firstPort + " to " + (firstPort + 29), firstPort + 19 + "-60999");
        assertThat(ports(host, firstPort).fix()).isEqualTo("scripts/start-cluster.sh --base-port 20000");
        host.put("proc/sys/net/ipv4/ip_local_port_range", "1024\t" + (firstPort - 1) + "\n");
        assertThat(ports(host, firstPort).level()).isEqualTo(Check.Level.OK);
    }

    private static Check ports(final RecordedHost host, final int firstPort)
    {
        final HostPlan plan = host.plan("compact", 3, "echo.base.port", String.valueOf(firstPort));
        return new StorageChecks(plan, host.files(), StorageChecks::space).ports();
    }

    private static StorageChecks checks(final RecordedHost host)
    {
        return new StorageChecks(host.plan("compact", 1), host.files(), StorageChecks::space);
    }
}
