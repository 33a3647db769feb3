package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.tools.attach.VirtualMachine;

import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.testing.Need;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Injects faults into real processes under load; the diagnosis must name them. */
class DiagnosisIT
{
    private static final long RUN_TIMEOUT_NS = 180_000_000_000L;
    private static final long PAUSE_NS = 2_000_000_000L;

    @RegisterExtension
    private final EchoCluster cluster = new EchoCluster(3).withoutElections();

    @TempDir
    private Path folder;

    private Path strace;

    /** Packet loss is emulated by a class of the Java driver. */
    @Tag("matrix-24")
    @Test
    @Tag("java-driver")
    void shouldNameLoss()
    {
        cluster.with("aeron.ReceiveChannelEndpoint.supplier", "io.aeron.driver.ext.DebugReceiveChannelEndpointSupplier")
            .with("aeron.debug.receive.data.loss.rate", "0.02").with("aeron.debug.receive.data.loss.seed", "7");
        cluster.start();
        final JsonNode result = result(start());
        assertNamed(result, "loss", "member-");
        assertThat(shareOf(result, "loss")).isGreaterThan(0.5);
        assertThat(result.at("/diagnosis/long").asBoolean()).isTrue();
    }

    @Test
    @Tag("slow")
    void shouldNameAFollowerThatWasStopped()
    {
        cluster.start();
        final ClusterMember follower = cluster.follower();
        final RunningCommand client = start();
        client.awaitProgress("measure");
        cluster.pause(follower);
        LockSupport.parkNanos(PAUSE_NS);
        cluster.resume(follower);
        final JsonNode result = result(client);
        assertNamed(result, "stopped", "member-" + follower.memberId() + " ");
    }

    @Tag("matrix-34")
    @Test
    @Tag("slow")
    void shouldNameOtherProgramsThatTakeTheCores() throws IOException
    {
        cluster.start();
        final List<Process> hogs = new ArrayList<>();
        try
        {
            for (int i = 0; i < 2 * Runtime.getRuntime().availableProcessors(); i++)
            {
                hogs.add(new ProcessBuilder("sh", "-c", "while :; do :; done").start());
            }
            final JsonNode result = result(start());
            assertNamed(result, "other-programs", "cores");
            assertNamed(result, "few-cores", "client ");
        }
        finally
        {
            hogs.forEach(Process::destroyForcibly);
        }
    }

    @Tag("matrix-34")
    @Test
    @Tag("slow")
    void shouldNameGarbageCollections() throws Exception
    {
        cluster.start();
        final ClusterMember leader = cluster.awaitLeader();
        final RunningCommand client = start();
        client.awaitProgress("measure");
        final VirtualMachine jvm = VirtualMachine.attach(String.valueOf(leader.pid().orElseThrow()));
        try (JMXConnector connector = JMXConnectorFactory.connect(new JMXServiceURL(jvm.startLocalManagementAgent())))
        {
            final MBeanServerConnection beans = connector.getMBeanServerConnection();
            final ObjectName memory = new ObjectName(ManagementFactory.MEMORY_MXBEAN_NAME);
            final long endNs = System.nanoTime() + 5_000_000_000L;
            while (System.nanoTime() - endNs < 0)
            {
                beans.invoke(memory, "gc", new Object[0], new String[0]);
                LockSupport.parkNanos(10_000_000L);
            }
        }
        finally
        {
            jvm.detach();
        }
        assertNamed(result(client), "collection", "member-" + leader.memberId() + " ");
    }

    @Tag("matrix-25")
    @Test
    @Tag("slow")
    void shouldNameASlowDisk() throws IOException
    {
        strace = Need.STRACE.program();
        cluster.with("echo.fsync", "1");
        final String realHome = System.getProperty("java.home");
        // Members are started with the JVM of this process, wrapped so that their flushes take 20 ms.
        System.setProperty("java.home", slowHome(Path.of(realHome)).toString());
        try
        {
            cluster.start();
        }
        finally
        {
            System.setProperty("java.home", realHome);
        }
        final JsonNode result = result(start(200));
        assertNamed(result, "disk", "in writes");
        assertThat(result.get("durability").asText()).startsWith("fsync 1");
    }

    /**
     * The JDK with a java that runs under strace, which delays the end of each flush. The tracer is a grandchild, so the process
     * keeps the pid with which it was started.
     */
    private Path slowHome(final Path home) throws IOException
    {
        final Path slow = Files.createDirectory(folder.resolve("slow-jdk"));
        final Path bin = Files.createDirectory(slow.resolve("bin"));
        link(home, slow, "bin");
        link(home.resolve("bin"), bin, "java");
        final File java = Files.writeString(
            bin.resolve("java"),
            "#!/bin/sh\nexec " + strace + " -D -f --seccomp-bpf -q -o /dev/null -e trace=fsync,fdatasync " +
            "-e inject=fsync,fdatasync:delay_exit=20000 " + home.resolve("bin/java") + " \"$@\"\n").toFile();
        assertThat(java.setExecutable(true)).isTrue();
        return slow;
    }

    private static void link(final Path from, final Path to, final String except) throws IOException
    {
        try (Stream<Path> files = Files.list(from))
        {
            for (final Path file : files.filter((one) -> !one.getFileName().toString().equals(except)).toList())
            {
                Files.createSymbolicLink(to.resolve(file.getFileName()), file);
            }
        }
    }

    private RunningCommand start()
    {
        return start(1_000);
    }

    private RunningCommand start(final int ratePerSecond)
    {
        return cluster.startLoadClient(
            "--rate", String.valueOf(ratePerSecond), "--size", "288", "--warm-up", "2s", "--duration", "6s",
            "--drain-timeout", "20s", "--json", "--connect-timeout=60s", "--output=" + folder.resolve("results"));
    }

    private static JsonNode result(final RunningCommand client)
    {
        final CommandResult result = client.await(RUN_TIMEOUT_NS);
        // 4 if a shared machine missed the rate; the cause must be named anyway.
        assertThat(result.exitCode()).as("%s", result).isIn(0, 4);
        return result.json();
    }

    private static List<String> rules(final JsonNode result)
    {
        final List<String> rules = new ArrayList<>();
        result.at("/diagnosis/findings").forEach((finding) -> rules.add(finding.get("rule").asText()));
        return rules;
    }

    private static void assertNamed(final JsonNode result, final String rule, final String part)
    {
        assertThat(rules(result)).as(result.get("diagnosis").toPrettyString()).contains(rule);
        result.at("/diagnosis/findings").forEach((finding) ->
        {
            if (rule.equals(finding.get("rule").asText()))
            {
                assertThat(finding.get("cause").asText()).contains(part);
                assertThat(finding.get("advice").asText()).isNotBlank();
            }
        });
    }

    private static double shareOf(final JsonNode result, final String rule)
    {
        for (final JsonNode finding : result.at("/diagnosis/findings"))
        {
            if (rule.equals(finding.get("rule").asText()))
            {
                return finding.get("share").asDouble();
            }
        }

        return 0;
    }
}
