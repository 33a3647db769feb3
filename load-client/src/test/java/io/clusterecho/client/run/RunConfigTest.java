package io.clusterecho.client.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.aeron.driver.ThreadingMode;

import io.clusterecho.client.load.Idle;
import io.clusterecho.client.load.LoadPlan;
import io.clusterecho.client.load.PacedIdleStrategy;
import io.clusterecho.client.schedule.RateProfile;
import io.clusterecho.host.Processors;
import io.clusterecho.reporting.results.Threshold;
import io.clusterecho.settings.InvalidSettingException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunConfigTest
{
    private static final long SECOND_NS = 1_000_000_000L;

    @TempDir
    private Path folder;

    @Test
    void shouldDeriveOthersWithoutChanging()
    {
        final RunConfig config = config();
        final RunConfig other = withLength(config.withRate(5), 64).withWarmUp(7).with("--base-dir", folder.resolve("c"))
            .with("--assert", Threshold.parse("p99<1ms")).withResult("cell", folder.resolve("runs"));

        assertThat(other.load().ratePerSecond()).isEqualTo(5);
        assertThat(other.load().maxLengthBytes()).isEqualTo(64);
        assertThat(other.load().warmUpNs()).isEqualTo(7);
        assertThat(other.target().clusterDir()).isEqualTo(folder.resolve("c"));
        assertThat(other.label()).isEqualTo("cell");
        assertThat(other.output()).isEqualTo(folder.resolve("runs"));
        assertThat(other.thresholds()).hasSize(1);
        assertThat(config.options()).isEqualTo(config().options());
        assertThat(config.load()).usingRecursiveComparison().isEqualTo(config().load());
        assertThat(config.target()).isEqualTo(config().target());
        assertThat(other.calibrations()).isSameAs(config.calibrations());
    }

    @Test
    void shouldRecordWhatIsInEffectAndNotWhatWasGiven()
    {
        final RunConfig other = config().withRate(5).withWarmUp(7)
            .with("--assert", Threshold.parse("p99<1ms,lost==0")).withResult("cell", Path.of("runs"));

        assertThat(other.options()).containsAllEntriesOf(Map.of(
            "rate", "5", "warm-up", "7ns", "assert", "p99<1ms,lost==0", "label", "cell", "output", "runs", "size", "288"));
        assertThat(other.workerArguments(Map.of("--mtu", "8192"))).containsSubsequence(
            "--transport-set=a=1", "--transport-set=b=2", "--rate=5", "--warm-up=7ns", "--stages=true", "--mtu=8192")
            .noneMatch((argument) -> argument.matches("--(assert|label|output|base-dir|clients|client-.*|core|config)=.*"));
    }

    @Test
    void shouldLetWhatIsKnownHereWinOverWhatAWorkerWasGiven()
    {
        assertThat(config().workerArguments(Map.of("--rate", "9"))).contains("--stages=true", "--transport-set=b=2")
            .filteredOn((argument) -> argument.startsWith("--rate=")).containsExactly("--rate=9");
    }

    @Test
    void shouldRefuseWhatSeveralClientsCannotShare()
    {
        assertThatThrownBy(() -> config("--clients=101")).isInstanceOf(InvalidSettingException.class)
            .hasMessageContainingAll("--clients", "101", "1 to 100");
        assertThatThrownBy(() -> config("--clients=2", "--egress=127.0.0.1:4000"))
            .isInstanceOf(InvalidSettingException.class).hasMessageContainingAll("--egress", "4000", "port of 0");
        assertThat(config("--clients=2", "--egress=127.0.0.1:0").clients().areApart()).isTrue();
        assertThatThrownBy(() -> config("--clients=2", "--causes"))
            .isInstanceOf(InvalidSettingException.class).hasMessageContainingAll("--causes", "this machine alone");
        assertThatThrownBy(() -> config("--clients=2").clients().checkAlone("ping-pong"))
            .isInstanceOf(InvalidSettingException.class).hasMessageContainingAll("--clients", "2", "ping-pong");
    }

    @Test
    void shouldRefuseMessagesThatAreTooShortOrTooLong()
    {
        final RunConfig config = config();
        assertThatThrownBy(() -> withLength(config, 31)).isInstanceOf(InvalidSettingException.class)
            .hasMessageContainingAll("--size", "31", "32 to 16777184");
        assertThatThrownBy(() -> withLength(config, 70_000).load().checkLength(65_536L, true))
            .isInstanceOf(InvalidSettingException.class)
            .hasMessageContainingAll("--size", "70000", "32 to 65536", "echo.max.message.length");
        assertThatThrownBy(() -> withLength(config, 70_000).load().checkLength(65_536L, false))
            .isInstanceOf(InvalidSettingException.class).hasMessageContainingAll("65536", "the limit of the transport");
        withLength(config, 70_000).load().checkLength(80_000L, true);
    }

    @Test
    void shouldAllowWhatAeronCanSendWhereTheLimitOfTheMembersIsUnknown()
    {
        final RunConfig largest = withLength(config(), 16_777_184);
        largest.load().checkLength(null, true);
        assertThat(largest.load().ingressTermLength()).isEqualTo(1 << 27);
        assertThatThrownBy(() -> withLength(largest, 16_777_185))
            .isInstanceOf(InvalidSettingException.class).hasMessageContaining("32 to 16777184");
    }

    @Test
    void shouldRefuseARunWhoseAccountsDoNotFitTheHeap()
    {
        final LoadConfig load = config().withRate(1_000_000_000L).load();
        load.checkMemory(SECOND_NS / 1_000);
        assertThatThrownBy(() -> load.checkMemory(1_000_000 * SECOND_NS)).isInstanceOf(InvalidSettingException.class)
            .hasMessageContainingAll("the length of the run", "-Xmx");
    }

    @Test
    void shouldNotSplitABatchBetweenWarmUpAndMeasuredWindow()
    {
        final LoadConfig batches = config("--warm-up=10s", "--batch=300").load();
        final LoadPlan plan = batches.plan(20 * SECOND_NS);
        assertThat(plan.warmUpCount()).isEqualTo(10_200);
        assertThat(plan.warmUpNs()).isEqualTo(10_200_000_000L);
        assertThat(plan.measuredCount()).isEqualTo(20_000);
    }

    @Test
    void shouldCompileWithTheFirstCompilerInAModerateLoadThatIsAloneOnFewCores()
    {
        final ThreadConfig auto = threads(ThreadConfig.Compilation.auto);
        assertThat(auto.ofOneLoad(100_000, true).compilers()).isEqualTo(ThreadConfig.Compilation.first);
        assertThat(auto.ofOneLoad(100_001, true)).isEqualTo(auto);
        assertThat(auto.ofOneLoad(100_000, false)).isEqualTo(auto);
        final ThreadConfig both = threads(ThreadConfig.Compilation.both);
        assertThat(both.ofOneLoad(1, true)).isEqualTo(both);

        final RunConfig several = config("--clients=2");
        assertThat(several.ofOneLoad()).isEqualTo(several);
        final RunConfig one = alone().ofOneLoad();
        assertThat(one.options()).containsEntry("compilers", Processors.areFew() ? "first" : "both");
        assertThat(alone().withRate(100_001).ofOneLoad().options()).containsEntry("compilers", "both");
        assertThat(alone().withRate(60_000).with(TargetConfig.RECEIVERS, 1).ofOneLoad().options())
            .as("twice as many replies").containsEntry("compilers", "both");
        final RunConfig other = SampleConfig.of("memory", folder);
        assertThat(other.ofOneLoad()).as("not the cluster").isEqualTo(other);
    }

    @Test
    void shouldPaceTheDutyCycleOfAClientThatSharesTheLeadersCore()
    {
        final ThreadConfig auto = threads("auto", Idle.yield, ThreadConfig.AUTO);
        assertThat(auto.dutyCycleIntervalNs(40_000, true, true)).isEqualTo(50_000);
        assertThat(auto.dutyCycleIntervalNs(39_999, true, true)).as("few messages").isZero();
        assertThat(auto.dutyCycleIntervalNs(40_000, false, true)).as("no leader").isZero();
        assertThat(auto.dutyCycleIntervalNs(40_000, true, false)).as("a driver with threads").isZero();
        assertThat(threads("auto", Idle.spin, ThreadConfig.AUTO).dutyCycleIntervalNs(40_000, true, true)).isZero();
        assertThat(threads("auto", Idle.yield, "any").dutyCycleIntervalNs(40_000, true, true)).isZero();
        assertThat(threads("20us", Idle.spin, "any").dutyCycleIntervalNs(1, false, false)).isEqualTo(20_000);
        assertThat(threads("0us", Idle.yield, ThreadConfig.AUTO).dutyCycleIntervalNs(40_000, true, true)).isZero();
    }

    @Test
    void shouldRecordTheIntervalOfTheDutyCycleInEffect()
    {
        final RunConfig paced = with(threads("20us", Idle.yield, ThreadConfig.AUTO));
        assertThat(paced.effectiveOptions(Optional.empty())).containsEntry("duty-cycle-interval", "20000ns");
        assertThat(paced.idleStrategy(Optional.empty())).isInstanceOf(PacedIdleStrategy.class);

        final RunConfig auto = with(threads("auto", Idle.yield, ThreadConfig.AUTO));
        final long intervalNs = ThreadingMode.INVOKER == auto.threads().threadingMode(auto.driver()) ? 50_000 : 0;
        assertThat(auto.withRate(50_000).dutyCycleIntervalNs(Optional.of(1))).isEqualTo(intervalNs);
        assertThat(auto.withRate(50_000).dutyCycleIntervalNs(Optional.empty())).isZero();
        assertThat(auto.effectiveOptions(Optional.of(1))).as("1,000 messages/s").containsEntry("duty-cycle-interval", "0ns");
        assertThat(auto.idleStrategy(Optional.of(1))).isNotInstanceOf(PacedIdleStrategy.class);
        assertThat(auto.with("--rate", RateProfile.parse("sine:50k..100k/10s")).dutyCycleIntervalNs(Optional.of(1))).isZero();
    }

    private static RunConfig withLength(final RunConfig config, final long lengthBytes)
    {
        return config.with(List.of("--size=" + lengthBytes));
    }

    private RunConfig with(final ThreadConfig threads)
    {
        return alone().with("threads", threads);
    }

    private static ThreadConfig threads(final String interval, final Idle idle, final String core)
    {
        return new ThreadConfig(ThreadConfig.Profile.auto, idle, core, ThreadConfig.Compilation.auto, interval);
    }

    private RunConfig alone()
    {
        return SampleConfig.of("cluster", folder);
    }

    private static ThreadConfig threads(final ThreadConfig.Compilation compilers)
    {
        return new ThreadConfig(ThreadConfig.Profile.auto, Idle.auto, ThreadConfig.AUTO, compilers, ThreadConfig.AUTO);
    }

    private RunConfig config(final String... others)
    {
        final List<String> arguments = new ArrayList<>(List.of(
            "--rate=1000", "--warm-up=1s", "--drain-timeout=1s", "--late-after=1s", "--base-dir=" + folder, "--output=" + folder,
            "--stages", "--transport-set=a=1", "--transport-set", "b=2"));
        arguments.addAll(List.of(others));
        return RunConfig.parse(arguments);
    }
}
