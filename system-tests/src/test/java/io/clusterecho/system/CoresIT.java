package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;

import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.host.CpuList;
import io.clusterecho.host.HostFiles;
import io.clusterecho.testing.Need;
import io.clusterecho.threads.AgentThreads;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Pinning of threads of members and clients. Tests of member threads use the Java driver, whose threads are in the member. */
class CoresIT
{
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(100);

    @RegisterExtension
    private final EchoCluster cluster = new EchoCluster(3);

    @TempDir
    private Path results;

    private int first;
    private int last;

    @BeforeEach
    void needTwoProcessors()
    {
        final SortedSet<Integer> allowed = AgentThreads.allowed(HostFiles.ofThisMachine());
        Need.TWO_PROCESSORS.check(allowed.size() > 1, "only one processor may be used, or this is not Linux: " + allowed);
        first = allowed.first();
        last = allowed.last();
    }

    @Test
    @Tag("java-driver")
    void shouldPinEachThreadOfAMember() throws IOException
    {
        cluster.with("echo.profile", "shared").with("echo.cores", first + "," + last).start();
        for (final ClusterMember member : cluster.members())
        {
            final String line = awaitLine(member, " on processor ");
            assertThat(line).contains(
                "driver on processor " + first + ", archive on processor " + last + ", consensus module on processor " + first +
                ", service on processor " + last);
            final Map<String, String> pinned = pinnedThreads(member.pid().orElseThrow());
            assertThat(pinned).hasSize(4);
            assertThat(pinned.values()).containsExactlyInAnyOrder(
                String.valueOf(first), String.valueOf(first), String.valueOf(last), String.valueOf(last));
        }
        cluster.stop();
        cluster.assertNothingIsLeft();
    }

    @Test
    @Tag("java-driver")
    void shouldGiveTheLeaderAndItsSuccessorTheirOwnProcessor() throws IOException
    {
        if (AgentThreads.allowed(HostFiles.ofThisMachine()).size() > 2)
        {
            cluster.with("echo.launch.prefix", Need.TASKSET.program() + " -c " + first + "," + last);
        }
        cluster.with("echo.profile", "compact").start();
        awaitPinning(cluster.awaitLeader());
        final CommandResult run = cluster.loadClient(
            "run", "--rate=500", "--duration=2s", "--warm-up=500ms", "--json", "--connect-timeout=60s", "--output=" + results);
        assertThat(run.exitCode()).as("%s", run).isZero();
        if (2 == AgentThreads.allowed(HostFiles.ofThisMachine()).size())
        {
            assertThat(run.json().at("/configuration/threads").asText()).startsWith("the sending thread on processor " + last);
        }
        final ClusterMember dead = cluster.killLeader();
        final ClusterMember successor = cluster.awaitLeader();
        assertThat(successor).isNotEqualTo(dead);
        awaitPinning(successor);
        cluster.stop();
        cluster.assertNothingIsLeft();
    }

    private void awaitPinning(final ClusterMember leader) throws IOException
    {
        awaitLine(leader, "the member's thread on processor " + last + " as leader");
        for (final ClusterMember member : cluster.members())
        {
            if (member.isAlive())
            {
                assertThat(pinnedThreads(member.pid().orElseThrow()).values()).as("member %d", member.memberId())
                    .containsExactly(String.valueOf(member == leader ? last : first));
            }
        }
    }

    @Test
    void shouldPinTheSendingThreadAndReportIt()
    {
        final CommandResult run = cluster.loadClientAlone(
            "run", "--transport=memory", "--rate=1k", "--duration=2s", "--warm-up=500ms", "--json", "--core=" + last,
            "--output=" + results);
        assertThat(run.exitCode()).as("%s", run).isZero();
        final JsonNode result = run.json();
        assertThat(result.at("/configuration/threads").asText())
            .startsWith("the sending thread on processor " + last + ", all others on ");
    }

    private static String awaitLine(final ClusterMember member, final String words) throws IOException
    {
        final long deadlineNs = System.nanoTime() + TIMEOUT_NS;
        List<String> lines = List.of();
        while (System.nanoTime() - deadlineNs < 0)
        {
            lines = Files.readAllLines(member.logFile());
            final Optional<String> line = lines.stream().filter((one) -> one.contains(words)).findFirst();
            if (line.isPresent())
            {
                return line.get();
            }
            LockSupport.parkNanos(LOOK_NS);
        }

        throw new AssertionError("waited for a line with '" + words + "' in " + member.logFile() + ": " + lines);
    }

    /** @return the processor of each thread that is pinned to one, by name and id of the thread. */
    private static Map<String, String> pinnedThreads(final long pid) throws IOException
    {
        final Map<String, String> pinned = new TreeMap<>();
        try (Stream<Path> tasks = Files.list(Path.of("/proc/" + pid + "/task")))
        {
            for (final Path task : tasks.toList())
            {
                final String allowed = Files.readAllLines(task.resolve("status")).stream()
                    .filter((line) -> line.startsWith("Cpus_allowed_list:"))
                    .map((line) -> line.substring(line.indexOf(':') + 1).trim()).findFirst().orElseThrow();
                if (1 == CpuList.parse(allowed).size())
                {
                    pinned.put(Files.readString(task.resolve("comm")).trim() + " " + task.getFileName(), allowed);
                }
            }
        }

        return pinned;
    }
}
