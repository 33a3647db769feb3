package io.clusterecho.control.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.clusterecho.control.cluster.Cluster;
import io.clusterecho.control.member.MemberHost;
import io.clusterecho.control.member.Node;
import io.clusterecho.node.config.NodeConfig;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Settings;

class InventoryTest
{
    private static final String THREE = """
        hosts=a,b,a-c,load
        ssh.user=echo
        ssh.key=keys/id
        cores=2-5
        host.a.roles=member 1
        host.a.address=10.0.0.1
        host.b.roles=member 0, member 2
        host.b.ssh=b.example
        host.b.ssh.user=other
        host.b.ssh.port=2222
        host.b.cores=
        host.a-c.roles=client 1,peer
        host.load.roles=client 0,peer
        """;

    @TempDir
    private Path dir;

    @Test
    void shouldTakeWhatIsSaidOfOneHostBeforeWhatIsSaidOfAll() throws IOException
    {
        final Inventory inventory = read(THREE);
        final InventoryHost a = inventory.hosts().get(0);
        assertThat(a.overSsh("true")).startsWith("ssh").endsWith("a", "true")
            .containsSubsequence("-l", "echo").containsSubsequence("-i", dir.resolve("keys/id").toString())
            .doesNotContain("-p");
        assertThat(a.cores()).isEqualTo("2-5");
        final InventoryHost b = inventory.hosts().get(1);
        assertThat(b.overSsh("true")).endsWith("b.example", "true")
            .containsSubsequence("-l", "other").containsSubsequence("-p", "2222");
        assertThat(b.cores()).isEmpty();
        assertThat(inventory.peer().map(InventoryHost::name)).as("the first with the role").hasValue("a-c");
    }

    @Test
    void shouldPutMembersAndClientsInTheOrderOfTheirNumbers() throws IOException
    {
        final Inventory inventory = read(THREE);
        final Settings settings = new Settings(NodeSettings.PREFIX, NodeSettings.ALL);
        inventory.putHosts(settings, null);
        assertThat(settings.value(NodeSettings.HOSTS)).containsExactly("b.example", "10.0.0.1", "b.example");
        assertThat(inventory.clients()).extracting(InventoryHost::name).containsExactly("load", "a-c");
    }

    @Test
    void shouldGiveEachHostItsOwnMembersOfTheFirstOnesThatAreAskedFor() throws IOException
    {
        final Inventory inventory = read(THREE);
        final Settings settings = new Settings(NodeSettings.PREFIX, NodeSettings.ALL)
            .put(NodeSettings.INSECURE.key(), "true", "test")
            .put(NodeSettings.BASE_DIR.key(), dir.resolve("cluster").toString(), "test");
        inventory.putHosts(settings, 2);
        final Cluster cluster = Cluster.of(settings, null, inventory);
        assertThat(cluster.hosts()).extracting(MemberHost::name).containsExactly("a", "b");
        assertThat(cluster.members()).extracting((member) -> member.hostName() + " " + member.memberId())
            .containsExactly("b 0", "a 1");
        assertThat(cluster.members().get(1).dir()).isEqualTo(Path.of("/var/tmp/cluster-echo/cluster/member-1"));
        assertThat(cluster.members().get(1).aeronDir())
            .isEqualTo(NodeConfig.defaultAeronDir(Path.of("/var/tmp/cluster-echo/cluster"), 1));
    }

    @Test
    void shouldRunTheBackupOnTheHostWithItsRole() throws IOException
    {
        final Inventory inventory = read(
            THREE.replace("a-c,load", "a-c,load,safe") + "host.safe.roles=backup\nhost.safe.address=10.0.0.9\n");
        final Settings settings = new Settings(NodeSettings.PREFIX, NodeSettings.ALL)
            .put(NodeSettings.INSECURE.key(), "true", "test").put(NodeSettings.BACKUP.key(), "true", "test")
            .put(NodeSettings.BASE_DIR.key(), dir.resolve("cluster").toString(), "test");
        inventory.putHosts(settings, null);
        final Cluster cluster = Cluster.of(settings, null, inventory);
        assertThat(cluster.hosts()).extracting(MemberHost::name).containsExactly("a", "b", "safe");
        final Node backup = cluster.backup().orElseThrow();
        assertThat(backup.hostName()).isEqualTo("safe");
        assertThat(backup.place().endpoints().archive()).isEqualTo("10.0.0.9:20034");
        assertThat(backup.dir()).isEqualTo(Path.of("/var/tmp/cluster-echo/cluster/backup"));

        settings.put(NodeSettings.BACKUP.key(), "false", "test");
        final Cluster without = Cluster.of(settings, null, inventory);
        assertThat(without.backup()).isEmpty();
        assertThat(without.hosts()).extracting(MemberHost::name).containsExactly("a", "b");
    }

    @Test
    void shouldRefuseABackupWithoutAHostForIt() throws IOException
    {
        final Inventory inventory = read(THREE);
        final Settings settings = new Settings(NodeSettings.PREFIX, NodeSettings.ALL)
            .put(NodeSettings.INSECURE.key(), "true", "test").put(NodeSettings.BACKUP.key(), "true", "test");
        inventory.putHosts(settings, null);
        assertThatThrownBy(() -> Cluster.of(settings, null, inventory)).isInstanceOf(InvalidSettingException.class)
            .hasMessageContaining("echo.backup=true").hasMessageContaining("no host has the role backup");
        final Settings given = new Settings(NodeSettings.PREFIX, NodeSettings.ALL).put("echo.backup.host", "x", "test");
        assertThatThrownBy(() -> inventory.putHosts(given, null))
            .isInstanceOf(InvalidSettingException.class).hasMessageContaining("echo.backup.host=x");
    }

    @Test
    void shouldRefuseMoreMembersThanItHas() throws IOException
    {
        final Inventory inventory = read(THREE);
        assertThatThrownBy(() -> inventory.putHosts(new Settings(NodeSettings.PREFIX, NodeSettings.ALL), 4))
            .isInstanceOf(InvalidSettingException.class).hasMessageContaining("--members=4").hasMessageContaining("1 to 3");
        final Settings given = new Settings(NodeSettings.PREFIX, NodeSettings.ALL).put("echo.hosts", "x,y,z", "test");
        assertThatThrownBy(() -> inventory.putHosts(given, null))
            .isInstanceOf(InvalidSettingException.class).hasMessageContaining("echo.hosts=x,y,z");
    }

    @Test
    void shouldRefuseEmulatedDistancesBetweenRealHosts() throws IOException
    {
        final Inventory inventory = read("hosts=a\nhost.a.roles=member 0\nhost.a.address=127.0.0.2");
        final Settings settings = new Settings(NodeSettings.PREFIX, NodeSettings.ALL)
            .put(NodeSettings.PLACEMENT.key(), "cluster", "test");
        inventory.putHosts(settings, null);
        assertThatThrownBy(() -> Cluster.of(settings, null, inventory))
            .isInstanceOf(InvalidSettingException.class).hasMessageContaining("echo.placement=cluster");
    }

    @Test
    void shouldTakeThePlacementOfOtherHostsAsGivenAndEmulateNothing() throws IOException
    {
        final Inventory inventory = read("hosts=a\nhost.a.roles=member 0\nhost.a.address=10.0.0.1");
        for (final String placement : List.of("cluster", "partition"))
        {
            final Settings settings = new Settings(NodeSettings.PREFIX, NodeSettings.ALL)
                .put(NodeSettings.INSECURE.key(), "true", "test").put(NodeSettings.DRIVER.kind().key(), "c", "test")
                .put(NodeSettings.DRIVER.command().key(), "sh", "test")
                .put(NodeSettings.PLACEMENT.key(), placement, "test");
            inventory.putHosts(settings, null);
            final Cluster cluster = Cluster.of(settings, null, inventory);
            assertThat(cluster.config().placement()).isEmpty();
            assertThat(cluster.config().effective()).containsEntry("echo.placement", placement);
            assertThatThrownBy(() -> Cluster.of(settings, null, null)).isInstanceOf(InvalidSettingException.class);
        }
        final Settings here = new Settings(NodeSettings.PREFIX, NodeSettings.ALL)
            .put(NodeSettings.INSECURE.key(), "true", "test").put(NodeSettings.PLACEMENT.key(), "partition", "test")
            .put(NodeSettings.LAUNCH_PREFIX.key(), "ip netns exec x", "test").put(NodeSettings.HOSTS.key(), "10.0.0.1", "test");
        assertThatThrownBy(() -> Cluster.of(here, null, null)).isInstanceOf(InvalidSettingException.class)
            .hasMessageContaining("echo.placement=partition is not allowed: none, or loopback addresses");
    }

    @Test
    void shouldNameKeyValueAndWhatIsAllowed()
    {
        assertRefused("hosts=a,a", "hosts=a,a");
        assertRefused("hosts=", "hosts=");
        assertRefused("hosts=a\nhost.b.cores=1", "host.b.cores=1");
        assertRefused("hosts=a\nhost.a.colour=red", "host.a.colour=red");
        assertRefused("hosts=a\nroles=member 0", "roles=member 0");
        assertRefused("hosts=a\nhost.a.roles=leader", "host.a.roles=leader", "member N");
        assertRefused("hosts=a\nhost.a.roles=member 1", "member [1]", "from 0 exactly once");
        assertRefused("hosts=a,b\nhost.a.roles=member 0\nhost.b.roles=member 0", "member [0, 0]");
        assertRefused("hosts=a,b\nhost.a.roles=backup\nhost.b.roles=backup", "roles=backup", "to one host, once");
        assertRefused("hosts=a\ncores=2..5", "cores=2..5", "2-5,8");
        assertRefused("hosts=a\nfolder=echo", "folder=echo", "absolute");
        assertRefused("hosts=a\nhost.a.ssh=x; reboot", "host.a.ssh=x; reboot");
        assertRefused("hosts=a\nhost.a.ssh=-oProxyCommand=x", "host.a.ssh=-oProxyCommand=x");
        assertRefused("hosts=a\njava=java;x", "java=java;x");
        assertRefused("hosts=a\nssh.port=70000", "ssh.port=70000");
    }

    @Test
    void shouldSayTheSameAfterItWasRecordedElsewhere() throws IOException
    {
        final Inventory inventory = read(THREE);
        final StringBuilder text = new StringBuilder();
        inventory.properties().forEach((key, value) -> text.append(key).append('=').append(value).append('\n'));
        final Path elsewhere = Files.writeString(
            Files.createDirectories(dir.resolve("elsewhere")).resolve("inventory.properties"), text);
        assertThat(new Inventory(elsewhere).properties()).isEqualTo(inventory.properties());
        assertThat(read(THREE.replace("2222", "2223")).properties()).isNotEqualTo(inventory.properties());
    }

    @Test
    void shouldReadTheExampleOfTheDistribution()
    {
        final Inventory inventory = new Inventory(Path.of("../config/inventory/example.properties"));
        assertThat(inventory.memberCount()).isEqualTo(3);
        assertThat(inventory.clients()).hasSize(2);
    }

    private void assertRefused(final String text, final String... words)
    {
        assertThatThrownBy(() -> read(text)).as(text).isInstanceOf(InvalidSettingException.class)
            .hasMessageContainingAll(words);
    }

    private Inventory read(final String text) throws IOException
    {
        return new Inventory(Files.writeString(dir.resolve("inventory.properties"), text));
    }
}
