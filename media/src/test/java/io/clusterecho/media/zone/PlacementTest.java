package io.clusterecho.media.zone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.SettingKeys;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlacementTest
{
    private static final long MS = 1_000_000L;
    private static final String THREE_ZONES = """
        zones=east,west,north
        member.0=east
        member.1=west
        member.2=north
        client=east
        zone.east.west.delay=5ms
        zone.east.north.delay=20ms
        zone.west.north.delay=8ms
        """;

    @TempDir
    private Path tempDir;

    @Test
    void shouldEmulateNothingByDefault()
    {
        assertThat(Placement.of(SettingKeys.PLACEMENT, "none", 3)).isEmpty();
    }

    @Test
    void shouldPutAllOfAClusterIntoOneZone()
    {
        final Placement placement = Placement.of(SettingKeys.PLACEMENT, "cluster", 5).orElseThrow();
        assertThat(placement.zones()).containsExactly("a");
        assertThat(placement.echoNs(3)).isZero();
        assertThat(placement.text()).startsWith("emulated cluster:").contains("no distance");
    }

    @ParameterizedTest
    // One way is 490 us: with a leader beside the client only the followers are far, and a fourth member is beside one.
    @CsvSource({ "3, 0, 980", "3, 1, 1960", "3, 2, 1960", "5, 0, 980", "5, 1, 1960", "1, 0, 0", "2, 1, 1960" })
    void shouldSpreadAPartitionOverThreeZones(final int memberCount, final int leaderId, final long addedUs)
    {
        final Placement placement = Placement.of(SettingKeys.PLACEMENT, "partition", memberCount).orElseThrow();
        assertThat(placement.zones()).hasSize(Math.min(3, memberCount));
        assertThat(placement.memberZones().get(0)).isEqualTo(placement.clientZone());
        assertThat(placement.echoNs(leaderId)).isEqualTo(addedUs * 1_000);
    }

    @Test
    void shouldReadZonesAndDistancesFromAFile() throws IOException
    {
        final Placement placement = read(THREE_ZONES + """
            zone.north.east.delay=30ms
            zone.east.west.jitter=200us
            zone.east.west.loss=0.5%
            zone.west.west.delay=100us
            """);
        assertThat(placement.distance("east", "west")).isEqualTo(new Placement.Distance(5 * MS, 200_000, 0.005));
        assertThat(placement.distance("west", "east")).isEqualTo(new Placement.Distance(5 * MS, 200_000, 0.005));
        assertThat(placement.distance("east", "north").delayNs()).isEqualTo(20 * MS);
        assertThat(placement.distance("north", "east").delayNs()).isEqualTo(30 * MS);
        assertThat(placement.distance("west", "west").delayNs()).isEqualTo(100_000);
        assertThat(placement.distance("east", "east")).isEqualTo(Placement.Distance.NONE);
        assertThat(placement.text()).contains("east-west 5.00 ms + up to 200 us, 0.5% lost", "north to east 30.0 ms");
    }

    @Test
    void shouldAddTheWayToTheLeaderAndToTheNearestFollower() throws IOException
    {
        final Placement placement = read(THREE_ZONES);
        assertThat(placement.echoNs(0)).isEqualTo(10 * MS);
        assertThat(placement.echoNs(1)).isEqualTo((10 + 10) * MS);
        assertThat(placement.echoNs(2)).isEqualTo((40 + 16) * MS);
    }

    @Test
    void shouldTellEachProcessHowFarTheOthersAre() throws IOException
    {
        final Placement placement = read(THREE_ZONES + "zone.north.east.delay=30ms\n");
        final List<String> hosts = Placement.distinctHosts(List.of("127.0.0.1", "127.0.0.1", "127.0.0.1"));
        assertThat(hosts).containsExactly("127.0.0.2", "127.0.0.3", "127.0.0.4");

        final Placement.Distances ofFirst = placement.ofMember(0, hosts);
        assertThat(ofFirst.own()).isEqualTo(InetAddress.getByName("127.0.0.2"));
        assertThat(ofFirst.clients()).isEqualTo(Placement.Distance.NONE);
        assertThat(ofFirst.members()).hasSize(2);
        // Frames arrive from there, so the distance is from there to here.
        assertThat(ofFirst.members().get(InetAddress.getByName("127.0.0.4")).delayNs()).isEqualTo(30 * MS);
        final Placement.Distances ofClient = placement.ofClient(hosts);
        assertThat(ofClient.own()).isNull();
        assertThat(ofClient.members()).hasSize(3);
        assertThat(ofClient.members().get(InetAddress.getByName("127.0.0.2"))).isEqualTo(Placement.Distance.NONE);
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {
        "zones=a,,b; zones=a,,b",
        "zones=a,a; zones=a,a",
        "member.1=mars; member.1=mars",
        "client=; client=",
        "zone.east.west.delay=5; zone.east.west.delay=5",
        "zone.east.west.delay=11s; at most 10s",
        "zone.east.west.loss=100%; less than 100%",
        "zone.east.west.jitter=x; zone.east.west.jitter=x",
        "zone.east.mars.delay=1ms; unknown key zone.east.mars.delay=1ms",
        "zone.east.west.dela=1ms; unknown key zone.east.west.dela=1ms",
    })
    void shouldRefuseAFileThatCannotBeUsed(final String line, final String named)
    {
        final String key = line.substring(0, line.indexOf('=') + 1);
        final String others = THREE_ZONES.lines().filter((other) -> !other.startsWith(key)).collect(Collectors.joining("\n"));
        assertThatThrownBy(() -> read(others + "\n" + line + "\n"))
            .isInstanceOf(InvalidSettingException.class).hasMessageContaining(named);
    }

    @Test
    void shouldRefuseAFileThatLeavesAMemberOut() throws IOException
    {
        final Path file = Files.writeString(tempDir.resolve("zones.properties"), THREE_ZONES);
        assertThat(Placement.of(SettingKeys.PLACEMENT, file.toString(), 2)).isPresent();
        assertThatThrownBy(() -> Placement.of(SettingKeys.PLACEMENT, file.toString(), 4))
            .isInstanceOf(InvalidSettingException.class).hasMessageContaining("member.3=")
            .hasMessageContaining("east,west,north");
    }

    @Test
    void shouldKnowAFileThatIsGone() throws IOException
    {
        final Path file = Files.writeString(tempDir.resolve("zones.properties"), THREE_ZONES);
        assertThat(Placement.isMissing(file.toString())).isFalse();
        assertThat(Placement.isMissing("none")).isFalse();
        Files.delete(file);
        assertThat(Placement.isMissing(file.toString())).isTrue();
    }

    @Test
    void shouldRejectAMissingFile()
    {
        assertThatThrownBy(() -> Placement.of(SettingKeys.PLACEMENT, "mars", 3)).isInstanceOf(InvalidSettingException.class)
            .hasMessageContaining("echo.placement=mars").hasMessageContaining("partition");
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {
        "127.0.0.2,127.0.0.2,127.0.0.3", "127.0.0.1,127.0.0.2,127.0.0.3", "127.0.0.2,127.0.0.3,192.0.2.1" })
    void shouldRejectHostsThatAreNotDistinct(final String hosts)
    {
        assertThatThrownBy(() -> Placement.distinctHosts(List.of(hosts.split(","))))
            .isInstanceOf(InvalidSettingException.class).hasMessageContaining("echo.hosts=" + hosts);
    }

    private Placement read(final String text) throws IOException
    {
        final Path file = Files.writeString(tempDir.resolve("zones.properties"), text);
        return Placement.of(SettingKeys.PLACEMENT, file.toString(), 3).orElseThrow();
    }
}
