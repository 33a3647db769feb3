package io.clusterecho.control.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.clusterecho.control.member.ClusterFiles;
import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.control.member.LocalMember;
import io.clusterecho.control.member.MemberLauncher;
import io.clusterecho.node.config.MemberEndpoints;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A supervisor in this process, of members that are sleeps instead of JVMs.
 */
class SupervisorTest
{
    private static final long NS_PER_S = TimeUnit.SECONDS.toNanos(1);
    private static final long EXIT_TIMEOUT_NS = 20 * NS_PER_S;
    private static final int MEMBERS = 3;

    @TempDir
    private Path dir;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final List<ClusterMember> members = new ArrayList<>();
    private ClusterFiles files;
    private Supervisor supervisor;
    private long nowNs;

    @BeforeEach
    void startMembers() throws IOException
    {
        final Path script = Files.writeString(
            dir.resolve("member.sh"),
            "#!/bin/sh\ntrap 'echo member 0 stopped, exit 0 by request; exit 0' TERM\n: > " +
            dir.resolve("ready") + "-$$\nsleep 60 &\nwait\n");
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
        final Path jar = Files.createFile(dir.resolve("node.jar"));
        files = new ClusterFiles(dir);
        for (final MemberEndpoints endpoints : MemberEndpoints.ofAll(List.of("127.0.0.1", "127.0.0.1", "127.0.0.1"), 20_000))
        {
            final Path memberDir = dir.resolve("member-" + endpoints.memberId());
            members.add(new LocalMember(
                endpoints, memberDir, memberDir.resolve("aeron"), files.settingsFile(), new MemberLauncher(jar, jar),
                script.toString(), ""));
        }
        members.forEach(ClusterMember::start);
        // Until then SIGTERM ends them as a kill does.
        members.forEach((member) -> await().atMost(Duration.ofSeconds(20)).until(
            () -> Files.exists(dir.resolve("ready-" + member.pid().orElseThrow()))));
        supervisor = new Supervisor(files, members, null, new PrintStream(out, true, StandardCharsets.UTF_8));
        supervisor.begin();
        assertThat(supervisor.poll(nowNs)).isTrue();
    }

    @AfterEach
    void endMembers()
    {
        ProcessHandle.current().descendants()
            .filter((process) -> process.info().commandLine().map((line) -> line.endsWith("sleep 60")).orElse(false))
            .forEach(ProcessHandle::destroyForcibly);
        members.forEach(ClusterMember::kill);
        members.forEach((member) -> member.awaitExit(EXIT_TIMEOUT_NS));
    }

    @Test
    void shouldStartAKilledMemberAgainAndTellItsLogAndStatus() throws IOException
    {
        final long pid = members.get(1).pid().orElseThrow();
        kill(1);

        supervisor.poll(nowNs);
        assertThat(members.get(1).isAlive()).isFalse();
        nowNs += NS_PER_S;
        supervisor.poll(nowNs);
        assertThat(members.get(1).pid()).isPresent().isNotEqualTo(java.util.OptionalLong.of(pid));
        assertThat(new Supervision(dir).note(1)).startsWith("started again 1 time at ");
        assertThat(new Supervision(dir).note(0)).isEmpty();
        assertThat(Files.readString(members.get(1).logFile()))
            .contains("supervisor: member 1 ended with status 137 (signal 9), starts again in 1 s\n")
            .contains("supervisor: member 1 started again 1 time\n");
        assertThat(supervisor.poll(nowNs)).isTrue();
    }

    @Test
    void shouldRecordANewStartOnlyWhenNoMemberOfTheOldOneIsLeft()
    {
        files.recordStart();
        final Map<String, String> before = files.readStart();
        kill(1);
        supervisor.poll(nowNs);
        nowNs += NS_PER_S;
        supervisor.poll(nowNs);
        assertThat(members.get(1).isAlive()).isTrue();
        assertThat(files.readStart()).isEqualTo(before).containsOnlyKeys("id", "time");

        kill(0);
        kill(1);
        kill(2);
        supervisor.poll(nowNs);
        nowNs += 2 * NS_PER_S;
        supervisor.poll(nowNs);
        assertThat(members.get(0).isAlive()).isTrue();
        assertThat(files.readStart()).doesNotContainEntry("id", before.get("id"));
    }

    @Test
    void shouldLookAfterTheOthersWhenOneCannotBeLookedAt() throws IOException
    {
        // As on a disk that fails.
        final Path record = dir.resolve("member-0").resolve("process.properties");
        final Path aside = Files.move(record, dir.resolve("aside"));
        Files.createDirectory(record);
        kill(1);

        supervisor.poll(nowNs);
        nowNs += NS_PER_S;
        assertThat(supervisor.poll(nowNs)).isTrue();
        assertThat(members.get(1).isAlive()).isTrue();
        assertThat(out.toString(StandardCharsets.UTF_8)).containsOnlyOnce("member 0 could not be looked at: ");

        Files.delete(record);
        Files.move(aside, record);
        assertThat(supervisor.poll(nowNs)).isTrue();
    }

    @Test
    void shouldLeaveMembersToACommandThatHoldsTheFolder() throws IOException
    {
        kill(1);
        supervisor.poll(nowNs);
        nowNs += NS_PER_S;
        try (FileChannel ignore = files.lock())
        {
            supervisor.poll(nowNs);
            assertThat(members.get(1).isAlive()).isFalse();
        }
        supervisor.poll(nowNs);
        assertThat(members.get(1).isAlive()).isTrue();
    }

    @Test
    void shouldLeaveMembersToAFaultLab() throws IOException
    {
        kill(1);
        supervisor.poll(nowNs);
        nowNs += NS_PER_S;
        try (FileChannel ignore = files.holdSupervision())
        {
            supervisor.poll(nowNs);
            assertThat(members.get(1).isAlive()).isFalse();

            members.get(1).start();
            final long pid = members.get(1).pid().orElseThrow();
            supervisor.poll(nowNs);
            assertThat(members.get(1).pid()).hasValue(pid);
        }
        nowNs += NS_PER_S;
        supervisor.poll(nowNs);
        assertThat(new Supervision(dir).note(1)).startsWith("was started by another command at ");
    }

    @Test
    void shouldEndWhenAllMembersWereStopped()
    {
        members.forEach(ClusterMember::terminate);
        members.forEach((member) -> assertThat(member.awaitExit(EXIT_TIMEOUT_NS)).isTrue());

        assertThat(supervisor.poll(nowNs)).isFalse();
        assertThat(supervisor.poll(nowNs + 60 * NS_PER_S)).isFalse();
        assertThat(members).noneMatch(ClusterMember::isAlive);
        assertThat(out.toString(StandardCharsets.UTF_8))
            .contains("member 2 ended with status 0 (stopped on request), is not started again");
    }

    @Test
    void shouldStartOneAtATimeWhileMostRun()
    {
        kill(0);
        kill(1);
        kill(2);
        supervisor.poll(nowNs);
        nowNs += NS_PER_S;
        supervisor.poll(nowNs);
        assertThat(members.stream().filter(ClusterMember::isAlive))
            .as("two at once, because no quorum runs; the third when the second has joined, or does not join in time")
            .hasSize(2);

        nowNs += 30 * NS_PER_S;
        supervisor.poll(nowNs);
        assertThat(members.get(2).isAlive()).isFalse();
        supervisor.poll(nowNs + 1);
        assertThat(members.get(2).isAlive()).isTrue();
    }

    @Test
    void shouldBeTheOnlyOne()
    {
        assertThat(new Supervision(dir).pid()).hasValue(ProcessHandle.current().pid());
        assertThatThrownBy(() -> new Supervisor(files, members, null, System.out).begin())
            .isInstanceOf(ControlFailure.class).hasMessageContaining(" has a supervisor, pid ");
    }

    private void kill(final int id)
    {
        members.get(id).kill();
        assertThat(members.get(id).awaitExit(EXIT_TIMEOUT_NS)).isTrue();
    }
}
