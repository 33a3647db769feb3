package io.clusterecho.node.member;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import io.aeron.cluster.client.AeronCluster;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;

import org.agrona.CloseHelper;
import org.agrona.IoUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import io.clusterecho.media.link.Impairment.Direction;
import io.clusterecho.media.link.Impairment;
import io.clusterecho.media.link.LinkFile;
import io.clusterecho.node.config.MemberEndpoints;
import io.clusterecho.node.config.NodeConfig;
import io.clusterecho.testing.FreePorts;

/** Three members in separate processes; one is cut off while it leads. */
@Timeout(180)
class MemberPartitionTest
{
    private static final List<String> HOSTS = List.of("127.0.0.1", "127.0.0.1", "127.0.0.1");
    private static final Pattern ROLE = Pattern.compile("member \\d is (leader|follower) in term (\\d+)\n");
    private static final Duration DEADLINE = Duration.ofSeconds(120);
    private static final long TAKEN_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(60);

    private final int basePort = FreePorts.block();
    private final MemberJvm[] members = new MemberJvm[HOSTS.size()];

    @TempDir
    private Path tempDir;

    @BeforeEach
    void startMembers() throws IOException
    {
        final Path file = Files.write(tempDir.resolve("three.properties"), List.of(
            "echo.hosts=" + String.join(",", HOSTS),
            "echo.base.port=" + basePort,
            "echo.base.dir=" + baseDir(),
            "echo.log.term.length=1m",
            "echo.client.term.length=64k",
            "echo.max.message.length=1k",
            "echo.heartbeat.timeout=2s",
            "echo.heartbeat.interval=50ms",
            "echo.election.timeout=500ms",
            "echo.election.status.interval=50ms",
            "echo.fault.filter=true"));
        for (int id = 0; id < members.length; id++)
        {
            members[id] = new MemberJvm(tempDir.resolve("output-" + id), "--member-id", String.valueOf(id), file.toString());
        }
    }

    @AfterEach
    void stopMembers()
    {
        CloseHelper.closeAll(members);
        for (int id = 0; id < members.length; id++)
        {
            IoUtil.delete(NodeConfig.defaultAeronDir(baseDir(), id).toFile(), true);
        }
    }

    @Test
    void shouldElectAnotherWithoutTheLeaderThatIsCutOffAndTakeItBackAfterwards() throws Exception
    {
        int leader = awaitLeaderOfAll(0);
        assertThat(connectTo(members())).as("leader that a client finds").isEqualTo(leader);
        for (int id = 0; id < members.length; id++)
        {
            final LinkFile open = control(id);
            assertThat(open.impairment(open.request())).isEqualTo(Impairment.NONE);
        }

        for (final Direction direction : Direction.values())
        {
            final int cutOff = leader;
            final long term = lastRole(cutOff).term();
            final LinkFile control = control(cutOff);

            control.impair(Impairment.of(direction).cut());
            assertThat(control.awaitTaken(TAKEN_TIMEOUT_NS)).as("taken: cut %s", direction).isTrue();
            awaitLeaderBesides(cutOff, term + 1);
            final List<MemberEndpoints> others = members().stream().filter((m) -> cutOff != m.memberId()).toList();
            assertThat(connectTo(others)).as("leader that a client finds").isNotEqualTo(cutOff);

            control.impair(Impairment.NONE);
            assertThat(control.awaitTaken(TAKEN_TIMEOUT_NS)).as("taken: open").isTrue();
            leader = awaitLeaderOfAll(term + 1);
        }

        for (final MemberJvm member : members)
        {
            assertThat(member.terminate()).isZero();
        }
    }

    private void awaitLeaderBesides(final int cutOff, final long minTerm)
    {
        await("a leader besides member " + cutOff)
            .atMost(DEADLINE)
            .failFast(this::expectAllAlive)
            .untilAsserted(() -> assertThat(roles()).as("term from %d, leader besides %d", minTerm, cutOff)
                .anyMatch((role) -> role.isLeader() && cutOff != role.memberId() && role.term() >= minTerm));
    }

    /** All three are in one leadership term, with one leader. */
    private int awaitLeaderOfAll(final long minTerm)
    {
        await("one term, from " + minTerm)
            .atMost(DEADLINE)
            .failFast(this::expectAllAlive)
            .untilAsserted(() -> assertThat(roles()).as("term from %d", minTerm)
                .allMatch((role) -> role.term() >= minTerm && role.term() == roles().get(0).term())
                .filteredOn(Role::isLeader).hasSize(1));
        return roles().stream().filter(Role::isLeader).findFirst().orElseThrow().memberId();
    }

    private void expectAllAlive()
    {
        for (final MemberJvm member : members)
        {
            assertThat(member.process().isAlive()).as(member::output).isTrue();
        }
    }

    private List<Role> roles()
    {
        return IntStream.range(0, members.length).mapToObj(this::lastRole).toList();
    }

    private Role lastRole(final int id)
    {
        final Matcher matcher = ROLE.matcher(members[id].output());
        Role last = new Role(id, false, -1);
        while (matcher.find())
        {
            last = new Role(id, "leader".equals(matcher.group(1)), Long.parseLong(matcher.group(2)));
        }

        return last;
    }

    private LinkFile control(final int id) throws IOException
    {
        return LinkFile.open(NodeConfig.memberDir(baseDir(), id));
    }

    private List<MemberEndpoints> members()
    {
        return MemberEndpoints.ofAll(HOSTS, basePort, false);
    }

    private int connectTo(final List<MemberEndpoints> endpoints)
    {
        final MediaDriver.Context driverCtx = new MediaDriver.Context()
            .aeronDirectoryName(tempDir.resolve("client").toString())
            .dirDeleteOnStart(true)
            .dirDeleteOnShutdown(true)
            .threadingMode(ThreadingMode.SHARED);
        try (MediaDriver driver = MediaDriver.launch(driverCtx);
            AeronCluster cluster = AeronCluster.connect(new AeronCluster.Context()
                .aeronDirectoryName(driver.aeronDirectoryName())
                .ingressChannel("aeron:udp?term-length=64k")
                .egressChannel("aeron:udp?endpoint=127.0.0.1:0")
                .ingressEndpoints(MemberEndpoints.ingressEndpoints(endpoints))))
        {
            return cluster.leaderMemberId();
        }
    }

    private Path baseDir()
    {
        return tempDir.resolve("data");
    }

    private record Role(int memberId, boolean isLeader, long term)
    {
    }
}
