package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;

import io.clusterecho.control.member.CallFault;
import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.testing.Need;

import com.fasterxml.jackson.databind.JsonNode;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Members on disks that lose their power, stall, or are full. */
@Tag("alone")
class DiskFaultIT
{
    private static final String DISK_LAB = EchoCluster.ROOT.resolve("scripts/disk-lab.sh").toString();
    private static final long END_TIMEOUT_NS = 60_000_000_000L;

    @RegisterExtension
    private final EchoCluster cluster = new EchoCluster(3);

    @TempDir
    private Path results;

    private boolean isMounted;

    @BeforeEach
    void mount() throws IOException, InterruptedException
    {
        Need.root();
        Need.LOOP.program();
        isMounted = 0 == run(DISK_LAB, "up", cluster.baseDir().toString(), "2G", "3");
        Need.LOOP.check(isMounted, "image files cannot be mounted");
    }

    @AfterEach
    void unmount() throws IOException, InterruptedException
    {
        cluster.members().forEach(ClusterMember::kill);
        cluster.members().forEach((member) -> member.awaitExit(END_TIMEOUT_NS));
        if (isMounted)
        {
            assertThat(run(DISK_LAB, "down", cluster.baseDir().toString())).isZero();
        }
    }

    @Tag("matrix-13")
    @Tag("slow")
    @Test
    void shouldLoseNothingThatWasSyncedWhenAllLoseTheirPower()
    {
        cluster.with("echo.fsync", "2").start();
        final JsonNode result = failover("--fault=power-loss", "--victim=all", "--cycles=2", "--return-after=1s");
        assertThat(result.get("acknowledgedLost").asLong()).as("%s", result).isZero();
        assertThat(result.at("/audit/clean").asBoolean()).as("%s", result.at("/audit/findings")).isTrue();
        assertThat(result.get("cycles")).hasSize(2).allMatch((cycle) -> cycle.get("recovered").asBoolean());
    }

    /** Shows that the test above can fail: members that claim to have synced, and have not. */
    @Tag("slow")
    @Test
    void shouldNameWhatIsLostByMembersThatSkipTheirSyncs() throws IOException, InterruptedException
    {
        cluster.with("echo.fsync", "2").with("echo.fault.library", FaultLibrary.builtIn(results)).start();
        cluster.members().forEach((member) -> member.calls(CallFault.of(CallFault.Kind.SKIPPED_SYNC)));
        final JsonNode result = failover("--fault=power-loss", "--victim=all", "--cycles=1", "--return-after=1s");
        assertThat(result.get("acknowledgedLost").asLong()).as("%s", result).isPositive();
        assertThat(result.at("/audit/clean").asBoolean()).isFalse();
        assertThat(result.at("/verdict/label").asText()).isEqualTo("FAILED");
    }

    /** Shorter than the heartbeat timeout; longer; and longer than 10 s, after which a member ends itself. */
    @Tag("fault")
    @ParameterizedTest
    @ValueSource(strings = { "1s", "5s", "30s" })
    void shouldWaitForAStalledDisk(final String length)
    {
        cluster.start();
        final JsonNode result = failover(
            "--fault=disk-stall", "--victim=leader,follower", "--cycles=2", "--return-after=" + length);
        assertThat(result.get("acknowledgedLost").asLong()).as("%s", result).isZero();
        assertThat(result.at("/audit/clean").asBoolean()).as("%s", result.at("/audit/findings")).isTrue();
        assertThat(result.get("cycles")).hasSize(2).allMatch((cycle) -> cycle.get("recovered").asBoolean());
    }

    @Tag("matrix-16")
    @Tag("fault")
    @Test
    void shouldLoseNothingWithAFullDisk()
    {
        cluster.start();
        final JsonNode result = failover("--fault=disk-full", "--victim=leader", "--cycles=1", "--return-after=5s");
        assertThat(result.get("acknowledgedLost").asLong()).as("%s", result).isZero();
        assertThat(result.get("unanswered").asLong()).as("%s", result).isZero();
        // The last write may be cut off. The member then refuses its data, and gets that of the others.
        assertThat(result.at("/cycles/0/problem").asText()).isEmpty();
        assertThat(result.at("/cycles/0/recovered").asBoolean()).as("%s", result.at("/cycles/0")).isTrue();
        assertThat(cluster.local().isSettled()).isTrue();
    }

    private JsonNode failover(final String... options)
    {
        final CommandResult result = cluster.loadClient(FailoverIT.options(
            results, Stream.concat(Stream.of("--delivery=exactly-once", "--allow-disk-faults"), Stream.of(options))
                .toArray(String[]::new)));
        assertThat(result.out()).as("%s", result).isNotEmpty();
        return result.json();
    }

    private static int run(final String... command) throws IOException, InterruptedException
    {
        return new ProcessBuilder(command).inheritIO().start().waitFor();
    }
}
