package io.clusterecho.control.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.clusterecho.control.cluster.Cluster;
import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.Deadline;
import io.clusterecho.control.member.MemberCounters;
import io.clusterecho.control.member.MemberErrors;
import io.clusterecho.control.member.Node;
import io.clusterecho.node.config.MemberEndpoints;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Settings;

class StatusReportTest
{
    private static final String SETTLED = "closed";

    @TempDir
    private Path dir;

    @Test
    void shouldFindAMemberReadyThatCommitsWhatItsLogHad()
    {
        final Deadline longEnough = Deadline.in(TimeUnit.SECONDS.toNanos(60));

        assertThat(report(List.of(counters(SETTLED, 128, 128))).isReady(Deadline.in(0))).as("idle").isTrue();
        assertThat(report(List.of(counters(SETTLED, 64, 128), counters(SETTLED, 96, 192), counters(SETTLED, 160, 224)))
            .isReady(longEnough)).as("under load").isTrue();
    }

    @Test
    void shouldNotFindAMemberReadyThatStartsElectsOrDoesNotCommit()
    {
        assertThat(report(List.of(Optional.empty())).isReady(soon())).as("without counters").isFalse();
        assertThat(report(List.of(counters("canvass", -1, -1))).isReady(soon())).as("in an election").isFalse();
        assertThat(report(List.of(counters("canvass", -1, -1), counters(SETTLED, 64, 128))).isReady(soon()))
            .as("in an election before").isFalse();
        assertThat(report(List.of(counters(SETTLED, 64, 128), counters("canvass", 128, 128))).isReady(soon()))
            .as("in an election since").isFalse();
        assertThat(report(List.of(counters(SETTLED, 64, 128), counters(SETTLED, 96, 128))).isReady(soon()))
            .as("without a majority").isFalse();
    }

    @Test
    void shouldReadOneMemberOrAll()
    {
        final Cluster cluster = Cluster.of(
            new Settings(NodeSettings.PREFIX, NodeSettings.ALL).put(NodeSettings.BASE_DIR.key(), dir.toString(), "test"), null,
            null);

        assertThat(StatusReport.of(cluster, null).members()).hasSize(3);
        assertThat(StatusReport.of(cluster, 1).members()).singleElement().satisfies((status) ->
        {
            assertThat(status.member().memberId()).isEqualTo(1);
            assertThat(status.isAlive()).isFalse();
        });
        assertThat(StatusReport.of(cluster, 1).isReady(Deadline.in(0))).isFalse();
        for (final int unknown : new int[]{ -1, 3 })
        {
            assertThatThrownBy(() -> StatusReport.of(cluster, unknown)).isInstanceOf(InvalidSettingException.class)
                .hasMessageStartingWith("--member-id=" + unknown + " is not allowed: 0 to 2");
        }
    }

    @Test
    void shouldHaveTheVerdictOfItsReaderInJson()
    {
        final StatusReport follower = report(List.of(counters(SETTLED, 128, 128)));

        assertThat(follower.isHealthy()).as("a follower alone is not a cluster").isFalse();
        assertThat(follower.asJson(follower.isReady(Deadline.in(0))).get("well").asBoolean()).isTrue();
        assertThat(follower.asJson(false).get("well").asBoolean()).isFalse();
    }

    @Test
    void shouldCallTheErrorsOfTheTableDistinct()
    {
        final ByteArrayOutputStream out = new ByteArrayOutputStream();
        report(List.of(counters("closed", 1, 1))).print(new PrintStream(out, true, StandardCharsets.UTF_8));
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("  distinct errors  ");
    }

    private static Deadline soon()
    {
        return Deadline.in(TimeUnit.MILLISECONDS.toNanos(120));
    }

    private static Optional<MemberCounters> counters(final String election, final long commit, final long append)
    {
        return Optional.of(new MemberCounters("follower", election, "active", 3, commit, append, 0, 0, Map.of()));
    }

    /** Member 1 with its counters at the report, and at each look afterwards; the last ones stay. */
    private static StatusReport report(final List<Optional<MemberCounters>> counters)
    {
        final Deque<Optional<MemberCounters>> later = new ArrayDeque<>(counters);
        final Optional<MemberCounters> first = 1 == later.size() ? later.peek() : later.remove();
        final Node.Place place = new Node.Place(
            false, "", new MemberEndpoints(1, "127.0.0.1", 20_010), Path.of("member-1"), Path.of("aeron"));
        final InvocationHandler answers = (self, method, arguments) -> switch (method.getName())
        {
            case "place" -> place;
            case "counters" -> 1 == later.size() ? later.peek() : later.remove();
            default -> InvocationHandler.invokeDefault(self, method, arguments);
        };
        final ClusterMember member = (ClusterMember)Proxy.newProxyInstance(
            ClusterMember.class.getClassLoader(), new Class<?>[]{ ClusterMember.class }, answers);
        return new StatusReport(
            List.of(new StatusReport.MemberStatus(member, 4711, first, MemberErrors.NONE, "", true, Optional.empty())),
            Optional.empty());
    }
}
