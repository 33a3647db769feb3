package io.clusterecho.commands;

import java.util.Map;

import io.clusterecho.client.run.LoadOption;
import io.clusterecho.client.run.RunConfig;
import io.clusterecho.client.run.Target;
import io.clusterecho.control.command.CommandHelp;
import io.clusterecho.reporting.results.PrecisionGoal;
import io.clusterecho.settings.InvalidSettingException;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** One measured run. */
@Command(
    name = "run",
    header = "Measure round trips of a replicated echo at a fixed rate.",
    description = {
        "",
        "Load is open loop: the intended send time of a message follows from its number alone, and response time is measured " +
        "from it, so a stall shows in every message that had to wait. Every scheduled message is accounted for. The " +
        "result goes to stdout and to a folder, progress to stderr." },
    exitCodeList = {
        "  0:GOOD or CLIENT-LIMITED",
        "  1:internal error",
        "  2:usage: the message names the option, its value and what is allowed",
        "  3:no session with the cluster",
        "  4:FAILED: rate missed, messages lost, duplicated or corrupt, or result incomplete",
        " 99:a condition of --assert failed",
        "130:interrupted; what was measured is kept" })
@CommandHelp(
    examples = {
        "load-client --rate 100k --size 288",
        "load-client -r 2k -d 1m --assert 'p99<1ms,lost==0' --label nightly",
        "load-client max-rate --slo 'p99<1ms'" },
    mostUsed = {
        "--rate", "--size", "--duration", "--warm-up", "--connections", "--delivery", "--assert", "--label",
        "--output", "--json" },
    declared = RunCommand.Window.class)
public final class RunCommand extends LoadCommand
{
    private static final long DURATION_NS = 20_000_000_000L;
    private static final long LONGEST_NS = 600_000_000_000L;

    /** The measured window. */
    record Window(
        @LoadOption(names = { Window.DURATION, "-d" }, label = "TIME", kind = LoadOption.Kind.TIME,
            text = "Length of the measured window, such as 30s or 1m30s; with --until, its maximum. Default: 20s; 10m with " +
            "--until.")
        Long durationNs,
        @LoadOption(names = "--until", label = "GOAL",
            text = "Measure until the 95%% bounds of a response time percentile are as narrow as requested, such as " +
            "p99+-5%%, or --duration has passed. The bounds of a run that ends so contain the percentile in 89 to 95%% of " +
            "cases.")
        PrecisionGoal goal,
        @LoadOption(names = "--journal",
            text = "Keep a journal of what was sent and acknowledged in the result, journal.bin, for audit. Default: none.")
        boolean isJournaled)
    {
        private static final String DURATION = "--duration";
    }

    @Option(names = { "--verbose", "-v" }, description = "Print the whole result instead of one screen.")
    private boolean isVerbose;

    @Mixin
    private LiveOptions live;

    @Override
    public Integer call()
    {
        final Window window = options.read(Window.class, Map.of());
        final long byDefaultNs = null == window.goal ? DURATION_NS : LONGEST_NS;
        final long durationNs = null == window.durationNs ? byDefaultNs : window.durationNs;
        // For the record of the result.
        spec.findOption(Window.DURATION).setValue(durationNs);
        final RunConfig config = config().until(window.goal, durationNs).ofOneLoad();
        config.load().checkTrace(durationNs);
        config.load().checkMemory(durationNs);
        config.checkBeside(durationNs);
        InvalidSettingException.throwIf(
            window.isJournaled && config.clients().areApart(), "--journal", "true",
            "only for one client, which runs in this process");
        InvalidSettingException.throwIf(
            config.load().count(durationNs) < 1, "--duration", durationNs + "ns",
            "long enough for at least one message at --rate " + config.load().rate());
        final Target target = new Target(config);
        target.checkLength();
        target.checkDisks("--duration", durationNs);
        return measure(config, durationNs, window.isJournaled, live.lines(print), (run) -> live.result(
            run.json(), isVerbose ? run.text() : run.summary()));
    }
}
