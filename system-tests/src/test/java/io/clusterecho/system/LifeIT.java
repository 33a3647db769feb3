package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;

import io.clusterecho.control.member.MemberStorage;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * The life of a cluster in some minutes: strict in what happened and what was lost, not in times. Change it with
 * {@code -Dlife.duration=2h -Dlife.rate=10k -Dlife.disk=4g -Dlife.retain=90s}.
 */
@Tag("slow")
class LifeIT
{
    private static final String DURATION = System.getProperty("life.duration", "105s");
    private static final String RATE = System.getProperty("life.rate", "2k");
    private static final String DISK = System.getProperty("life.disk", "1g");
    private static final String RETAIN = System.getProperty("life.retain", "12s");

    /** Short, so that files of the log are purged within the test. */
    private static final int SEGMENT_LENGTH = 16 << 20;

    @RegisterExtension
    private final EchoCluster cluster = new EchoCluster(3).with("echo.backup", "true").with("echo.backup.interval", "2s")
        .with("aeron.archive.segment.file.length", String.valueOf(SEGMENT_LENGTH));

    @TempDir
    private Path folder;

    @Test
    void shouldLiveThroughFaultsPurgesAndARolloutWithinItsDiskAndLoseNothing()
    {
        cluster.start();

        final CommandResult run = cluster.loadClient(
            "life", "--for=" + DURATION, "--rate=" + RATE, "--size=288", "--disk=" + DISK, "--retain-every=" + RETAIN,
            "--from=" + EchoCluster.ROOT.resolve("cluster-node.jar"), "--warm-up=2s", "--limit=60s",
            "--connect-timeout=60s", "--drain-timeout=60s", "--delivery=exactly-once", "--json", "--output=" + folder);

        final JsonNode result = run.json();
        final List<String> events = new ArrayList<>();
        result.get("cycles").forEach((cycle) ->
        {
            assertThat(cycle.get("recovered").asBoolean()).as("%s", cycle).isTrue();
            events.add(cycle.get("fault").asText() + " " + cycle.get("choice").asText());
        });
        assertThat(events).containsExactly(
            "kill leader", "kill follower", "term next", "term next", "term next", "wipe follower", "kill leader");
        assertThat(result.get("acknowledged").asLong()).isPositive();
        assertThat(result.get("acknowledgedLost").asLong()).isZero();
        assertThat(result.get("appliedTwice").asLong()).isZero();
        assertThat(result.get("unanswered").asLong()).isZero();
        assertThat(result.at("/audit/clean").asBoolean()).as("%s", result.at("/audit/findings")).isTrue();
        assertThat(result.at("/rollout/steps")).hasSize(3);

        final JsonNode life = result.get("life");
        assertThat(life.get("diskMostBytes").asLong()).isPositive().isLessThanOrEqualTo(life.get("diskBytes").asLong());
        assertThat(life.get("disk").size()).isGreaterThan(30);
        assertThat(life.get("purges")).filteredOn((purge) -> purge.get("failure").asText().isEmpty())
            .as("%s", life.get("purges")).hasSizeGreaterThan(3);
        assertThat(cluster.members()).allMatch((member) -> member.storage().startPosition() > 0);
        final MemberStorage backup = cluster.local().backup().orElseThrow().storage();
        assertThat(backup.startPosition()).as("the log of the backup was purged").isPositive();
        assertThat(backup.snapshots()).as("two, and one that was copied after the last purge").hasSizeBetween(2, 3);
        assertThat(Path.of(result.get("resultFolder").asText()).resolve("report.html")).satisfies(
            (page) -> assertThat(Files.readString(page)).contains("\"diskMostBytes\""));
        assertThat(cluster.status().isHealthy()).isTrue();
    }
}
