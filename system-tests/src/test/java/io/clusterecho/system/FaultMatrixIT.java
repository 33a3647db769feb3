package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every fault, several times in a row, under load. Each test takes minutes. */
@Tag("fault")
class FaultMatrixIT
{
    private static final long RUN_TIMEOUT_NS = 1_500_000_000_000L;

    @RegisterExtension
    private final EchoCluster cluster = new EchoCluster(3).with("echo.fault.filter", "true");

    @TempDir
    private Path results;

    @TempDir
    private Path folder;

    @Tag("matrix-1")
    @Tag("matrix-2")
    @Tag("matrix-5")
    @Tag("matrix-6")
    @Tag("matrix-7")
    @Tag("matrix-8")
    @Tag("matrix-9")
    @Tag("matrix-11")
    @Tag("matrix-12")
    @Tag("matrix-15")
    @ParameterizedTest(name = "{0} of {1}, {2} cycles")
    @CsvSource({
        "kill,      leader,    20, 3s",
        "kill,      follower,   5, 3s",
        "kill,      followers,  5, 4s",
        "term,      leader,     5, 1s",
        "term,      each,       6, 1s",
        // Returns after the election of another leader: it must not acknowledge anything then.
        "pause,     leader,     5, 6s",
        "pause,     follower,   5, 3s",
        // As long as a long garbage collection: shorter than the heartbeat timeout.
        "pause,     leader,     5, 500ms",
        "pause,     leader,     2, 15s",
        "pause,     all,        2, 15s",
        "partition, leader,     5, 6s",
        "partition, follower,   5, 3s",
        "wipe,      follower,   5, 1s",
        "wipe,      leader,     5, 4s" })
    void shouldLoseNothing(final String fault, final String victim, final int cycleCount, final String returnAfter)
    {
        cluster.start();
        assertNothingIsLost(
            failover("--fault", fault, "--victim", victim, "--cycles", String.valueOf(cycleCount), "--return-after", returnAfter),
            cycleCount);
    }

    @Tag("matrix-10")
    @Tag("matrix-24")
    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {
        "partition-pair", "partition-inbound", "partition-outbound", "partition-clients", "link-loss:10%", "link-delay:20ms",
        "link-jitter:20ms", "link-duplicate:10%", "link-reorder:10%" })
    void shouldLoseNothingOverImpairedLinks(final String fault)
    {
        cluster.with("echo.placement", "cluster").start();
        assertNothingIsLost(failover("--fault", fault, "--victim", "leader,follower", "--cycles", "4"), 4);
    }

    @Tag("matrix-23")
    @Tag("matrix-25")
    @ParameterizedTest(name = "{0} of {1}")
    @CsvSource({
        "slow-disk:50ms,      leader", "slow-disk:50ms, follower", "write-stall, leader", "sync-error, leader",
        "disk-full-after:64k, leader", "clock-step:10m, leader", "clock-step:10m, follower", "clock-step:-10m, leader",
        "clock-step:1s,       leader", "clock-step:-1s, leader", "file-limit, leader" })
    void shouldLoseNothingWithFailingCalls(final String fault, final String victim) throws IOException, InterruptedException
    {
        cluster.with("echo.fsync", "1").with("echo.fault.library", FaultLibrary.builtIn(folder)).start();
        assertNothingIsLost(failover("--fault", fault, "--victim", victim, "--cycles", "2", "--return-after", "4s"), 2);
    }

    @Tag("matrix-13")
    @ParameterizedTest(name = "fsync {0}")
    @ValueSource(ints = { 0, 1, 2 })
    void shouldLoseNothingWhenAllMembersAreKilledAtOnce(final int fileSyncLevel) throws IOException
    {
        cluster.with("echo.fsync", String.valueOf(fileSyncLevel)).start();
        final JsonNode result = failover("--fault", "kill", "--victim", "all", "--cycles", "5", "--return-after", "1s");

        assertNothingIsLost(result, 5);
        assertThat(manifestOf(result).get("durability").asText()).startsWith("fsync " + fileSyncLevel);
    }

    @Tag("matrix-14")
    @ParameterizedTest
    @ValueSource(strings = { "leader", "all" })
    void shouldLoseNothingThatCameAfterASnapshot(final String victim)
    {
        cluster.start();
        assertNothingIsLost(failover("--fault", "kill", "--victim", victim, "--cycles", "5", "--snapshot"), 5);
    }

    @Tag("matrix-3")
    @Test
    void shouldServeOtherClientsWhenOneIsKilled()
    {
        cluster.start();
        final RunningCommand victim = cluster.startLoadClient(load("60s"));
        victim.awaitProgress(" measure ");
        victim.process().handle().orElseThrow().destroyForcibly();
        assertThat(victim.await(RUN_TIMEOUT_NS).exitCode()).isNotZero();

        final CommandResult next = cluster.loadClient(load("15s"));
        assertThat(next.exitCode()).as("%s", next).isZero();
    }

    @Test
    void shouldAgreeWithTheAuditOnTheLossesOfAClientThatSendsOnce()
    {
        cluster.start();
        final JsonNode result = run(
            "failover", "--delivery", "at-most-once", "--fault", "kill", "--victim", "leader", "--cycles", "20", "--rate", "500");

        assertThat(result.get("cycles")).hasSize(20);
        assertThat(result.get("acknowledgedLost").asLong()).isZero();
        assertThat(result.get("appliedTwice").asLong()).isZero();
        assertThat(result.at("/audit/clean").asBoolean()).as("%s", result.at("/audit/findings")).isTrue();
        assertThat(result.get("unanswered").asLong()).isPositive();
        assertThat(result.get("unansweredInLog").asLong() + result.get("unansweredLost").asLong())
            .isEqualTo(result.get("unanswered").asLong());
    }

    @Tag("matrix-35")
    @Test
    void shouldLoseNothingInTenMinutesOfChaos()
    {
        cluster.with("echo.placement", "cluster").start();
        final JsonNode result = run(
            "chaos", "--delivery", "exactly-once", "--rate", "500", "--seed", "1", "--for", "10m", "--return-after", "3s");
        assertNothingIsLost(result, result.get("cycles").size());
        assertThat(result.get("cycles")).hasSizeGreaterThan(10);
    }

    private JsonNode failover(final String... options)
    {
        final List<String> all = new ArrayList<>(List.of("--delivery", "exactly-once", "--rate", "500"));
        all.addAll(List.of(options));
        return run("failover", all.toArray(new String[0]));
    }

    private String[] load(final String duration)
    {
        return new String[]{
            "--rate=500", "--size=288", "--warm-up=2s", "--duration=" + duration, "--connect-timeout=60s",
            "--drain-timeout=60s", "--delivery=exactly-once", "--output=" + results };
    }

    private static JsonNode manifestOf(final JsonNode result) throws IOException
    {
        return new ObjectMapper().readTree(Path.of(result.get("resultFolder").asText(), "manifest.json").toFile());
    }

    private JsonNode run(final String command, final String... options)
    {
        final List<String> all = new ArrayList<>(List.of(command));
        all.addAll(List.of(options));
        all.addAll(List.of(
            "--size=288", "--warm-up=2s", "--gap=1s", "--limit=120s", "--drain-timeout=60s", "--connect-timeout=60s", "--json",
            "--output=" + results));
        final CommandResult result = cluster.startLoadClient(all.toArray(new String[0])).await(RUN_TIMEOUT_NS);
        assertThat(result.out()).as("%s", result).isNotEmpty();
        return result.json();
    }

    private static void assertNothingIsLost(final JsonNode result, final int cycleCount)
    {
        assertThat(result.get("acknowledgedLost").asLong()).isZero();
        assertThat(result.get("appliedTwice").asLong()).isZero();
        assertThat(result.get("unanswered").asLong()).isZero();
        assertThat(result.get("neverSent").asLong()).isZero();
        assertThat(result.get("acknowledged").asLong()).isPositive();
        assertThat(result.at("/audit/clean").asBoolean()).as("%s", result.at("/audit/findings")).isTrue();
        assertThat(result.get("cycles")).hasSize(cycleCount).allSatisfy((cycle) ->
        {
            assertThat(cycle.get("recovered").asBoolean()).as("%s", cycle).isTrue();
            assertThat(cycle.get("echoesWithoutQuorum").asLong()).as("%s", cycle).isZero();
        });
    }
}
