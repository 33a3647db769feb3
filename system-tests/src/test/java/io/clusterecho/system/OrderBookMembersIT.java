package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import com.fasterxml.jackson.databind.JsonNode;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

import io.clusterecho.control.member.BackupCounters;
import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.Deadline;
import io.clusterecho.control.member.Node;

/** The order book in other members than by default: with Aeron's defaults and a backup, spinning, with the C driver. */
class OrderBookMembersIT
{
    private static final String JAR = EchoCluster.ROOT.resolve("examples/order-book/order-book.jar").toString();
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long SCHEDULED = 400;

    @RegisterExtension
    private final EchoCluster cluster = ofOrderBook(3);

    @RegisterExtension
    private final EchoCluster single = ofOrderBook(1);

    @TempDir
    private Path results;

    @Tag("slow")
    @Tag("any-driver")
    @Test
    void shouldLoseNothingInStockMembersWithABackupOfWhichOneIsKilledAndOneWiped()
    {
        cluster.with("echo.profile", "stock").with("echo.backup", "true").with("echo.backup.interval", "2s")
            .with("echo.stages", "true").start();
        final JsonNode run = run(cluster, "--stages");
        assertThat(run.at("/cluster/echo.profile").asText()).isEqualTo("stock");
        assertStages(run);
        assertThat(cluster.command("snapshot").exitCode()).isZero();
        assertFailoverClean(cluster);

        final ClusterMember wiped = cluster.follower();
        cluster.kill(wiped);
        wiped.wipe();
        cluster.startWiped(wiped);
        assertFailoverClean(cluster);

        final Node backup = cluster.local().backup().orElseThrow();
        final long position = wiped.counters().orElseThrow().commitPosition();
        assertThat(Deadline.in(TIMEOUT_NS).await(
            () -> backup.backupCounters().map(BackupCounters::position).orElse(0L) >= position &&
            !backup.storage().snapshots().isEmpty())).as("the backup has log and snapshot").isTrue();
        cluster.stop();
        cluster.assertNothingIsLeft();
    }

    @Tag("slow")
    @Tag("any-driver")
    @Test
    void shouldGoOnFromItsSnapshotInADedicatedMember()
    {
        single.with("echo.profile", "dedicated").start();
        final JsonNode run = run(single);
        assertThat(run.at("/cluster/echo.profile").asText()).isEqualTo("dedicated");
        assertThat(single.command("snapshot").exitCode()).isZero();
        single.stop();
        single.start();
        // Its orders are those of the run before: the same ids again are rejected.
        assertThat(run(single).at("/replies/1/answered").asLong()).isPositive();
        single.stop();
        assertThat(single.loadClient("audit", "--json").json().get("clean").asBoolean()).isTrue();
    }

    @Tag("c-driver")
    @Test
    void shouldLoseNothingWithTheCDriver()
    {
        cluster.withDriver("c").with("echo.profile", "shared").start();
        assertThat(run(cluster).at("/cluster/echo.driver").asText()).isEqualTo("c");
        assertFailoverClean(cluster);
        cluster.stop();
        cluster.assertNothingIsLeft();
    }

    private static EchoCluster ofOrderBook(final int memberCount)
    {
        return new EchoCluster(memberCount).with("echo.service.class", "com.example.orderbook.OrderBookService")
            .with("echo.class.path", JAR);
    }

    private JsonNode run(final EchoCluster on, final String... options)
    {
        final List<String> all = new ArrayList<>(List.of("run", "--rate=200", "--duration=2s"));
        all.addAll(List.of(options));
        final JsonNode run = loadClient(on, all.toArray(String[]::new));
        assertThat(run.get("scheduled").asLong()).isEqualTo(SCHEDULED);
        assertThat(run.get("answered").asLong() + run.get("late").asLong()).as("%s", run).isEqualTo(SCHEDULED);
        return run;
    }

    /** The stages of all messages add up to their response time. */
    private static void assertStages(final JsonNode run)
    {
        final JsonNode stages = run.get("stages");
        assertThat(stages.get("told").asLong()).as("%s", stages).isEqualTo(SCHEDULED);
        double sumNs = run.at("/sendDelayNs/mean").asDouble();
        for (final String stage : List.of("toLeader", "log", "quorum", "toService", "toClient"))
        {
            assertThat(stages.at("/" + stage + "Ns/count").asLong()).as(stage).isEqualTo(SCHEDULED);
            sumNs += stages.at("/" + stage + "Ns/mean").asDouble();
        }
        final double meanNs = run.at("/responseTimeNs/mean").asDouble();
        // Histograms have three significant digits.
        assertThat(sumNs).isCloseTo(meanNs, within(meanNs / 500));
        assertThat(run.at("/slowest/partsNs/quorumNs").asLong()).as("%s", run.get("slowest")).isPositive();
        assertThat(run.at("/slowest/partsNs").has("unknownNs")).isFalse();
    }

    private void assertFailoverClean(final EchoCluster on)
    {
        final JsonNode failover = loadClient(on, "failover", "--cycles=1", "--rate=200", "--drain-timeout=5s");
        assertThat(failover.get("acknowledged").asLong()).isPositive();
        assertThat(failover.get("acknowledgedLost").asLong()).isZero();
        assertThat(failover.at("/audit/clean").asBoolean()).as("%s", failover.get("audit")).isTrue();
    }

    private JsonNode loadClient(final EchoCluster on, final String... options)
    {
        final List<String> all = new ArrayList<>(List.of(options));
        all.addAll(List.of(
            "--messages=com.example.orderbook.OrderMessages", "--class-path=" + JAR, "--warm-up=1s", "--connect-timeout=60s",
            "--json", "--output=" + results));
        final CommandResult result = on.loadClient(all.toArray(String[]::new));
        // 4 where this machine was too slow for a verdict.
        assertThat(result.exitCode()).as("%s", result).isIn(0, 4);
        return result.json();
    }
}
