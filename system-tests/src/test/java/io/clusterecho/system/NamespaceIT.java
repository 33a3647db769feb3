package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;

import io.clusterecho.testing.Need;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Members in network namespaces, partitioned by the kernel instead of the driver. Needs root and iproute2. */
@Tag("slow")
class NamespaceIT
{
    private static final long RUN_TIMEOUT_NS = 600_000_000_000L;
    private static final Path SCRIPT = EchoCluster.ROOT.resolve("scripts/netns-lab.sh");

    /** Only provides folder and ports; the failover test starts and stops the members. */
    @RegisterExtension
    private final EchoCluster cluster = new EchoCluster(3);

    @TempDir
    private Path results;

    private final String prefix = "echo" + ProcessHandle.current().pid();

    @BeforeEach
    void makeNamespaces()
    {
        Need.root();
        Need.IP.program();
        assertThat(script("up", "3").exitCode()).isZero();
    }

    @AfterEach
    void removeNamespaces()
    {
        assertThat(script("down").exitCode()).isZero();
    }

    @Tag("matrix-9")
    @Test
    void shouldLoseNothingWhenTheLeaderIsDisconnected()
    {
        final List<String> options = new ArrayList<>(List.of("exec"));
        options.addAll(EchoCluster.java(
            "load-client.jar",
            List.of(
                "failover", "--fault=script", "--fault-script=" + SCRIPT, "--victim=leader", "--cycles=5", "--return-after=6s",
                "--delivery=exactly-once", "--rate=500", "--size=288", "--warm-up=2s", "--gap=1s", "--limit=120s",
                "--timeouts=fast", "--drain-timeout=60s", "--connect-timeout=60s", "--json", "--output=" + results,
                "--base-dir=" + cluster.baseDir(),
                "--set=echo.base.port=" + cluster.basePort(),
                "--set=echo.insecure=true",
                "--set=echo.hosts=10.231.17.1,10.231.17.2,10.231.17.3",
                "--set=echo.launch.prefix=nsenter --net=/run/netns/" + prefix + "-{id}")));
        final CommandResult run = script(options.toArray(new String[0]));
        assertThat(run.out()).as("%s", run).isNotEmpty();

        final JsonNode result = run.json();
        assertThat(result.get("acknowledgedLost").asLong()).isZero();
        assertThat(result.get("appliedTwice").asLong()).isZero();
        assertThat(result.get("unanswered").asLong()).isZero();
        assertThat(result.get("acknowledged").asLong()).isPositive();
        assertThat(result.at("/audit/clean").asBoolean()).as("%s", result.at("/audit/findings")).isTrue();
        assertThat(result.get("cycles")).hasSize(5).allSatisfy((cycle) ->
        {
            assertThat(cycle.get("recovered").asBoolean()).as("%s", cycle).isTrue();
            // It was really disconnected: the others missed its heartbeats and elected another leader.
            assertThat(cycle.get("outageNs").asLong()).as("%s", cycle).isGreaterThan(1_500_000_000L);
            assertThat(cycle.get("newLeaders")).as("%s", cycle).isNotEmpty();
        });
    }

    private CommandResult script(final String... options)
    {
        final List<String> command = new ArrayList<>(List.of("env", "NETNS_PREFIX=" + prefix, SCRIPT.toString()));
        command.addAll(List.of(options));
        return RunningCommand.start(command, results).await(RUN_TIMEOUT_NS);
    }
}
