package io.clusterecho.control.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import com.fasterxml.jackson.databind.ObjectMapper;

import io.aeron.cluster.ClusterControl;

import io.clusterecho.control.member.CallFault;
import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.control.member.Deadline;
import io.clusterecho.control.member.DiskAction;
import io.clusterecho.control.member.MemberCounters;
import io.clusterecho.control.member.MemberErrors;
import io.clusterecho.media.counters.DriverSample;
import io.clusterecho.media.counters.ProcessSample;
import io.clusterecho.media.link.Impairment;
import io.clusterecho.media.link.Impairment.Effect;
import io.clusterecho.node.config.NodeConfig;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.process.Launch;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Settings;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RemoteMemberTest
{
    private static final Path BASE_DIR = Path.of("/data/cluster");
    private static final NodeConfig CONFIG = new NodeConfig(new Settings(NodeSettings.PREFIX, NodeSettings.ALL));
    private static final int FILE_CHANGED = 1;
    private static final int TAR_FAILED = 2;

    private final ManualClock clock = new ManualClock();
    private final FakeHost host = new FakeHost();
    private final ClusterMember member = member(host);

    @TempDir
    private Path dir;

    @AfterEach
    void closeHost()
    {
        host.close();
    }

    @Test
    void shouldAskForItselfByFolderAndId()
    {
        host.answering("isRecorded", true);

        assertThat(member.isRecorded()).isTrue();
        assertThat(host.lastRequest().path("base").asText()).isEqualTo("/data/cluster");
        assertThat(host.lastRequest().path("member").asInt()).isEqualTo(1);
        assertThat(member.hostName()).isEqualTo("alpha");
        assertThat(member.dir()).isEqualTo(Path.of("/data/cluster/member-1"));
    }

    @Test
    void shouldReportWhatItsHostSaysOfItsProcess()
    {
        host.answering("pid", 4711).answering("exitCode", 7).answering("output", List.of("one", "two"));
        assertThat(member.pid()).hasValue(4711);
        assertThat(member.exitCode()).hasValue(7);
        assertThat(member.output()).containsExactly("one", "two");

        host.answering("pid", null).answering("exitCode", null);
        assertThat(member.isAlive()).isFalse();
        assertThat(member.exitCode()).isEmpty();
    }

    @Test
    void shouldNotTakeASilentHostForAnEndedMember()
    {
        host.on("pid", (process, request) -> clock.advance(5_000_000_000L));

        assertThatThrownBy(member::pid).isInstanceOf(ControlFailure.class).hasMessageContaining("'pid'");
        assertThatThrownBy(member::isAlive).isInstanceOf(ControlFailure.class);
    }

    @Test
    void shouldFailWhenItsHostCouldNotDoWhatItWasAskedFor()
    {
        final Map<String, Consumer<ClusterMember>> actions = new HashMap<>(Map.of(
            "start", ClusterMember::start, "terminate", ClusterMember::terminate, "kill", ClusterMember::kill,
            "pause", ClusterMember::pause, "restoreLink", ClusterMember::restoreLink, "cleanUp", ClusterMember::cleanUp,
            "wipe", ClusterMember::wipe, "deleteData", ClusterMember::deleteData));
        actions.put("impair", (remote) -> remote.impair(Impairment.NONE));
        actions.put("disk", (remote) -> remote.disk(DiskAction.FILL));
        actions.put("calls", (remote) -> remote.calls(CallFault.of(CallFault.Kind.STALL)));
        actions.put("releaseCalls", ClusterMember::releaseCalls);
        actions.put("limitFiles", (remote) -> remote.limitFiles(64));
        actions.put("releaseFiles", ClusterMember::releaseFiles);
        actions.forEach((what, action) ->
        {
            host.failing(what, "cannot " + what, ControlFailure.NOT_READY);
            assertThatThrownBy(() -> action.accept(member)).isInstanceOf(ControlFailure.class)
                .hasMessageContaining("host alpha").hasMessageContaining("cannot " + what);
        });
    }

    @Test
    void shouldSendEachPartOfAnImpairment()
    {
        final Impairment impairment = Impairment.ofMember(2).with(Effect.DELAY_NS, 20_000_000).seeded(-6);
        host.answering("impair", null);

        member.impair(impairment);

        assertThat(new ObjectMapper().convertValue(host.lastRequest().path("arguments").path(0), Impairment.class))
            .isEqualTo(impairment);
        assertThat(host.lastRequest().path("arguments").path(0).size()).isEqualTo(6);
    }

    @Test
    void shouldWaitForTheLeaderAsLongAsTheAgentDoes()
    {
        host.on("ask", (process, request) ->
        {
            clock.advance(request.path("arguments").path(2).asLong() + HostLink.SHORT_TIMEOUT_NS - 1);
            FakeHost.answer(process, request, null);
        });

        member.ask(ClusterControl.ToggleState.SNAPSHOT, 3, Deadline.in(60_000_000_000L));

        assertThat(host.lastRequest().path("arguments").path(0).asText()).isEqualTo("SNAPSHOT");
        assertThat(host.lastRequest().path("arguments").path(1).asInt()).isEqualTo(3);
    }

    @Test
    void shouldReadTheCountersThatItsHostSends()
    {
        final MemberCounters counters = new MemberCounters("leader", "closed", "active", 3, 4096, 8192, 1, 2, Map.of());
        host.answering("counters", counters);
        assertThat(member.counters()).contains(counters);

        host.answering("counters", null);
        assertThat(member.counters()).isEmpty();
    }

    @Test
    void shouldHaveNoCountersWhenItsHostSendsSomethingElse()
    {
        host.answering("counters", List.of(1, 2));
        assertThat(member.counters()).isEmpty();
        host.failing("counters", "cannot map", ControlFailure.NOT_READY);
        assertThat(member.counters()).isEmpty();
        host.failing("counters", "what?", ControlFailure.UNUSABLE);
        assertThat(member.counters()).isEmpty();
        host.on("counters", (process, request) -> process.say("{\"id\":" + request.path("id") + "}"));
        assertThat(member.counters()).isEmpty();
        host.on("counters", (process, request) -> clock.advance(FakeHost.SAMPLE_TIMEOUT_NS));
        assertThat(member.counters()).isEmpty();
    }

    @Test
    void shouldHaveNoCountersOfAHostWithAnotherBuild()
    {
        host.answering("hello", "other");
        assertThat(member.counters()).isEmpty();
    }

    @Test
    void shouldReadTheErrorsThatItsHostSends()
    {
        host.answering("errors", new MemberErrors(1, 2, 2, 3, "late"));
        assertThat(member.errors()).isEqualTo(new MemberErrors(1, 2, 2, 3, "late"));

        host.answering("errors", List.of(1));
        assertThatThrownBy(member::errors).isInstanceOf(ControlFailure.class).hasMessageContaining("invalid answer");
        host.answering("errors", null);
        assertThatThrownBy(member::errors).isInstanceOf(ControlFailure.class).hasMessageContaining("invalid answer");
    }

    @Test
    void shouldSampleTheProcessesThatItsHostNames()
    {
        final long[] sent = DriverSample.newValues();
        sent[1] = 12;
        host.answering("samples", Map.of("-driver", Map.of("pid", 4711, "values", sent)));

        final Map<String, ProcessSample> samples = member.samples();
        assertThat(samples).containsOnlyKeys("-driver");
        assertThat(samples.get("-driver").pid()).isEqualTo(4711);
        assertThat(samples.get("-driver").values()).isEqualTo(sent);
        member.endSamples();
    }

    @Test
    void shouldSampleNothingOfAHostThatDoesNotAnswerOrFails()
    {
        host.failing("samples", "what?", ControlFailure.UNUSABLE);
        assertNothingSampled();
        host.failing("samples", "cannot map", ControlFailure.NOT_READY);
        assertNothingSampled();
        host.answering("samples", "garbage");
        assertNothingSampled();
        host.on("samples", (process, request) -> process.end(255));
        assertNothingSampled();
        host.on("samples", (process, request) -> clock.advance(FakeHost.SAMPLE_TIMEOUT_NS));
        assertNothingSampled();
    }

    private void assertNothingSampled()
    {
        assertThat(ControlFailure.orElse(member::samples, null)).isNull();
    }

    @Test
    void shouldCopyWhatIsPackedOnItsHost()
    {
        final Copy copy = new Copy(0, (taker) -> taker.end(0));

        assertThat(copy.make()).isEqualTo(dir.resolve("member-1")).isDirectory();
        assertThat(copy.taken).containsExactly("packed");
        assertThat(copy.commands.get(0)).contains("ssh").last().asString()
            .startsWith("cd /data/cluster/member-1 && tar ");
        assertThat(copy.commands.get(1)).contains("tar", dir.resolve("member-1").toString());
        copy.assertNothingRuns();
    }

    @Test
    void shouldCopyTheFolderOfAMemberThatKeepsWriting()
    {
        final Copy copy = new Copy(FILE_CHANGED, (taker) -> taker.end(0));
        assertThat(copy.make()).isDirectory();
        copy.assertNothingRuns();
    }

    @Test
    void shouldFailWhenTheHostCannotPack()
    {
        new Copy(TAR_FAILED, (taker) -> taker.end(0)).assertFails(ControlFailure.class, "is incomplete");
    }

    @Test
    void shouldFailWhenTheCopyCannotBeUnpacked()
    {
        new Copy(0, (taker) -> taker.end(TAR_FAILED)).assertFails(ControlFailure.class, "is incomplete");
    }

    @Test
    void shouldEndUnpackingThatTakesTooLong()
    {
        new Copy(0, (taker) -> {}).assertFails(ControlFailure.class, "is incomplete");
    }

    @Test
    void shouldEndASenderThatDoesNotEndItself()
    {
        final Copy copy = new Copy(0, (taker) -> taker.end(0));
        copy.isSenderLasting = true;
        copy.assertFails(ControlFailure.class, "is incomplete");
    }

    @Test
    void shouldEndBothWhenUnpackingEndsBeforeItHasAll()
    {
        final Copy copy = new Copy(0, (taker) -> taker.end(0));
        copy.isSenderLasting = true;
        copy.taker.end(TAR_FAILED);
        copy.assertFails(UncheckedIOException.class, "cannot copy alpha:/data/cluster/member-1");
    }

    @Test
    void shouldEndTheSenderWhenUnpackingCannotStart()
    {
        final Copy copy = new Copy(0, (taker) -> taker.end(0));
        copy.isSenderLasting = true;
        copy.taker.end(0);
        copy.takerFailure = new IOException("no tar");
        copy.assertFails(UncheckedIOException.class, "cannot copy alpha:/data/cluster/member-1");
    }

    @Test
    void shouldNotBeginACopyThatHasNoPlace() throws IOException
    {
        Files.createFile(dir.resolve("member-1"));
        final Copy copy = new Copy(0, (taker) -> taker.end(0));

        assertThatThrownBy(copy::make).isInstanceOf(UncheckedIOException.class)
            .hasMessageContaining(dir.resolve("member-1").toString());
        assertThat(copy.commands).isEmpty();
    }

    @Test
    void shouldKeepAnInterruptThatEndsACopy()
    {
        final Copy copy = new Copy(0, (taker) -> Thread.currentThread().interrupt());

        copy.assertFails(ControlFailure.class, "was interrupted");

        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void shouldFetchOnlyTheStatesOfAMember()
    {
        final Copy copy = new Copy(0, (taker) -> taker.end(0));

        copy.member.fetchStates(dir);

        assertThat(copy.commands.get(0)).last().asString().contains("find . -name 'state*.log'");
        copy.assertNothingRuns();
    }

    @Test
    void shouldNotTakeAHostWithoutFindForAMemberWithoutStates() throws Exception
    {
        final Copy copy = new Copy(0, (taker) -> taker.end(0));
        copy.member.fetchStates(dir);
        final List<String> words = copy.commands.get(0);
        final String packing = words.get(words.size() - 1).replaceFirst("cd [^ ]+ && ", "");
        assertThat(Files.writeString(dir.resolve("tar"), "#!/bin/sh\n").toFile().setExecutable(true)).isTrue();
        final ProcessBuilder packer = new ProcessBuilder("/bin/sh", "-c", packing);
        packer.environment().put("PATH", dir.toString());
        assertThat(packer.start().waitFor()).as(packing).isGreaterThan(FILE_CHANGED);
    }

    @Test
    void shouldRefuseWhatItsHostCannotUse()
    {
        host.failing("start", "echo.mtu=7", ControlFailure.UNUSABLE);
        assertThatThrownBy(member::start).isInstanceOf(InvalidSettingException.class).hasMessageContaining("echo.mtu=7");
    }

    /** A copy by two processes: one packs on the host and sends, the other unpacks here. */
    private final class Copy implements Launch.Starter
    {
        private final List<List<String>> commands = new ArrayList<>();
        private final List<String> taken = new ArrayList<>();
        private final FakeProcess sender = new FakeProcess((process, line) -> {});
        private final FakeProcess taker;
        private final ClusterMember member = member(this);
        private final int senderExitCode;
        private boolean isSenderLasting;
        private IOException takerFailure;

        private Copy(final int senderExitCode, final Consumer<FakeProcess> onInputEnd)
        {
            this.senderExitCode = senderExitCode;
            taker = new FakeProcess((process, line) -> taken.add(line), onInputEnd);
        }

        @Override
        public Process start(final ProcessBuilder builder) throws IOException
        {
            commands.add(List.copyOf(builder.command()));
            if (builder.command().contains("ssh"))
            {
                sender.say("packed");
                sender.endOutput();
                if (!isSenderLasting)
                {
                    sender.end(senderExitCode);
                }
                return sender;
            }
            if (null != takerFailure)
            {
                throw takerFailure;
            }

            return taker;
        }

        private Path make()
        {
            return member.localDir(dir);
        }

        private void assertFails(final Class<? extends Exception> type, final String reason)
        {
            assertThatThrownBy(this::make).isInstanceOf(type).hasMessageContaining(reason);
            assertNothingRuns();
        }

        private void assertNothingRuns()
        {
            assertThat(sender.isAlive()).isFalse();
            assertThat(taker.isAlive()).isFalse();
        }
    }

    private ClusterMember member(final Launch.Starter processes)
    {
        return RemoteNode.member(new HostLink(FakeHost.HOST, processes, clock), BASE_DIR, CONFIG.members().get(1));
    }
}
