package io.clusterecho.control.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.clusterecho.control.cluster.HostAgent;
import io.clusterecho.control.cluster.RecordedClusters;
import io.clusterecho.control.member.BackupCounters;
import io.clusterecho.control.member.BackupSource;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.control.member.Endings;
import io.clusterecho.control.member.MemberErrors;
import io.clusterecho.control.member.MemberLauncher;
import io.clusterecho.control.member.Node;
import io.clusterecho.media.counters.ProcessSample;
import io.clusterecho.node.config.NodeConfig;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.platform.WaitClock;
import io.clusterecho.settings.Settings;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Both ends of a connection without ssh: the agent executes the requests of a remote backup, whose jar is empty, so that its
 * process ends at once.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RemoteBackupOfAgentTest
{
    private static final long EXIT_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(20);

    @TempDir
    private Path dir;

    private HostAgent agent;
    private FakeProcess process;
    private MemberLauncher launcher;
    private Node backup;

    @BeforeEach
    void connect() throws IOException
    {
        launcher = new MemberLauncher(
            Files.createFile(dir.resolve("node.jar")), Files.createFile(dir.resolve("node.options")), List.of());
        agent = new HostAgent(launcher);
        process = new FakeProcess((to, line) -> to.say(agent.server(null).answer(parse(line)).toString()));
        final InventoryHost host = new InventoryHost(
            "safe", List.of(), "127.0.0.1", "", "safe", List.of(), dir, dir.resolve("data"), "java");
        final NodeConfig config = new NodeConfig(new Settings(NodeSettings.PREFIX, NodeSettings.ALL)
            .put(NodeSettings.BASE_DIR.key(), dir.resolve("here/cluster").toString(), "test"));
        backup = new RemoteHost(
            new HostLink(host, (builder) -> process, WaitClock.SYSTEM), config, List.of(), true).backup().orElseThrow();
    }

    @AfterEach
    void endAll()
    {
        process.destroy();
        agent.close();
    }

    @Test
    void shouldControlAProcessFromStartToEnd()
    {
        configure("true");
        assertThat(backup.isRecorded()).isFalse();
        assertThat(Endings.how(backup)).isEqualTo("was not started");

        backup.start();
        assertThat(backup.isRecorded()).isTrue();
        assertThat(backup.awaitExit(EXIT_TIMEOUT_NS)).isTrue();
        assertThat(backup.knownPid()).isEmpty();
        assertThat(backup.exitCode()).hasValue(1);
        assertThat(Endings.lastLine(backup)).contains("node.jar");
        assertThat(backup.hasLog()).isFalse();
        assertThat(backup.backupCounters()).isEmpty();
        assertThat(backup.errors()).isEqualTo(MemberErrors.NONE);
        backup.cleanUp();
        assertThat(backup.isRecorded()).isFalse();
    }

    @Test
    void shouldSampleItsProcess()
    {
        configure("true");
        try (BackupSource source = new BackupSource(backup, List.of()))
        {
            final Map<String, ProcessSample> samples = source.take(Map.of());
            assertThat(samples).containsOnlyKeys("");
            assertThat(samples.get("").pid()).as("no process").isEqualTo(-1);
        }
    }

    @Test
    void shouldKnowNothingOfOneWhoseClusterWasNotStartedThere()
    {
        assertThat(backup.isAlive()).isFalse();
        assertThat(backup.hasLog()).isFalse();
        assertThat(backup.deleteData()).isFalse();
        assertThatThrownBy(backup::start).isInstanceOf(ControlFailure.class).hasMessageContaining("no cluster was started in");
    }

    @Test
    void shouldSayThatTheClusterHasNone()
    {
        configure("false");
        assertThat(backup.isAlive()).isFalse();
        assertThat(backup.hasLog()).isFalse();
        assertThatThrownBy(backup::start).isInstanceOf(ControlFailure.class)
            .hasMessageContaining("was started without a backup");
    }

    @Test
    void shouldKeepEachCounterOnItsWay() throws IOException
    {
        final ObjectMapper mapper = new ObjectMapper();
        final BackupCounters counters = new BackupCounters("backing-up", 1L << 40, 3, true);
        assertThat(mapper.treeToValue(mapper.valueToTree(counters), BackupCounters.class)).isEqualTo(counters);
    }

    private void configure(final String isBackup)
    {
        RecordedClusters.configure(
            dir.resolve("data/cluster"), new TreeMap<>(Map.of(NodeSettings.BACKUP.key(), isBackup)), launcher);
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
