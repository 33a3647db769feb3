package io.clusterecho.control.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.clusterecho.control.member.ClusterFiles;
import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.control.member.Deadline;
import io.clusterecho.node.config.NodeConfig;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.node.member.FolderLock;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Setting;
import io.clusterecho.settings.Settings;

class ClusterTest
{
    private static final Deadline DEADLINE = Deadline.in(TimeUnit.SECONDS.toNanos(60));

    @TempDir
    private Path dir;

    @Test
    void shouldRejectSettingsOfASingleMember()
    {
        assertThatThrownBy(() -> Cluster.of(settings("echo.member.id", "1"), null, null))
            .isInstanceOf(InvalidSettingException.class).hasMessageContaining("echo.member.id=1");
        assertThatThrownBy(() -> Cluster.of(settings("echo.aeron.dir", "/dev/shm/x"), null, null))
            .isInstanceOf(InvalidSettingException.class).hasMessageContaining("echo.aeron.dir=/dev/shm/x");
    }

    @Test
    void shouldRefuseAddressesOfOtherMachines()
    {
        // From the block reserved for documentation.
        final Settings settings = settings("echo.hosts", "192.0.2.1").put("echo.insecure", "true", "test");
        assertThatThrownBy(() -> Cluster.of(settings, null, null))
            .isInstanceOf(InvalidSettingException.class)
            .hasMessageContaining("echo.hosts=192.0.2.1").hasMessageContaining("addresses of this machine");
    }

    @Test
    void shouldFindAClusterAgainWithItsSettings()
    {
        assertThat(RecordedClusters.in(dir, null)).isEmpty();

        final Cluster cluster = Cluster.of(
            settings("echo.fsync", "2").put("echo.session.timeout", "20s", "test").put("aeron.x", "a\\b ", "test"), null, null);
        write(cluster, settings("echo.fsync", "2").put("echo.session.timeout", "20s", "test").put("aeron.x", "a\\b ", "test"));

        final Cluster found = RecordedClusters.in(dir, null).orElseThrow();
        assertThat(found.config().value(NodeSettings.FSYNC)).isEqualTo(2);
        assertThat(found.members()).hasSize(3);
        assertThat(found.isAnyAlive()).isFalse();
        assertThat(found.differences(settings("aeron.x", "a\\b "))).isEmpty();
    }

    @Test
    void shouldStoreSettingsThatAVersionWithoutAKeyCanRead()
    {
        final Settings settings = settings("echo.session.timeout", "20s").put("echo.client.term.length", "1m", "test")
            .put("aeron.x", "y", "test");
        final Cluster cluster = Cluster.of(settings, null, null);
        write(cluster, settings);

        final Setting<?> later = NodeSettings.STATE_LENGTH;
        final NodeConfig read = new NodeConfig(
            new Settings(NodeSettings.PREFIX, NodeSettings.ALL.stream().filter((setting) -> later != setting).toList())
                .putFiles(List.of(new ClusterFiles(dir).settingsFile())));
        assertThat(read.effective()).isEqualTo(cluster.config().effective());
        final Map<String, String> stored = Settings.load(new ClusterFiles(dir).settingsFile());
        assertThat(stored).containsEntry("echo.session.timeout", "20s").containsEntry("aeron.x", "y")
            .containsKeys("echo.mtu", "echo.hosts", "echo.log.term.length", "echo.client.term.length", "echo.service")
            .doesNotContainKeys("echo.fsync", "echo.max.sessions", later.key());
        assertThat(RecordedClusters.in(dir, null).orElseThrow().shared()).isEqualTo(cluster.shared())
            .containsKeys("echo.fsync", later.key());
        assertThat(Settings.load(dir.resolve("cluster.properties"))).containsAllEntriesOf(cluster.shared());

        final Settings used = settings(later.key(), "1m");
        write(Cluster.of(used, null, null), used);
        assertThatThrownBy(() -> new Settings(
            NodeSettings.PREFIX, NodeSettings.ALL.stream().filter((setting) -> later != setting).toList())
            .putFiles(List.of(new ClusterFiles(dir).settingsFile())))
            .isInstanceOf(InvalidSettingException.class).hasMessageContaining("unknown key " + later.key() + "=1m");
    }

    @Test
    void shouldCountOnlyGivenSettingsAsDifferent()
    {
        final Cluster cluster = Cluster.of(settings("echo.fsync", "1"), null, null);
        assertThat(cluster.differences(settings("echo.fsync", "1"))).isEmpty();
        assertThat(cluster.differences(new Settings(NodeSettings.PREFIX, NodeSettings.ALL)
            .put("echo.base.dir", dir.toString(), "test"))).isEmpty();
        assertThat(cluster.differences(settings("echo.fsync", "0")))
            .singleElement().asString().contains("echo.fsync=1 there, 0 requested");
        assertThat(cluster.differences(settings("aeron.event.log", "all"))).hasSize(1);
    }

    @Test
    void shouldRefuseToGoOnWithALogThatWasBegunOtherwise() throws IOException
    {
        write(Cluster.of(settings("echo.mtu", "1408"), null, null), settings("echo.mtu", "1408"));
        final Path archive = Files.createDirectories(dir.resolve("member-0/archive"));
        Files.createFile(archive.resolve("archive.catalog"));

        assertThatThrownBy(() -> Cluster.of(settings("echo.mtu", "8k"), null, null).start(DEADLINE, (text) -> {}))
            .isInstanceOf(InvalidSettingException.class)
            .hasMessageContaining("echo.mtu=8k").hasMessageContaining("1408").hasMessageContaining("--delete-data");
        // Settings that are not requested stay as they were.
        assertThat(Cluster.of(settings("echo.fsync", "0"), null, null).config().mtuLength()).isEqualTo(1408);
        assertThatThrownBy(() -> Cluster.of(settings("echo.hosts", "127.0.0.1"), null, null).start(DEADLINE, (text) -> {}))
            .isInstanceOf(InvalidSettingException.class).hasMessageContaining("echo.hosts=127.0.0.1");
    }

    @ParameterizedTest
    @CsvSource({
        "echo.service.class,com.acme.Book,(empty: the echo)", "echo.stages,true,false", "echo.state.length,1m,0",
        "echo.log.term.length,1m,16m", "echo.service,plain,echo",
        "echo.profile,stock,16m" })
    void shouldGiveTheCommandsForALogWithAnotherValue(final String key, final String value, final String ofLog) throws IOException
    {
        final Settings written = settings("echo.fsync", "0");
        write(Cluster.of(written, null, null), written);
        Files.createFile(Files.createDirectories(dir.resolve("member-0/archive")).resolve("archive.catalog"));
        final String options = " --base-dir " + dir;

        assertThatThrownBy(() -> Cluster.of(settings(key, value), null, null).start(DEADLINE, (text) -> {}))
            .isInstanceOf(InvalidSettingException.class)
            .hasMessageContaining(" is not allowed: " + ofLog + ", the value of the log in " + dir)
            .hasMessageContaining("start" + options + " " + dir.resolve("settings.properties"))
            .hasMessageContaining("stop --delete-data" + options);
    }

    @Test
    void shouldKeepTwoCommandsFromWorkingInOneFolder() throws IOException
    {
        final Cluster cluster = Cluster.of(settings("echo.fsync", "0"), null, null);
        try (FolderLock ignore = new ClusterFiles(dir).lock())
        {
            assertThatThrownBy(() -> cluster.stop(DEADLINE, (text) -> {}))
                .isInstanceOf(ControlFailure.class).hasMessageContaining("another command");
        }
        assertThat(cluster.stop(DEADLINE, (text) -> {})).isEmpty();
    }

    @Test
    void shouldDeleteOnlyFoldersThatAMemberMade() throws IOException
    {
        final Cluster cluster = Cluster.of(settings("echo.fsync", "0"), null, null);
        Files.createFile(Files.createDirectories(dir.resolve("member-0")).resolve(FolderLock.FILE));
        Files.createFile(Files.createDirectories(dir.resolve("member-1")).resolve("holiday.jpg"));
        Files.createFile(Files.createDirectories(dir.resolve("member-2")).resolve("member.log"));
        Files.createFile(dir.resolve("notes.txt"));

        assertThat(cluster.deleteData()).containsExactly(dir.resolve("member-0"), dir.resolve("member-2"));
        assertThat(dir.resolve("member-0")).doesNotExist();
        assertThat(dir.resolve("member-1/holiday.jpg")).exists();
        assertThat(dir.resolve("notes.txt")).exists();
    }

    @Test
    void shouldFallBackOnTheLastWordsForAnExitCode() throws IOException
    {
        final ClusterMember member = Cluster.of(settings("echo.fsync", "0"), null, null).members().get(0);
        Files.createDirectories(member.dir());
        assertThat(member.exitCode()).isEmpty();

        Files.writeString(
            member.logFile(), "---- start 1\nmember 0 stopped, exit 7 (other error)\n---- start 2\nmember 0 is ready\n");
        assertThat(member.exitCode()).isEmpty();
        assertThat(member.output()).containsExactly("member 0 is ready");

        Files.writeString(member.logFile(), "---- start 1\nmember 0 is ready\nmember 0 stopped, exit 0 (stopped on request)\n");
        assertThat(member.exitCode()).hasValue(0);

        Files.writeString(
            member.logFile(),
            "---- start 1\nmember 0 stopped, exit 0 (stopped on request)\nmember 0 driver: Shutting down driver...\n");
        assertThat(member.exitCode()).hasValue(0);
    }

    @Test
    void shouldBoundTheOutageOfFastTimeouts()
    {
        final Settings settings = settings("echo.fsync", "0");
        TimeoutPreset.FAST.apply(settings);
        assertThat(Cluster.of(settings, null, null).config().outageBoundNs())
            .isEqualTo(TimeUnit.MILLISECONDS.toNanos(3000));
    }

    private Settings settings(final String key, final String value)
    {
        return new Settings(NodeSettings.PREFIX, NodeSettings.ALL)
            .put("echo.base.dir", dir.toString(), "test").put(key, value, "test");
    }

    private void write(final Cluster cluster, final Settings settings)
    {
        new ClusterFiles(dir).write(
            ClusterFiles.shared(cluster.config(), settings.foreignProperties()), cluster.config().members());
    }
}
