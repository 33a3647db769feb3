package io.clusterecho.control.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.clusterecho.control.cluster.HostAgent;
import io.clusterecho.control.cluster.RecordedClusters;
import io.clusterecho.control.member.CallFault;
import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.control.member.Deadline;
import io.clusterecho.control.member.DiskAction;
import io.clusterecho.control.member.ElectionWatch;
import io.clusterecho.control.member.MemberErrors;
import io.clusterecho.control.member.MemberLauncher;
import io.clusterecho.control.member.MemberStorage;
import io.clusterecho.media.counters.DriverSample;
import io.clusterecho.media.link.Impairment;
import io.clusterecho.media.link.Impairment.Direction;
import io.clusterecho.node.config.NodeConfig;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.node.member.MemberSeed;
import io.clusterecho.platform.WaitClock;
import io.clusterecho.settings.Settings;
import io.clusterecho.testing.Need;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Both ends of a connection without ssh: the agent executes the requests of a remote member on a process here,
 * a sleep instead of a member.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RemoteMemberOfAgentTest
{
    private static final long EXIT_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(20);

    @TempDir
    private Path dir;

    private HostAgent agent;
    private FakeProcess process;
    private Path baseDir;
    private HostLink link;
    private RemoteHost host;
    private ClusterMember member;

    @BeforeEach
    void connect() throws IOException
    {
        final MemberLauncher launcher = new MemberLauncher(
            Files.createFile(dir.resolve("node.jar")), Files.createFile(dir.resolve("node.options")), List.of());
        agent = new HostAgent(launcher);
        process = new FakeProcess((to, line) -> to.say(agent.server(null).answer(parse(line)).toString()));
        final InventoryHost inventoryHost = new InventoryHost(
            "alpha", List.of(), "127.0.0.1", "", "alpha", List.of(), dir, dir.resolve("data"), "java");
        link = new HostLink(inventoryHost, (builder) -> process, WaitClock.SYSTEM);
        final NodeConfig config = new NodeConfig(new Settings(NodeSettings.PREFIX, NodeSettings.ALL)
            .put(NodeSettings.BASE_DIR.key(), dir.resolve("here/cluster").toString(), "test"));
        host = new RemoteHost(link, config, config.members(), false);
        member = host.members().get(0);
        baseDir = dir.resolve("data/cluster");

        final Path script = Files.writeString(
            dir.resolve("member.sh"), "#!/bin/sh\necho member $1 sleeps\nexec sleep 60\n");
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
        RecordedClusters.configure(
            baseDir, new TreeMap<>(Map.of(NodeSettings.LAUNCH_PREFIX.key(), script + " {id}")), launcher);
    }

    @AfterEach
    void endAll()
    {
        member.kill();
        member.awaitExit(EXIT_TIMEOUT_NS);
        process.destroy();
        agent.close();
    }

    @Test
    void shouldControlAProcessFromStartToEnd()
    {
        assertThat(member.isRecorded()).isFalse();
        assertThat(member.isAlive()).isFalse();

        member.start();
        final ProcessHandle child = ProcessHandle.of(member.pid().orElseThrow()).orElseThrow();
        assertThat(child.isAlive()).isTrue();
        assertThat(member.isRecorded()).isTrue();
        assertThat(member.exitCode()).isEmpty();
        assertThat(member.hasLog()).isFalse();
        assertThat(member.counters()).isEmpty();
        assertThat(member.errors()).isEqualTo(MemberErrors.NONE);
        member.pause();
        member.resume();

        assertThat(Deadline.in(EXIT_TIMEOUT_NS).await(() -> !member.output().isEmpty())).isTrue();
        member.kill();
        assertThat(member.awaitExit(EXIT_TIMEOUT_NS)).isTrue();
        // Its parent, this process, takes a moment to reap it.
        assertThat(Deadline.in(EXIT_TIMEOUT_NS).await(() -> !child.isAlive())).isTrue();
        assertThat(member.exitCode()).hasValue(137);
        assertThat(member.output()).containsExactly("member 0 sleeps");
        member.wipe();
        member.cleanUp();
        assertThat(member.isRecorded()).isFalse();
    }

    @Test
    void shouldReadPurgeAndSeedTheStorageOnTheHost() throws IOException
    {
        assertThat(member.storage()).isEqualTo(new MemberStorage(MemberStorage.NONE, 0, 0, 0, List.of(), 0));
        assertThatThrownBy(() -> member.purge(4096, 2)).isInstanceOf(ControlFailure.class)
            .hasMessageContaining("member 0 does not run");
        assertThatThrownBy(member::seed).isInstanceOf(ControlFailure.class)
            .hasMessageContaining("member 0 has no snapshot to copy");
        member.putSeed(new MemberSeed(
            "127.0.0.1:20004", 7, 4096, List.of(new MemberSeed.Term(1, 0, 10)), List.of(new MemberSeed.Part(0, 8, 1, 0, 20))));
        assertThat(Files.readString(member.dir().resolve("seed.json"))).contains(
            "\"logRecordingId\":7,\"logPosition\":4096",
            "{\"id\":1,\"basePosition\":0,\"timestamp\":10}",
            "{\"serviceId\":0,\"recordingId\":8,\"termId\":1,\"basePosition\":0,\"timestamp\":20}");
    }

    @Test
    void shouldKeepEachValueOfTheStorageOnItsWay() throws IOException
    {
        final ObjectMapper mapper = new ObjectMapper();
        final MemberStorage storage = new MemberStorage(
            3, 1 << 20, 1 << 16, 1 << 18, List.of(new MemberStorage.Snapshot(1 << 21, List.of(4L, 5L))), 1L << 40);
        final MemberSeed seed = new MemberSeed(
            "127.0.0.1:20004", 7, 4096, List.of(new MemberSeed.Term(1, 0, 10)), List.of(new MemberSeed.Part(-1, 8, 1, 0, 20)));
        assertThat(mapper.treeToValue(mapper.valueToTree(storage), MemberStorage.class)).isEqualTo(storage);
        assertThat(mapper.treeToValue(mapper.valueToTree(seed), MemberSeed.class)).isEqualTo(seed);
    }

    @Test
    void shouldRefuseOnTheHostWhatWouldHurtARunningMember() throws IOException
    {
        member.start();
        final Path log = Files.createDirectories(member.dir().resolve("archive")).resolve("archive.catalog");
        Files.createFile(log);

        assertThatThrownBy(member::start).isInstanceOf(ControlFailure.class).hasMessageContaining("member 0 runs");
        assertThatThrownBy(member::cleanUp).isInstanceOf(ControlFailure.class).hasMessageContaining("member 0 runs");
        assertThatThrownBy(member::wipe).isInstanceOf(ControlFailure.class).hasMessageContaining("member 0 runs");
        assertThatThrownBy(member::deleteData).isInstanceOf(ControlFailure.class).hasMessageContaining("member 0 runs");
        assertThat(log).exists();
        assertThat(member.hasLog()).isTrue();
        assertThat(member.isAlive()).isTrue();
    }

    @Test
    void shouldFailToCutOffAMemberWithoutAFilter()
    {
        member.start();
        assertThatThrownBy(() -> member.impair(Impairment.of(Direction.SEND).cut())).hasMessageContaining("host alpha")
            .hasMessageContaining("no link filter");
        assertThatThrownBy(member::restoreLink).hasMessageContaining("host alpha").hasMessageContaining("no link filter");
    }

    @Test
    void shouldRefuseFaultsOfADiskThatIsNotItsOwn()
    {
        member.start();
        for (final DiskAction action : DiskAction.values())
        {
            assertThatThrownBy(() -> member.disk(action)).isInstanceOf(ControlFailure.class)
                .hasMessageContaining("host alpha").hasMessageContaining("is part of a larger file system");
        }
        assertThat(member.isAlive()).isTrue();
    }

    @Test
    void shouldFailToChangeCallsOfAMemberWithoutTheLibrary()
    {
        member.start();
        final CallFault fault = new CallFault(CallFault.Kind.CLOCK_STEP, -1_000_000L);
        assertThatThrownBy(() -> member.calls(fault)).hasMessageContaining("host alpha")
            .hasMessageContaining("member 0 has no fault library");
        assertThatThrownBy(member::releaseCalls).hasMessageContaining("host alpha")
            .hasMessageContaining("member 0 has no fault library");
    }

    @Test
    void shouldLimitTheFilesOfAProcess()
    {
        Need.PRLIMIT.program();
        assertThatThrownBy(() -> member.limitFiles(64)).hasMessageContaining("member 0 does not run");
        member.start();
        member.limitFiles(64);
        member.releaseFiles();
        assertThat(member.isAlive()).isTrue();
    }

    @Test
    void shouldSampleAndWatchAProcessWithoutCounters()
    {
        member.start();
        final long pid = member.pid().orElseThrow();
        member.samples().forEach((suffix, sample) ->
        {
            assertThat(sample.pid()).isEqualTo(pid);
            assertThat(Arrays.stream(sample.values()).anyMatch((value) -> DriverSample.MISSING != value)).isTrue();
        });

        try (ElectionWatch watch = host.watchElections())
        {
            assertThat(watch.since(0)).isEmpty();
        }
    }

    @Test
    void shouldForgetAClusterAndItsSettings()
    {
        assertThat(RemoteHost.askSettings(link, baseDir)).isPresent();
        host.forget();
        assertThat(RemoteHost.askSettings(link, baseDir)).isEmpty();
        assertThat(baseDir).doesNotExist();
        assertThatThrownBy(member::start).isInstanceOf(ControlFailure.class).hasMessageContaining("no cluster was started");
    }

    private static JsonNode parse(final String line)
    {
        try
        {
            return new ObjectMapper().readTree(line);
        }
        catch (final JsonProcessingException ex)
        {
            throw new AssertionError(line, ex);
        }
    }
}
