package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.Deadline;
import io.clusterecho.testing.Need;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class FailoverIT
{
    private static final long END_TIMEOUT_NS = 120_000_000_000L;

    @RegisterExtension
    private final EchoCluster cluster = new EchoCluster(3);

    @TempDir
    private Path results;

    @Tag("matrix-1")
    @Test
    void shouldLoseNothingWhenTheLeaderIsKilledAndTheClientResends()
    {
        cluster.start();
        final JsonNode result = failover(
            "--delivery=exactly-once", "--fault=kill", "--victim=leader", "--cycles=2", "--drain-timeout=60s");

        assertThat(result.get("acknowledgedLost").asLong()).isZero();
        assertThat(result.get("appliedTwice").asLong()).isZero();
        assertThat(result.get("unanswered").asLong()).isZero();
        assertThat(result.get("acknowledged").asLong()).isPositive();
        assertThat(result.at("/audit/clean").asBoolean()).as("%s", result.at("/audit/findings")).isTrue();
        assertThat(result.get("cycles")).hasSize(2).allSatisfy((cycle) ->
        {
            assertThat(cycle.get("recovered").asBoolean()).as("%s", cycle).isTrue();
            // At least the heartbeat timeout of 2 s and the election timeout of 500 ms, minus the time since the last heartbeat.
            assertThat(cycle.get("outageNs").asLong()).as("%s", cycle).isGreaterThan(2_000_000_000L);
            assertThat(cycle.get("newLeaders")).as("%s", cycle).isNotEmpty();
        });
    }

    @Test
    void shouldCountLossesWhenTheClientSendsOnlyOnce()
    {
        cluster.start();
        final JsonNode result = failover(
            // Lost messages are never answered.
            "--delivery=at-most-once", "--fault=kill", "--victim=leader", "--cycles=1", "--drain-timeout=5s");

        assertThat(result.get("acknowledgedLost").asLong()).isZero();
        assertThat(result.get("appliedTwice").asLong()).isZero();
        assertThat(result.at("/audit/clean").asBoolean()).as("%s", result.at("/audit/findings")).isTrue();
        // Messages without a reply are either in no log, or in the logs and unanswered.
        assertThat(result.get("unansweredInLog").asLong() + result.get("unansweredLost").asLong())
            .isEqualTo(result.get("unanswered").asLong());
    }

    @Tag("any-driver")
    @Test
    void shouldKeepItsCyclesAndUndoTheFaultWhenItIsInterrupted() throws IOException
    {
        cluster.start();
        final RunningCommand command = cluster.startLoadClient(options(
            results, "--delivery=at-most-once", "--fault=kill", "--victim=leader", "--cycles=20", "--return-after=30s"));
        command.awaitProgress("warming up");
        assertThat(Deadline.in(END_TIMEOUT_NS).await(() -> !cluster.members().stream().allMatch(ClusterMember::isAlive)))
            .as("a member was killed").isTrue();
        command.terminate();
        final CommandResult result = command.await(END_TIMEOUT_NS);

        assertThat(result.exitCode()).as("%s", result).isEqualTo(130);
        assertThat(result.json().at("/verdict/label").asText()).isEqualTo("PARTIAL");
        assertThat(result.json().get("cycles")).singleElement().satisfies(
            (cycle) -> assertThat(cycle.get("interrupted").asBoolean()).isTrue());
        assertThat(result.json().at("/audit/clean").asBoolean()).as("%s", result).isTrue();
        try (Stream<Path> folders = Files.list(results))
        {
            final Path folder = folders.findFirst().orElseThrow();
            assertThat(new ObjectMapper().readTree(folder.resolve("manifest.json").toFile()).get("verdict"))
                .isEqualTo(result.json().get("verdict"));
        }
        assertThat(cluster.members()).as("the fault is undone").allMatch(ClusterMember::isAlive);
    }

    @Tag("any-driver")
    @Tag("slow")
    @Test
    void shouldPrintItsCyclesWhenTheDiskOfItsResultsIsFull() throws IOException, InterruptedException
    {
        final Path small = Files.createDirectory(results.resolve("small"));
        Need.ROOT.check(
            0 == run("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", small.toString()),
            "a small file system cannot be mounted here");
        try
        {
            cluster.start();
            final CommandResult result = cluster.loadClient(options(
                small, "--delivery=at-most-once", "--fault=kill", "--victim=leader", "--cycles=1", "--drain-timeout=1s"));

            assertThat(result.exitCode()).as("%s", result).isEqualTo(4);
            assertThat(result.json().at("/verdict/label").asText()).isEqualTo("FAILED");
            assertThat(result.json().at("/verdict/reasons").toString())
                .contains("No space left on device", "journal.bin is incomplete");
            assertThat(result.json().get("cycles")).singleElement().satisfies((cycle) ->
            {
                assertThat(cycle.get("recovered").asBoolean()).isTrue();
                // Measured by the lab, because the journal is incomplete.
                assertThat(cycle.get("outageNs").asLong()).isBetween(2_000_000_000L, 30_000_000_000L);
                assertThat(cycle.get("outageResolutionNs").asLong()).isGreaterThan(10_000_000L);
            });
        }
        finally
        {
            assertThat(run("umount", small.toString())).isZero();
        }
    }

    private static int run(final String... command) throws IOException, InterruptedException
    {
        return new ProcessBuilder(command).inheritIO().start().waitFor();
    }

    private JsonNode failover(final String... options)
    {
        final CommandResult result = cluster.loadClient(options(results, options));
        assertThat(result.out()).as("%s", result).isNotEmpty();
        return result.json();
    }

    static String[] options(final Path output, final String... options)
    {
        final String[] all = new String[options.length + 8];
        all[0] = "failover";
        System.arraycopy(options, 0, all, 1, options.length);
        final String[] common = {
            "--rate=300", "--warm-up=0s", "--gap=1s", "--limit=120s", "--connect-timeout=60s", "--json", "--output=" + output };
        System.arraycopy(common, 0, all, options.length + 1, common.length);
        return all;
    }
}
