package io.clusterecho.node.member;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Field;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.aeron.CommonContext;
import io.aeron.archive.Archive;
import io.aeron.archive.client.AeronArchive;
import io.aeron.cluster.ConsensusModule;
import io.aeron.cluster.client.AeronCluster;
import io.aeron.cluster.service.ClusteredServiceContainer;
import io.aeron.driver.Configuration;
import io.aeron.driver.MediaDriver;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.clusterecho.node.config.NodeConfig;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.platform.BuildFacts;
import io.clusterecho.settings.Setting;
import io.clusterecho.settings.Settings;

class AeronSettingsTest
{
    private static final String LOG_CHANNEL = "aeron.cluster.log.channel";

    @TempDir
    private Path baseDir;

    @Test
    void shouldKnowFieldsAndKeysThatAeronHas() throws IllegalAccessException
    {
        final Map<String, String> printed = Map.of(
            "MediaDriver", new MediaDriver.Context().toString(), "Archive", new Archive.Context().toString(),
            "ConsensusModule", new ConsensusModule.Context().toString());
        final List<String> keys = keys();
        final List<String> ours = NodeSettings.ALL.stream().map(Setting::key).toList();
        assertThat(lines("aeron-settings.txt")).isNotEmpty().allSatisfy((line) ->
        {
            final String[] fields = line.split("\\|", -1);
            final String[] place = fields[0].split("\\.");
            assertThat(printed.get(place[0])).contains("\n    " + place[1] + "=");
            assertThat(keys).contains(fields[1]);
            assertThat(fields[2]).isNotEmpty();
            assertThat(fields[3].isEmpty() || ours.contains(fields[3])).as(line).isTrue();
        });
        assertThat(lines("rejected-keys.txt")).isNotEmpty().allSatisfy((line) ->
        {
            assertThat(keys).contains(line.split("\\|")[0]);
            assertThat(ours).contains(line.split("\\|")[1]);
        });
    }

    @Test
    void shouldReadWhatComponentsPrintAmongOtherLines()
    {
        final String log = "12:00:01 starting\n" + new MediaDriver.Context().mtuLength(8192) + "\nready\r\n" +
            new Archive.Context().fileSyncLevel(1).archiveClientContext(new AeronArchive.Context().messageTimeoutNs(7)) + "\n" +
            new ConsensusModule.Context().electionTimeoutNs(1_500_000_000L).logChannel("aeron:udp?term-length=32m|alias=log") +
            "\n    mtuLength=1\n";

        assertThat(AeronSettings.printed(log)).containsAllEntriesOf(Map.of(
            "aeron.mtu.length", "8192", "aeron.archive.file.sync.level", "1", "aeron.cluster.election.timeout", "1500ms",
            "aeron.client.liveness.timeout", "10s", LOG_CHANNEL, "aeron:udp?mtu=8192|term-length=33554432",
            "aeron.archive.record.checksum", AeronSettings.UNSET)).doesNotContainKey("aeron.sender.idle.strategy");
        assertThat(AeronSettings.printed("aeron.mtu.length=8k\n{\n    mtuLength=1\n}\n")).isEmpty();
    }

    @Test
    void shouldEvaluatePropertiesAsAeronsLaunchersDo()
    {
        final Map<String, String> given = Map.of(
            "aeron.ipc.mtu.length", "8k", "aeron.image.liveness.timeout", "2500ms", "aeron.threading.mode", "SHARED",
            "aeron.shared.idle.strategy", "noop", "aeron.cluster.control.channel", "aeron:ipc?term-length=64k",
            "aeron.archive.record.checksum", "org.agrona.checksum.Crc32", "aeron.driver.stream.session.limit", "7");

        final SortedMap<String, String> settings = AeronSettings.launched(given);

        assertThat(settings).containsAllEntriesOf(Map.of(
            "aeron.ipc.mtu.length", "8192", "aeron.image.liveness.timeout", "2500ms", "aeron.threading.mode", "SHARED",
            "aeron.shared.idle.strategy", "noop", "aeron.cluster.control.channel", "aeron:ipc?mtu=8192|term-length=65536",
            "aeron.archive.record.checksum", "org.agrona.checksum.Crc32", "aeron.driver.stream.session.limit", "7",
            "aeron.sender.idle.strategy", "backoff", "aeron.archive.threading.mode", "DEDICATED"));
        assertThat(System.getProperties()).doesNotContainKeys(given.keySet().toArray());
    }

    @Test
    void shouldNeitherUseNorChangeThePropertiesOfThisProcess()
    {
        System.setProperty("aeron.mtu.length", "4096");
        System.setProperty("aeron.ipc.mtu.length", "4096");
        try
        {
            assertThat(AeronSettings.launched(Map.of("aeron.ipc.mtu.length", "8k"))).containsAllEntriesOf(
                Map.of("aeron.mtu.length", "1408", "aeron.ipc.mtu.length", "8192"));
            assertThat(System.getProperty("aeron.mtu.length")).isEqualTo("4096");
            assertThat(System.getProperty("aeron.ipc.mtu.length")).isEqualTo("4096");

            assertThatThrownBy(() -> AeronSettings.launched(Map.of("aeron.mtu.length", "muck")));
            assertThat(System.getProperty("aeron.mtu.length")).isEqualTo("4096");
        }
        finally
        {
            System.clearProperty("aeron.mtu.length");
            System.clearProperty("aeron.ipc.mtu.length");
        }
    }

    /** What the profile stock does not leave at Aeron's default, and why. */
    @Test
    void shouldDifferFromAeronsDefaultsInFewSettingsOfStockMembers()
    {
        final SortedMap<String, String> aeron = AeronSettings.launched(Map.of());
        final SortedMap<String, String> stock = member("echo.profile", "stock");

        final Map<String, String> differing = new TreeMap<>(stock);
        differing.entrySet().removeIf((setting) -> setting.getValue().equals(aeron.get(setting.getKey())));
        assertThat(stock.keySet()).isEqualTo(aeron.keySet());
        assertThat(differing.keySet()).containsExactly(
            // Aeron has no default, and members need one.
            "aeron.archive.replication.channel",
            // Its default has the terms of the driver: 48 MB for small messages between two members.
            "aeron.cluster.consensus.channel",
            "aeron.cluster.ingress.channel", "aeron.cluster.max.sessions", "aeron.cluster.replication.channel",
            // So that a leader without followers records its log.
            "aeron.spies.simulate.connection");
    }

    @Test
    void shouldDeriveAeronsSettingsFromOursAndTakeThoseThatAreGiven()
    {
        assertThat(member("echo.profile", "dedicated", "echo.fsync", "2", "echo.mtu", "2k", "aeron.mtu.length", "4096"))
            .containsAllEntriesOf(Map.of(
                "aeron.sender.idle.strategy", "spin", "aeron.archive.catalog.file.sync.level", "2",
                "aeron.ipc.mtu.length", "2048", "aeron.mtu.length", "4096",
                LOG_CHANNEL, "aeron:udp?mtu=2048|term-length=16777216"));
        assertThat(member("echo.profile", "shared").get("aeron.shared.idle.strategy")).startsWith("BackoffIdleStrategy{");
        assertThat(AeronSettings.ours("aeron.archive.file.sync.level")).isEqualTo("echo.fsync");
        assertThat(AeronSettings.ours("aeron.file.page.size")).isEmpty();
        assertThat(AeronSettings.canBeSet("aeron.dir", "/dev/shm/x")).isFalse();
        assertThat(AeronSettings.canBeSet("aeron.shared.idle.strategy", "BackoffIdleStrategy{maxSpins=1}")).isFalse();
        assertThat(AeronSettings.canBeSet("aeron.mtu.length", "8192")).isTrue();
        assertThat(baseDir).as("nothing was launched or locked").isEmptyDirectory();
    }

    private SortedMap<String, String> member(final String... keysAndValues)
    {
        final Settings settings = new Settings(NodeSettings.PREFIX, NodeSettings.ALL)
            .put(NodeSettings.BASE_DIR.key(), baseDir.toString(), "test");
        for (int i = 0; i < keysAndValues.length; i += 2)
        {
            settings.put(keysAndValues[i], keysAndValues[i + 1], "test");
        }
        return AeronSettings.ofMember(new NodeConfig(settings), settings.foreignProperties());
    }

    private static List<String> lines(final String name)
    {
        return BuildFacts.text("/io/clusterecho/node/member/" + name).lines().filter((line) -> !line.startsWith("#")).toList();
    }

    private static List<String> keys() throws IllegalAccessException
    {
        final List<Field> fields = Stream.of(
            Configuration.class, Archive.Configuration.class, AeronArchive.Configuration.class, CommonContext.class,
            ConsensusModule.Configuration.class, ClusteredServiceContainer.Configuration.class, AeronCluster.Configuration.class)
            .flatMap((type) -> Arrays.stream(type.getFields())).filter((field) -> String.class == field.getType())
            .collect(Collectors.toList());
        final List<String> keys = new ArrayList<>();
        for (final Field field : fields)
        {
            keys.add((String)field.get(null));
        }
        return keys;
    }
}
