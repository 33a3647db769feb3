package io.clusterecho.client.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;

import io.clusterecho.client.counters.CounterSampler;
import io.clusterecho.client.transport.SendResult;
import io.clusterecho.client.transport.Sessions;
import io.clusterecho.reporting.results.MemberStart;
import io.clusterecho.settings.InvalidSettingException;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TargetTest
{
    private static final String DEFAULT_ENDPOINTS = "0=127.0.0.1:20000,1=127.0.0.1:20010,2=127.0.0.1:20020";
    private static final String FOUND_ENDPOINTS = "0=127.0.0.2:30000,1=127.0.0.3:30010,2=127.0.0.4:30020";
    private static final String OWN_ADDRESSES = "0=127.0.0.2:20000,1=127.0.0.3:20010,2=127.0.0.4:20020";

    @TempDir
    private Path folder;

    @Test
    void shouldAssumeACluster()
    {
        final Target target = target();

        assertThat(target.settings()).isEmpty();
        assertThat(target.resolved()).containsExactly(
            Map.entry("--endpoints", DEFAULT_ENDPOINTS), Map.entry("--mtu", "1408"),
            Map.entry("--new-leader-timeout", "30000000000ns"), Map.entry("--service", "echo"));
        assertThat(target.placementWords()).isEqualTo(Target.NO_PLACEMENT);
        assertThat(target.memberHosts()).isEmpty();
        assertThat(target.leaderCore()).isEmpty();
        assertThat(target.derived()).isEmpty();
    }

    @Test
    void shouldTakeWhatIsKnownOfTheClusterInTheFolder()
    {
        found("echo.mtu=8k", "echo.service=plain", "echo.placement=partition");

        final Target target = target();

        assertThat(target.resolved()).containsExactly(
            Map.entry("--endpoints", FOUND_ENDPOINTS), Map.entry("--mtu", "8192"),
            Map.entry("--new-leader-timeout", "30000000000ns"), Map.entry("--placement", "partition"),
            Map.entry("--service", "plain"));
        assertThat(target.settings()).containsEntry("echo.mtu", "8k");
        assertThat(target.placementWords()).startsWith("emulated");
    }

    @Test
    void shouldKnowTheStartOfTheMembersInTheFolderOnly()
    {
        found("echo.mtu=8k");
        assertThat(target().memberStart()).as("started by hand").isNull();
        write("start.properties", "id=5f", "time=2026-11-21T09:13:36Z");

        assertThat(target().memberStart()).isEqualTo(new MemberStart("5f", "2026-11-21T09:13:36Z"));
        assertThat(target("--endpoints=0=10.0.0.1:20000").memberStart()).isNull();
        assertThat(target("--transport=memory").memberStart()).isNull();
    }

    @Test
    void shouldLetOptionsWinOverWhatIsKnown()
    {
        found("echo.mtu=8k", "echo.service=plain", "echo.placement=partition");

        assertThat(target("--mtu=4096", "--new-leader-timeout=7s", "--placement=partition", "--service=plain").resolved())
            .as("a placement from the command line is not reported").containsExactly(
                Map.entry("--endpoints", FOUND_ENDPOINTS), Map.entry("--mtu", "4096"),
                Map.entry("--new-leader-timeout", "7000000000ns"), Map.entry("--service", "plain"));
        assertThat(target("--endpoints=" + FOUND_ENDPOINTS).settings()).as("the same cluster").isNotEmpty();
    }

    @Test
    void shouldTakeNothingThatIsKnownForAClusterElsewhere()
    {
        found("echo.mtu=8k", "echo.service=plain", "echo.placement=partition", "echo.fsync=0");

        final Target target = target("--endpoints=0=10.0.0.1:20000");

        assertThat(target.settings()).isEmpty();
        assertThat(target.resolved()).containsExactly(
            Map.entry("--endpoints", "0=10.0.0.1:20000"), Map.entry("--mtu", "1408"),
            Map.entry("--new-leader-timeout", "30000000000ns"), Map.entry("--service", "echo"));
        assertThat(target.durability()).startsWith("not known");
        assertThat(Target.ofWorker(config()).resolved()).as("nor for one that is known from options alone")
            .containsEntry("--endpoints", DEFAULT_ENDPOINTS).containsEntry("--service", "echo");
    }

    @Test
    void shouldTakeNothingThatIsKnownOfMembersThatHaveEndedWhileOthersHaveTheirPorts() throws IOException
    {
        try (DatagramSocket other = new DatagramSocket(0, InetAddress.getLoopbackAddress()))
        {
            final String endpoints = "0=127.0.0.1:" + other.getLocalPort();
            write("cluster.properties", "ingress.endpoints=" + endpoints, "echo.fsync=0");
            final Target target = target();

            assertThat(target.resolved()).containsEntry("--endpoints", endpoints);
            assertThat(target.settings()).isEmpty();
            assertThat(target.durability()).startsWith("not known");
            assertThat(target.warnings()).anyMatch((warning) -> warning.contains(folder.toString()));
        }
    }

    @Test
    void shouldRefuseToMeasureAClusterThatHasOtherSettingsThanTheOneThatWasExpected() throws IOException
    {
        final int port;
        try (DatagramSocket other = new DatagramSocket(0, InetAddress.getLoopbackAddress()))
        {
            port = other.getLocalPort();
        }
        write("cluster.properties", "ingress.endpoints=0=127.0.0.1:" + port, "echo.fsync=0");
        final Target target = target();
        assertThat(target.durability()).startsWith("fsync 0");

        try (DatagramSocket other = new DatagramSocket(port, InetAddress.getLoopbackAddress()))
        {
            assertThat(other.isBound()).isTrue();
            assertThatThrownBy(() -> target.open(1, 64)).isInstanceOf(InvalidSettingException.class)
                .hasMessageContaining(folder.toString());
        }
    }

    @Test
    void shouldWaitForANewLeaderAsLongAsAnElectionTakes()
    {
        found("echo.mtu=8k");
        write("settings.properties", "echo.heartbeat.timeout=20s", "echo.election.timeout=2s");
        assertThat(target().resolved()).containsEntry("--new-leader-timeout", "23250000000ns");

        write(
            "settings.properties", "echo.heartbeat.timeout=500ms", "echo.heartbeat.interval=100ms",
            "echo.election.timeout=500ms", "echo.election.status.interval=50ms");
        assertThat(target().resolved()).as("at least").containsEntry("--new-leader-timeout", "5000000000ns");
        assertThat(target("--endpoints=0=10.0.0.1:20000").resolved()).as("of a cluster elsewhere")
            .containsEntry("--new-leader-timeout", "30000000000ns");
        assertThat(target("--new-leader-timeout=1s").resolved()).containsEntry("--new-leader-timeout", "1000000000ns");
    }

    @Test
    void shouldRefuseEndpointsThatAreNone()
    {
        for (final String text : List.of("", "127.0.0.1:20000", "0=127.0.0.1", "0=127.0.0.1:20000,", "a=b:1"))
        {
            assertRefused("--endpoints=" + text + " is not allowed: a list as in", "--endpoints=" + text);
        }
        assertThat(target("--endpoints=0=[::1]:20000").resolved()).containsEntry("--endpoints", "0=[::1]:20000");
    }

    @Test
    void shouldRefuseAnMtuThatNoChannelCanHave()
    {
        for (final int mtu : new int[]{ 224, 1409, 65_536 })
        {
            assertRefused("--mtu=" + mtu + " is not allowed: a multiple of 32 from 256 to 65504", "--mtu=" + mtu);
        }
        assertThat(target("--mtu=256").resolved()).containsEntry("--mtu", "256");
        assertThat(target("--mtu=65504").resolved()).containsEntry("--mtu", "65504");
    }

    @Test
    void shouldRefuseSettingsOfATransportThatHasNone()
    {
        assertRefused(
            "--transport-set=peer.a=1 is not allowed: not given with --transport memory",
            "--transport=memory", "--transport-set=peer.a=1");
        assertRefused(
            "--transport-set=peer.a=1 is not allowed: not given with --transport cluster", "--transport-set=peer.a=1");
        assertRefused("--transport=pigeon is not allowed: one of cluster, memory", "--transport=pigeon");
    }

    @Test
    void shouldRefuseAServiceThatIsNotThere()
    {
        assertRefused(
            "--service=plain is not allowed: not given with --transport memory", "--transport=memory", "--service=plain");
        found("echo.service=plain");
        assertRefused(
            "--service=echo is not allowed: plain, the service of the members in " + folder, "--service=echo");
        assertThat(target("--service=echo", "--endpoints=0=10.0.0.1:1").resolved()).containsEntry("--service", "echo");
    }

    @Test
    void shouldRefuseADeliveryThatThePlainServiceCannotKeep()
    {
        final String refusal = "--delivery=exactly-once is not allowed: at-most-once with members that run the plain service";
        assertRefused(refusal, "--delivery=exactly-once", "--service=plain");
        assertThat(target("--delivery=exactly-once", "--service=echo").resolved()).containsEntry("--service", "echo");
        found("echo.service=plain");
        assertRefused(refusal, "--delivery=exactly-once");
        assertThat(target("--delivery=at-most-once").resolved()).containsEntry("--service", "plain");
    }

    @Test
    void shouldRefuseStagesWhereNobodyTellsThem()
    {
        assertRefused("--stages=true is not allowed: given only with --transport cluster", "--stages", "--transport=memory");
        assertThat(target("--stages").settings()).as("of a cluster that is not known").isEmpty();
        found("echo.mtu=8k");
        assertRefused(
            "--stages=true is not allowed: given only if the members were started with echo.stages=true; those in " +
            folder + " were not", "--stages");
        found("echo.stages=true");
        assertThat(target("--stages").settings()).isNotEmpty();
    }

    @Test
    void shouldRefuseAPlacementThatTheMembersDoNotHave()
    {
        assertRefused(
            "--placement=partition is not allowed: not given with --transport memory",
            "--transport=memory", "--placement=partition");
        assertRefused(
            "--placement=partition is not allowed: given only with --endpoints of members with distinct addresses",
            "--placement=partition");
        assertRefused(
            "--placement=nowhere is not allowed", "--endpoints=" + OWN_ADDRESSES, "--placement=nowhere");
        assertThat(target("--endpoints=" + OWN_ADDRESSES, "--placement=partition").placementWords()).startsWith("emulated");
        assertThat(target("--placement=none").placementWords()).isEqualTo(Target.NO_PLACEMENT);

        found("echo.placement=cluster");
        assertRefused(
            "--placement=partition is not allowed: cluster, the placement of the members in " + folder,
            "--placement=partition");
        assertRefused(
            "--placement=none is not allowed: cluster, the placement of the members in " + folder, "--placement=none");
        found("echo.mtu=8k");
        assertRefused(
            "--placement=partition is not allowed: none, the placement of the members in " + folder,
            "--placement=partition");
    }

    @Test
    void shouldKnowAPlacementFromTheFileThatTheMembersWereTold()
    {
        final Path file = write(
            "zones.properties", "zones=a", "client=a", "member.0=a", "member.1=a", "member.2=a");
        found("echo.placement=" + file.toAbsolutePath());

        final Path detour = folder.resolve("x").resolve("..").resolve("zones.properties");
        folder.resolve("x").toFile().mkdir();
        assertThat(target("--placement=" + detour).placementWords()).startsWith("emulated");
    }

    @Test
    void shouldRefuseAPlacementWithADriverOfItsOwn()
    {
        final String[] arguments =
        {
            "--driver=external", "--driver-dir=" + folder, "--endpoints=" + OWN_ADDRESSES, "--placement=partition"
        };
        assertRefused("--driver=external is not allowed: java, because only this driver emulates the delays", arguments);
    }

    @Test
    void shouldRefuseToUseADriverThatIsNotOfALeaderWhoAllowsIt()
    {
        final String[] shared = { "--ipc-ingress", "--driver=external", "--driver-dir=" + folder };
        final String refused = "--ipc-ingress=true is not allowed: given only with a cluster whose leader's driver --driver ext";
        assertRefused(refused, "--ipc-ingress");
        assertRefused(refused, shared[0], shared[1], shared[2], "--churn=1");
        assertRefused(refused, shared[0], shared[1], shared[2], "--receivers=1");
        assertRefused(refused, shared[0], shared[1], shared[2], "--transport=memory");
        found("echo.mtu=8k");
        assertRefused(
            "--ipc-ingress=true is not allowed: given only if the members were started with " +
            "aeron.cluster.ingress.ipc.allowed=true; those in " + folder + " were not", shared);
        found("aeron.cluster.ingress.ipc.allowed=true");
        target(shared);
    }

    @Test
    void shouldCheckTheLengthOfMessages()
    {
        // Without a known limit of the cluster any length that Aeron can send is allowed.
        target("--size=65537").checkLength();
        found("echo.max.message.length=1k");
        assertTooLong("32 to 1024 bytes (the cluster's echo.max.message.length)", "--size=1025");
        target("--size=1k").checkLength();
        assertTooLong("32 to 32703 bytes (the limit of the transport)", "--transport=memory", "--size=32704");
        target("--transport=memory", "--size=32703").checkLength();
    }

    @Test
    void shouldOpenAsManySessionsInMemoryAsAreAskedFor()
    {
        try (Sessions sessions = target("--transport=memory").open(3, 64))
        {
            assertThat(sessions.transports()).hasSize(3).allMatch(
                (transport) -> SendResult.SENT == transport.trySend(new UnsafeBuffer(new byte[64]), 0, 64));
        }
    }

    @Test
    void shouldHaveNothingToResolveForAnEchoInMemory()
    {
        found("echo.mtu=8k");
        final Target target = target("--transport=memory");

        assertThat(target.resolved()).isEmpty();
        assertThat(target.settings()).isEmpty();
        assertThat(target.warnings()).isEmpty();
        assertThat(target.derived()).isEmpty();
        assertThat(target.memberHosts()).isEmpty();
        assertThat(target.leaderCore()).isEmpty();
        assertThat(target.placementWords()).isEqualTo(Target.NO_PLACEMENT);
        assertThat(target.durability()).isEqualTo("none: an echo in this process");
    }

    @Test
    void shouldSayWhatAnAcknowledgedMessageSurvives()
    {
        assertThat(target().durability()).isEqualTo(
            "not known: the members were not started in " + folder + "; the aeron.archive.file.sync.level of each decides it");
        found("echo.fsync=0");
        assertThat(target().durability()).startsWith("fsync 0: ").contains("not the loss of power");
        found("echo.fsync=1");
        assertThat(target().durability()).startsWith("fsync 1: ").contains("data was flushed");
        found("echo.fsync=2");
        assertThat(target().durability()).startsWith("fsync 2: ").contains("data and metadata were flushed");
        found("echo.fsync=7");
        assertThat(target().durability()).startsWith("not known: ");
    }

    @Test
    void shouldReadTheDriversOfMembersThatClusterNodeDidNotStart() throws IOException
    {
        final String dir = Files.createDirectory(folder.resolve("driver")).toString();
        final String endpoints = "--endpoints=0=127.0.0.1:9002,1=127.0.0.1:9012";
        for (final String wrong : new String[]{ "2=" + dir, "1=" + dir })
        {
            assertThatThrownBy(() -> target(endpoints, "--aeron-dir=" + wrong))
                .isInstanceOf(InvalidSettingException.class).hasMessageContaining("--aeron-dir=" + wrong)
                .hasMessageContaining(wrong.startsWith("1") ? "cnc.dat" : "a member in --endpoints");
        }
        assertThatThrownBy(() -> target("--aeron-dir=" + dir)).hasMessageContaining("and a folder");
        try (MediaDriver driver = MediaDriver.launch(new MediaDriver.Context().aeronDirectoryName(dir)
            .dirDeleteOnStart(true).threadingMode(ThreadingMode.SHARED)))
        {
            assertThat(target(endpoints, "--aeron-dir=1=" + dir).settings()).isEmpty();
            assertThatThrownBy(() -> target(endpoints, "--aeron-dir=1=" + dir, "--aeron-dir=1=" + dir))
                .isInstanceOf(InvalidSettingException.class).hasMessageContaining("--aeron-dir=1=" + dir)
                .hasMessageContaining("once");
            final CounterSampler sampler = new CounterSampler(false, false, List.of(), List.of("1=" + dir));
            assertThat(sampler.take().processes()).singleElement().asString()
                .startsWith("member-1," + ProcessHandle.current().pid() + ",");
            sampler.close();
        }
        found("echo.fsync=0");
        assertThatThrownBy(() -> target("--aeron-dir=0=" + dir)).hasMessageContaining("that cluster-node did not start");
    }

    private void assertTooLong(final String allowed, final String... arguments)
    {
        final Target target = target(arguments);
        final String size = arguments[arguments.length - 1];
        assertThatThrownBy(target::checkLength).isInstanceOf(InvalidSettingException.class)
            .hasMessage(size + " is not allowed: " + allowed);
    }

    private void assertRefused(final String begin, final String... arguments)
    {
        assertThatThrownBy(() -> target(arguments)).isInstanceOf(InvalidSettingException.class)
            .hasMessageStartingWith(begin);
    }

    private Target target(final String... arguments)
    {
        // Whatever else runs on this machine.
        final RunConfig config = config(arguments);
        return new Target(config, AnsweringCluster.of(config.target(), (endpoints) -> Optional.empty()));
    }

    private RunConfig config(final String... arguments)
    {
        final List<String> all = new ArrayList<>(List.of("--base-dir=" + folder));
        all.addAll(List.of(arguments));
        return RunConfig.parse(all);
    }

    private void found(final String... lines)
    {
        final List<String> all = new ArrayList<>(List.of("ingress.endpoints=" + FOUND_ENDPOINTS));
        all.addAll(List.of(lines));
        write("cluster.properties", all.toArray(new String[0]));
    }

    private Path write(final String name, final String... lines)
    {
        try
        {
            return Files.write(folder.resolve(name), List.of(lines));
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}
