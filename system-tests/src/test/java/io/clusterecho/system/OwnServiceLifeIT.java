package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.TimeUnit;

import com.fasterxml.jackson.databind.JsonNode;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.Deadline;
import io.clusterecho.control.member.Node;

/** What happens to clusters beside measurements, with a service that is not ours: the order book of {@code examples}. */
@Tag("slow")
@Tag("any-driver")
class OwnServiceLifeIT
{
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(60);
    /** Hexadecimal digits of ten orders in a snapshot. */
    private static final int TEN_ORDERS = 2 * 10 * 33;

    /** Until they are filled, so that a wrong order in a snapshot is in the next one too. */
    private static final String ORDERS_STAY = "--messages-set=depth=50000";

    @RegisterExtension
    private final EchoCluster cluster = OwnService.in(new EchoCluster(3))
        // The orders of a client that was killed stay in the book.
        .with("echo.session.timeout", "5m").with("echo.backup", "true").with("echo.backup.interval", "2s");

    @TempDir
    private Path results;

    @Test
    void shouldFindARateAndKeepEqualStatesThroughFaultsAHealAndABackup() throws IOException
    {
        cluster.start();
        cluster.awaitLeader();
        final JsonNode found = OwnService.measure(
            cluster, results, "max-rate", "--slo=p50<5s", "--rate=100", "--lowest=10", "--highest=200", "--pass=50%",
            "--duration=500ms", "--later-warm-up=100ms", "--pause=0s");
        assertThat(found.at("/answer/status").asText()).as("%s", found).isEqualTo("confirmed");

        final JsonNode failover = OwnService.measure(
            cluster, results, "failover", "--fault=kill,wipe", "--victim=leader", "--snapshot", "--cycles=2",
            "--rate=200", "--gap=1s", "--drain-timeout=5s", ORDERS_STAY);
        assertThat(failover.get("acknowledged").asLong()).isPositive();
        assertThat(failover.get("acknowledgedLost").asLong()).isZero();
        assertThat(failover.at("/audit/clean").asBoolean()).as("%s", failover.get("audit")).isTrue();
        assertThat(failover.get("cycles")).hasSize(2)
            .allSatisfy((cycle) -> assertThat(cycle.get("recovered").asBoolean()).as("%s", cycle).isTrue());
        final int killed = failover.at("/cycles/0/victim/0").asInt(-1);
        final int wiped = failover.at("/cycles/1/victim/0").asInt(-1);
        assertThat(List.of(killed, wiped)).as("%s", failover.get("cycles")).doesNotContain(-1).doesNotHaveDuplicates();

        // The second snapshot, which the wiped member has no more: the killed one had restored the first and replayed the rest.
        assertEqualStates(cluster.members().stream()
            .filter((member) -> wiped != member.memberId()).map(ClusterMember::dir).toList());

        final RunningCommand load = cluster.startLoadClient(OwnService.options(
            results, "run", "--rate=200", "--duration=60s", ORDERS_STAY, "--messages-set=first=1000000"));
        load.awaitProgress(" measure ");
        load.process().handle().orElseThrow().destroyForcibly();
        load.await(TIMEOUT_NS);
        final ClusterMember damaged = cluster.follower();
        damaged.terminate();
        assertThat(damaged.awaitExit(TIMEOUT_NS)).isTrue();
        FileDamage.ZEROED.apply(damaged.dir());
        assertThat(cluster.command("start").err())
            .contains("member " + damaged.memberId() + " ended with status 5 (damaged data)");
        damaged.wipe();
        cluster.startWiped(damaged);

        // The wiped and the damaged member replayed the log from its beginning.
        assertThat(cluster.command("snapshot").exitCode()).isZero();
        final Node backup = cluster.local().backup().orElseThrow();
        final long position = cluster.members().get(0).storage().positionOfNewest(1);
        assertThat(Deadline.in(TIMEOUT_NS).await(() -> position == backup.storage().positionOfNewest(1)))
            .as("the backup copied the snapshot at %d", position).isTrue();
        cluster.stop();
        final List<Path> dirs = new ArrayList<>(cluster.members().stream().map(ClusterMember::dir).toList());
        dirs.add(backup.dir());
        assertEqualStates(dirs);
        assertAuditClean(dirs, failover, position);
    }

    /** Their last snapshots are of one position, with orders. */
    private static void assertEqualStates(final List<Path> dirs)
    {
        final SortedMap<Long, String> expected = ServiceSnapshots.of(dirs.get(0));
        assertThat(expected.get(expected.lastKey())).hasSizeGreaterThan(TEN_ORDERS);
        assertThat(dirs).hasSizeGreaterThan(1).allSatisfy((dir) ->
        {
            final SortedMap<Long, String> states = ServiceSnapshots.of(dir);
            assertThat(states.lastKey()).as("position of the last of %s", dir).isEqualTo(expected.lastKey());
            assertThat(states.get(states.lastKey())).as("%s", dir).isEqualTo(expected.get(expected.lastKey()));
        });
    }

    /** The logs are the same up to a position at least, and have the acknowledged requests. */
    private void assertAuditClean(final List<Path> dirs, final JsonNode failover, final long position)
    {
        final List<String> arguments = new ArrayList<>(
            List.of("audit", "--json", "--journal=" + Path.of(failover.get("resultFolder").asText(), "journal.bin")));
        dirs.forEach((dir) -> arguments.add(dir.toString()));
        final JsonNode audit = cluster.loadClientAlone(arguments.toArray(String[]::new)).json();
        assertThat(audit.get("clean").asBoolean()).as("%s", audit).isTrue();
        assertThat(audit.at("/journal/acknowledgedInMajority")).isEqualTo(failover.get("acknowledged"));
        assertThat(audit.get("members")).hasSize(dirs.size()).allSatisfy((member) ->
        {
            assertThat(member.get("startPosition").asLong()).as("%s", member).isZero();
            assertThat(member.get("endPosition").asLong()).as("%s", member).isGreaterThanOrEqualTo(position);
        });
    }
}
