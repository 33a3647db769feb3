package io.clusterecho.control.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import com.fasterxml.jackson.databind.JsonNode;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.control.member.ElectionWatch;
import io.clusterecho.control.member.MemberHost;
import io.clusterecho.node.config.NodeConfig;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.platform.MachineColumn;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Settings;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RemoteHostTest
{
    private static final long CLOCK_OFFSET_NS = 5_000_000;

    private final ManualClock clock = new ManualClock();
    private final FakeHost host = new FakeHost();
    private final HostLink link = new HostLink(FakeHost.HOST, host, clock);

    @TempDir
    private Path dir;

    @AfterEach
    void closeHost()
    {
        host.close();
    }

    @Test
    void shouldHaveTheMembersOfItsClusterInAFolderOfItsOwn()
    {
        final RemoteHost remote = remote();
        assertThat(remote.name()).isEqualTo("alpha");
        assertThat(remote.members()).extracting((member) -> member.dir().toString())
            .containsExactly("/data/cluster/member-1", "/data/cluster/member-2");
        assertThat(host.connectionCount()).isZero();
    }

    @Test
    void shouldConnectAndLeaveFailuresToTheNextRequest()
    {
        host.failStart(new IOException("no ssh"));
        MemberHost.connect(List.of(remote()));
        assertThatThrownBy(() -> remote().members().get(0).pid())
            .isInstanceOf(ControlFailure.class).hasMessageContaining("no ssh");

        host.failStart(null);
        host.answering("hello", "another build");
        MemberHost.connect(List.of(remote()));
        assertThatThrownBy(() -> remote().members().get(0).pid()).isInstanceOf(InvalidSettingException.class);
        assertThat(host.process(0).isAlive()).isFalse();
    }

    @Test
    void shouldSendWhatMembersAreTold() throws IOException
    {
        final Path secret = Files.writeString(dir.resolve("secret"), "echo:a secret\n");
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
        host.answering("configure", "1 GiB of 2 GiB");
        final NodeConfig config = new NodeConfig(
            settings().put(NodeSettings.CREDENTIALS_FILE.key(), secret.toString(), "test"));

        final String room = new RemoteHost(link, config, config.members(), false)
            .configure(new TreeMap<>(Map.of("echo.fsync", "2")), 2);

        assertThat(room).isEqualTo("1 GiB of 2 GiB");
        final JsonNode arguments = host.lastRequest().path("arguments");
        assertThat(arguments.path(0).path("echo.fsync").asText()).isEqualTo("2");
        assertThat(arguments.path(1).asText()).isEqualTo("echo:a secret");
        assertThat(arguments.path(2).asInt()).isEqualTo(2);
    }

    @Test
    void shouldFailWhenItsHostCannotUseTheSettings()
    {
        host.failing("configure", "echo.mtu=7", ControlFailure.UNUSABLE).failing("checkRoom", "full", ControlFailure.UNUSABLE)
            .failing("forget", "cannot delete", ControlFailure.NOT_READY);
        assertThatThrownBy(() -> remote().configure(new TreeMap<>(), 2))
            .isInstanceOf(InvalidSettingException.class).hasMessageContaining("echo.mtu=7");
        assertThatThrownBy(() -> remote().checkRoom(2)).isInstanceOf(InvalidSettingException.class);
        assertThatThrownBy(() -> remote().forget()).isInstanceOf(ControlFailure.class).hasMessageContaining("cannot delete");
    }

    @Test
    void shouldFindTheSettingsOfAClusterThatWasStartedThere()
    {
        host.answering("settings", Map.of("echo.fsync", "1"));
        assertThat(RemoteHost.askSettings(link, Path.of("/here/cluster"))).contains(Map.of("echo.fsync", "1"));
        assertThat(host.lastRequest().path("base").asText()).isEqualTo("/data/cluster");

        host.answering("settings", null);
        assertThat(RemoteHost.askSettings(link, Path.of("/here/cluster"))).isEmpty();

        host.failing("settings", "cannot read", ControlFailure.NOT_READY);
        assertThatThrownBy(() -> RemoteHost.askSettings(link, Path.of("/here/cluster"))).isInstanceOf(ControlFailure.class);
    }

    @Test
    void shouldTurnTimesOfElectionsIntoThoseOfThisClock()
    {
        answerPings();
        host.answering("close", null)
            .on("since", (process, request) -> FakeHost.answer(
                process, request, List.of(
                    new ElectionWatch.Change(request.path("arguments").path(0).asLong() + 7, 2, 17, 4, true))));

        final List<ElectionWatch.Change> changes;
        final long sinceNs = clock.nanoTime();
        try (ElectionWatch watch = remote().watchElections())
        {
            changes = watch.since(sinceNs);
        }

        assertThat(changes).containsExactly(new ElectionWatch.Change(sinceNs + 7, 2, 17, 4, true));
        assertThat(host.lastRequest().path("do").asText()).isEqualTo("close");
    }

    @Test
    void shouldKnowNoElectionsOfAHostThatDoesNotAnswer()
    {
        answerPings();
        host.answering("since", List.of());
        final ElectionWatch watch = remote().watchElections();

        host.on("since", (process, request) -> process.end(255)).on("close", (process, request) -> process.end(255));
        assertThat(watch.since(0)).isEmpty();
        watch.close();

        host.answering("hello", "another build");
        assertThat(watch.since(0)).isEmpty();
        watch.close();
    }

    @Test
    void shouldReportWhatTheMachineDidOrNothing()
    {
        final long[] use = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13 };
        host.answering("machineUse", use);
        assertThat(remote().machineUse()).isEqualTo(use);

        host.answering("machineUse", "garbage");
        assertNothingKnown();
        host.answering("machineUse", null);
        assertNothingKnown();
        host.failing("machineUse", "what?", ControlFailure.UNUSABLE);
        assertNothingKnown();
        host.on("machineUse", (process, request) -> process.end(255));
        assertNothingKnown();
        host.on("machineUse", (process, request) -> clock.advance(FakeHost.SAMPLE_TIMEOUT_NS));
        assertNothingKnown();
    }

    private void assertNothingKnown()
    {
        assertThat(remote().machineUse()).hasSize(13).containsOnly(MachineColumn.UNKNOWN);
    }

    @Test
    void shouldReportTheFactsOfItsMachineWithItsClock()
    {
        answerPings();
        host.answering("environment", Map.of("machine", Map.of("cpuCount", 4)));

        final Map<String, Map<String, String>> facts = remote().environment();

        assertThat(facts.get("machine")).containsEntry("cpuCount", "4");
        assertThat(facts.get("clock")).containsEntry("offsetNs", String.valueOf(CLOCK_OFFSET_NS)).containsEntry("errorNs", "0");

        host.failing("environment", "cannot read", ControlFailure.NOT_READY);
        assertThatThrownBy(() -> remote().environment()).isInstanceOf(ControlFailure.class);
    }

    private void answerPings()
    {
        host.on("ping", (process, request) ->
            FakeHost.answer(
                process, request, Map.of("nanoTime", clock.nanoTime() - CLOCK_OFFSET_NS, "epochNs", clock.epochNs())));
    }

    private RemoteHost remote()
    {
        final NodeConfig config = new NodeConfig(settings());
        return new RemoteHost(link, config, config.members().subList(1, 3), false);
    }

    private Settings settings()
    {
        return new Settings(NodeSettings.PREFIX, NodeSettings.ALL)
            .put(NodeSettings.BASE_DIR.key(), dir.resolve("cluster").toString(), "test");
    }
}
