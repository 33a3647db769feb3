package io.clusterecho.node.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.agrona.BitUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.clusterecho.platform.SocketBuffers;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Settings;

class NodeConfigTest
{
    @TempDir
    private Path tempDir;

    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {
        "echo.member.id; 3; 0 to 2",
        "echo.base.port; 64001; 1024 to 64000",
        "echo.same.ports; true; a host of its own",
        "echo.canvass.timeout; 19s; twice echo.heartbeat.timeout=10s",
        "echo.heartbeat.interval; 10s; less than echo.heartbeat.timeout=10s",
        "echo.heartbeat.interval; 100us; at least 1ms",
        "echo.election.status.interval; 1s; less than echo.election.timeout=1s",
        "echo.mtu; 1400; a multiple of 32",
        "echo.log.term.length; 100k; a power of two",
        "echo.max.message.length; 128k; an eighth",
        "echo.max.message.length; 31; at least 32",
        "echo.state.length; 2g; a multiple of 8 from 0 to 1g",
        "echo.state.length; 12; a multiple of 8 from 0 to 1g",
        "echo.fsync; 3; 0 to 2",
        "echo.hosts; 127.0.0.1,; 1 to 99 names",
        "echo.hosts; 127.0.0.1|x; 1 to 99 names",
        "echo.hosts; 127.0.0.1,127.0.0.1,192.0.2.1; loopback",
        "echo.backup; maybe; true or false",
        "echo.backup.source; member; any, leader or follower",
        "echo.backup.interval; 1us; at least 1ms",
        "echo.credentials.file; /nonexistent/credentials; mode 0600" })
    void shouldNameKeyValueAndWhatIsAllowed(final String key, final String value, final String allowed)
    {
        final String expected = allowed.replace("an eighth", "largest message of echo.client.term.length=1m");

        assertThatThrownBy(() -> config(Map.of(key, value)))
            .isInstanceOf(InvalidSettingException.class)
            .hasMessageContaining(key + "=" + value)
            .hasMessageContaining(expected);
    }

    @Test
    void shouldGiveTheBackupTheFolderAndThePortsOfNoMember()
    {
        final Settings settings = new Settings(NodeSettings.PREFIX, NodeSettings.ALL)
            .put(NodeSettings.BASE_DIR.key(), tempDir.toString(), "test").put(NodeSettings.BACKUP.key(), "true", "test");
        final NodeConfig backup = NodeConfig.ofBackup(settings);

        assertThat(backup.memberDir()).isEqualTo(tempDir.resolve("backup"));
        assertThat(backup.endpoints().archive()).isEqualTo("127.0.0.1:20034");
        assertThat(backup.members()).doesNotContain(backup.endpoints());
        assertThat(backup.aeronDir()).isEqualTo(NodeConfig.defaultAeronDir(tempDir, 3));
        assertThat(backup.processName()).isEqualTo("backup");
    }

    @Test
    void shouldRunNoBackupThatTheMembersDoNotAllow()
    {
        assertThatThrownBy(() -> NodeConfig.ofBackup(new Settings(NodeSettings.PREFIX, NodeSettings.ALL)))
            .isInstanceOf(InvalidSettingException.class).hasMessageContaining("echo.backup=false is not allowed: true");
    }

    @Test
    void shouldRejectABackupOverEmulatedDistances()
    {
        assertThatThrownBy(() -> config(Map.of("echo.backup", "true", "echo.placement", "cluster")))
            .isInstanceOf(InvalidSettingException.class).hasMessageContaining("false with echo.placement=cluster");
    }

    @Test
    void shouldRunAMemberOnOneThreadIfMembersOutnumberTheCores()
    {
        final String hosts = String.join(",", Collections.nCopies(99, "127.0.0.1"));

        assertThat(config(Map.of("echo.profile", "auto", "echo.hosts", hosts)).profile()).isEqualTo("compact");
    }

    @Test
    void shouldRefuseAnMtuAboveAnEighthOfATerm()
    {
        assertThat(config(Map.of("echo.mtu", "8k", "echo.client.term.length", "64k", "echo.max.message.length", "1k"))
            .mtuLength()).isEqualTo(8192);

        assertThatThrownBy(
            () -> config(Map.of("echo.mtu", "16k", "echo.client.term.length", "64k", "echo.max.message.length", "1k")))
            .hasMessageContaining("echo.mtu=16k")
            .hasMessageContaining("at most 8192, an eighth of echo.client.term.length=64k");
    }

    @Test
    void shouldKeepControlChannelsWithinTheirShortTerms()
    {
        assertThat(config(Map.of("echo.mtu", "65504")).controlMtuLength()).isEqualTo(8192);
        assertThat(config(Map.of("echo.mtu", "1408")).controlMtuLength()).isEqualTo(1408);
    }

    @Test
    void shouldUseALargeMtuOnlyWithoutANetwork()
    {
        assertThat(config(Map.of()).mtuLength()).isEqualTo(8192);
        assertThat(config(Map.of()).effective()).containsEntry("echo.mtu", "8192");
        assertThat(config(Map.of("echo.mtu", "8k")).effective()).containsEntry("echo.mtu", "8192");
        assertThat(config(Map.of("echo.placement", "partition")).mtuLength()).isEqualTo(1408);
        assertThat(config(Map.of("echo.hosts", "127.0.0.1,192.0.2.1,127.0.0.1", "echo.insecure", "true")).mtuLength())
            .isEqualTo(1408);
        assertThat(config(Map.of("echo.mtu", "4064")).mtuLength()).isEqualTo(4064);
    }

    @Test
    void shouldGiveMembersOfDifferentHostsTheSamePorts()
    {
        final NodeConfig config = config(Map.of(
            "echo.hosts", "echo-0.echo,echo-1.echo,echo-2.echo", "echo.same.ports", "true", "echo.insecure", "true"));

        assertThat(MemberEndpoints.ingressEndpoints(config.members()))
            .isEqualTo("0=echo-0.echo:20000,1=echo-1.echo:20000,2=echo-2.echo:20000");
        assertThat(config.members().get(2).archive()).isEqualTo("echo-2.echo:20004");
        assertThat(config.members().get(2).probePort()).isEqualTo(20_009);
        assertThat(config.backupEndpoints().ingress()).as("beside member 0").isEqualTo("echo-0.echo:20030");
    }

    @Test
    void shouldAllowAnAddressThatOthersReachWhenToldSoOrGivenCredentials() throws IOException
    {
        final String hosts = "192.0.2.1,192.0.2.2,192.0.2.3";
        final Path file = credentials("ops:secret", "rw-------");

        assertThat(config(Map.of("echo.hosts", hosts, "echo.insecure", "true")).members()).hasSize(3);
        assertThat(config(Map.of("echo.hosts", hosts, "echo.credentials.file", file.toString())).credentials())
            .contains(new Credentials("ops", "secret"));
    }

    @Test
    void shouldRefuseCredentialsThatOthersCanReadOrThatAreNotOneLine() throws IOException
    {
        final Path open = credentials("ops:secret", "rw-r-----");
        assertThatThrownBy(() -> Credentials.read("echo.credentials.file", open))
            .hasMessageContaining(open + " (readable by others)");

        final Path noSecret = credentials("ops:", "rw-------");
        assertThatThrownBy(() -> Credentials.read("echo.credentials.file", noSecret))
            .hasMessageContaining("not one line name:secret");

        final Path twoLines = credentials("ops:a\nops:b", "rw-------");
        assertThatThrownBy(() -> Credentials.read("echo.credentials.file", twoLines))
            .hasMessageContaining("not one line name:secret");
    }

    @Test
    void shouldNeverPrintASecret() throws IOException
    {
        final Path file = credentials("ops:hidden", "r--------");
        final NodeConfig config = config(Map.of("echo.credentials.file", file.toString()));

        assertThat(config.effective().toString()).contains(file.toString()).doesNotContain("hidden");
        assertThat(config.credentials().orElseThrow().toString()).doesNotContain("hidden");
    }

    @Test
    void shouldDeriveFoldersThatDifferBetweenClustersAndMembers()
    {
        final NodeConfig first = config(Map.of("echo.base.dir", "/tmp/one", "echo.member.id", "1"));

        assertThat(first.memberDir()).isEqualTo(Path.of("/tmp/one/member-1"));
        assertThat(first.aeronDir().toString()).matches(".*/cluster-echo-[0-9a-f]{8}-1");
        assertThat(first.aeronDir())
            .isEqualTo(NodeConfig.defaultAeronDir(Path.of("/tmp/x/../one"), 1))
            .isNotEqualTo(NodeConfig.defaultAeronDir(Path.of("/tmp/two"), 1))
            .isNotEqualTo(NodeConfig.defaultAeronDir(Path.of("/tmp/one"), 2));
    }

    @Test
    void shouldDeriveTheSameFoldersThroughASymbolicLink() throws IOException
    {
        final Path data = Files.createDirectory(tempDir.resolve("data"));
        final Path link = Files.createSymbolicLink(tempDir.resolve("link"), data);
        // As for a folder that is not yet there.
        for (final String name : new String[]{ "", "later" })
        {
            final NodeConfig config = config(Map.of("echo.base.dir", data.resolve(name).toString()));
            final NodeConfig linked = config(Map.of("echo.base.dir", link.resolve(name).toString()));

            assertThat(linked.aeronDir()).isEqualTo(config.aeronDir());
            assertThat(linked.memberDir()).isEqualTo(config.memberDir());
        }
    }

    @Test
    void shouldPrintAFormThatYieldsTheSameWhenReadBack()
    {
        final NodeConfig config = config(Map.of("echo.profile", "auto", "echo.fsync", "1"));
        final NodeConfig again = config(config.effective());

        assertThat(again.effective()).isEqualTo(config.effective());
        assertThat(again.effective()).hasSize(NodeSettings.ALL.size()).doesNotContainEntry("echo.profile", "auto");
    }

    @Test
    void shouldRecordStagesForAnyService()
    {
        for (final Map<String, String> service : List.of(
            Map.of("echo.service", "plain"), Map.of("echo.service.class", "com.acme.OrderBook"), Map.of("echo.fsync", "0")))
        {
            final Map<String, String> settings = new TreeMap<>(service);
            settings.put("echo.stages", "true");
            assertThat(config(settings).value(NodeSettings.STAGES)).as("%s", service).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "echo.service=plain", "echo.service.time=fixed:5us", "echo.state.length=64m", "echo.max.clients=5",
        "echo.egress.backlog.length=1m" })
    void shouldRejectWhatIsForTheEchoWithAServiceOfTheUser(final String setting)
    {
        final String[] parts = setting.split("=");
        assertThatThrownBy(() -> config(Map.of("echo.service.class", "com.acme.OrderBook", parts[0], parts[1])))
            .isInstanceOf(InvalidSettingException.class)
            .hasMessageContaining(setting + " is not allowed").hasMessageContaining("echo.service.class=com.acme.OrderBook");
    }

    @Test
    void shouldCountServices()
    {
        assertThat(config(Map.of()).serviceCount()).isEqualTo(1);
        assertThat(config(Map.of("echo.service.class", "a.B")).serviceCount()).isEqualTo(1);
        assertThat(config(Map.of("echo.service.class", "a.B, a.C")).serviceCount()).isEqualTo(2);
        assertThatThrownBy(() -> config(Map.of("echo.service.class", "a.B,"))).hasMessageContaining("echo.service.class=a.B,");
    }

    @Test
    void shouldResolveTheClassPathAgainstTheWorkingFolder()
    {
        final Path here = Path.of("").toAbsolutePath();
        assertThat(config(Map.of("echo.class.path", "a.jar:/b/../c", "echo.service.class", "a.B")).effective())
            .containsEntry("echo.class.path", here.resolve("a.jar") + ":/c");
        assertThatThrownBy(() -> config(Map.of("echo.class.path", "a.jar::b")))
            .hasMessageContaining("echo.class.path=a.jar::b is not allowed: jars and folders, separated by colons");
    }

    @ParameterizedTest
    @CsvSource({ "echo.class.path, /a.jar, echo.service.class", "echo.aeron.jars, /aeron, echo.aeron.version" })
    void shouldRejectWhatHasNoEffectWithoutAnotherSetting(final String key, final String value, final String other)
    {
        assertThatThrownBy(() -> config(Map.of(key, value))).isInstanceOf(InvalidSettingException.class)
            .hasMessageContaining(key + "=" + value + " is not allowed: nothing without " + other);
    }

    @Test
    void shouldCompareValuesAndNotTextsOfWhatIsForTheEcho()
    {
        assertThat(config(Map.of(
            "echo.service.class", "a.B", "echo.state.length", "0k", "echo.egress.backlog.length", "65536k",
            "echo.max.message.length", "1k")).serviceCount()).isEqualTo(1);
    }

    @Test
    void shouldRejectAStateWithThePlainService()
    {
        assertThat(config(Map.of("echo.state.length", "64m")).value(NodeSettings.STATE_LENGTH)).isEqualTo(64L << 20);
        assertThatThrownBy(() -> config(Map.of("echo.state.length", "64m", "echo.service", "plain")))
            .hasMessageContaining("echo.state.length=64m").hasMessageContaining("echo.service=plain");
    }

    @ParameterizedTest
    @ValueSource(strings = { "fixed:100.1ms", "exponential:33.4ms" })
    void shouldRejectAServiceTimeThatWouldDelayHeartbeats(final String text)
    {
        assertThatThrownBy(() -> config(Map.of("echo.service.time", text, "echo.heartbeat.timeout", "9s")))
            .isInstanceOf(InvalidSettingException.class)
            .hasMessageContaining("echo.service.time=" + text)
            .hasMessageContaining("50 messages take at most half of echo.heartbeat.timeout=9s; these take up to 5");
        assertThatThrownBy(() -> config(Map.of("echo.service.time", text, "echo.heartbeat.timeout", "11s")))
            .hasMessageContaining("half of echo.session.timeout=10s");
        assertThat(config(Map.of("echo.service.time", text, "echo.heartbeat.timeout", "11s", "echo.session.timeout", "11s"))
            .value(NodeSettings.SERVICE_TIME).timeNs()).isPositive();
    }

    @Test
    void shouldWorkOnNoMessageByDefault()
    {
        assertThat(config(Map.of()).value(NodeSettings.SERVICE_TIME).timeNs()).isZero();
        assertThat(config(Map.of("echo.service.time", "fixed:5us", "echo.service", "plain"))
            .value(NodeSettings.SERVICE_TIME).timeNs())
            .isEqualTo(5_000);
        assertThatThrownBy(() -> config(Map.of("echo.service.time", "10us")))
            .hasMessageContaining("echo.service.time=10us").hasMessageContaining("exponential:MEAN");
    }

    @Test
    void shouldWidenTermsOfClientsThatAreFarUnlessTheyWereGiven()
    {
        final int widened = BitUtil.findNextPositivePowerOfTwo(2 * SocketBuffers.windowLength(1408));
        assertThat(config(Map.of("echo.placement", "cluster")).value(NodeSettings.CLIENT_TERM_LENGTH)).isEqualTo(1 << 20);
        assertThat(config(Map.of("echo.placement", "partition")).value(NodeSettings.CLIENT_TERM_LENGTH))
            .isEqualTo(Math.max(1 << 20, widened));
        assertThat(config(Map.of("echo.placement", "partition")).effective())
            .containsEntry("echo.client.term.length", String.valueOf(Math.max(1 << 20, widened)));
        assertThat(config(Map.of("echo.placement", "partition", "echo.client.term.length", "1m"))
            .value(NodeSettings.CLIENT_TERM_LENGTH))
            .isEqualTo(1 << 20);
    }

    @Test
    void shouldAddUpTheOutageAfterAKill()
    {
        assertThat(config(Map.of()).outageBoundNs()).isEqualTo(11_750_000_000L);
    }

    private Path credentials(final String text, final String mode) throws IOException
    {
        final Path file = Files.createTempFile(tempDir, "credentials", "");
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
        return file;
    }

    private static NodeConfig config(final Map<String, String> given)
    {
        final Settings settings = new Settings(NodeSettings.PREFIX, NodeSettings.ALL);
        given.forEach((key, value) -> settings.put(key, value, "test"));
        return new NodeConfig(settings);
    }
}
