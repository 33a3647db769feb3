package io.clusterecho.commands;

import java.io.PrintStream;
import java.util.List;

import io.clusterecho.client.run.ChurnConfig;
import io.clusterecho.client.run.RunConfig;
import io.clusterecho.client.run.Target;
import io.clusterecho.control.command.CommandHelp;
import io.clusterecho.control.command.OptionGroup;
import io.clusterecho.reporting.report.LiveServer;
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
        "--output", "--json" })
public final class RunCommand extends LoadCommand
{
    private static final int TURNS_OF_CHURN = 4;

    @Option(names = { "--duration", "-d" }, paramLabel = "TIME", defaultValue = "20s", converter = Converters.Duration.class,
        description = "Length of the measured window, such as 30s or 1m30s. Default: ${DEFAULT-VALUE}.")
    private long durationNs;

    @Option(names = "--snapshot-every", paramLabel = "TIME", converter = Converters.Duration.class,
        description = "Take a snapshot of all members at this interval during the measured window, such as 5s. Default: none.")
    private Long snapshotEveryNs;

    @Option(names = "--journal",
        description = "Keep a journal of what was sent and acknowledged in the result, journal.bin, for audit. Default: none.")
    private boolean isJournaled;

    @Option(names = "--receivers", paramLabel = "N", converter = Converters.PositiveInt.class,
        description = "Further sessions that send nothing and receive a copy of each reply (fan-out), up to 100, with accounts " +
        "of what each received. Default: none.")
    private Integer receiverCount;

    @OptionGroup(OptionGroup.Heading.LOAD)
    @Option(names = ChurnConfig.RATE, paramLabel = "N", converter = Converters.Rate.class,
        description = "Open this many additional sessions per second, 1 to 1000, in the second and the fourth quarter of the " +
        "measured window; each sends a message, receives the reply and closes. Default: none.")
    private Long churnPerSecond;

    @Option(names = { "--verbose", "-v" }, description = "Print the whole result instead of one screen.")
    private boolean isVerbose;

    @Mixin
    private LiveOptions live;

    @Override
    public Integer call()
    {
        final RunConfig given = withChurn(withSnapshots(config()));
        given.load().checkTrace(durationNs);
        given.load().checkMemory(durationNs);
        final RunConfig config = (null == receiverCount ? given : given.withReceivers(receiverCount, durationNs)).ofOneLoad();
        InvalidSettingException.throwIf(
            isJournaled && config.clients().areApart(), "--journal", "true", "only for one client, which runs in this process");
        InvalidSettingException.throwIf(
            config.load().count(durationNs) < 1, "--duration", durationNs + "ns",
            "long enough for at least one message at --rate " + config.load().rate());
        final Target target = new Target(config);
        target.checkLength();
        target.checkDisks("--duration", durationNs);
        final List<PrintStream> lines = live.lines(print);
        // The port first: one that is in use leaves no result folder.
        try (LiveServer server = live.serve())
        {
            return measure(config, durationNs, isJournaled, server, lines, (run) -> live.result(
                run.stored().json(), isVerbose ? run.stored().text() : run.stored().summary()));
        }
    }

    private RunConfig withChurn(final RunConfig config)
    {
        if (null == churnPerSecond)
        {
            return config;
        }

        config.load().checkFixedWarmUp(ChurnConfig.RATE);
        return config.withChurn(new ChurnConfig(churnPerSecond, durationNs / TURNS_OF_CHURN));
    }

    private RunConfig withSnapshots(final RunConfig config)
    {
        if (null == snapshotEveryNs)
        {
            return config;
        }
        InvalidSettingException.throwIf(
            snapshotEveryNs < 1 || snapshotEveryNs >= durationNs, "--snapshot-every", snapshotEveryNs + "ns",
            "more than 0 and less than --duration");

        config.load().checkFixedWarmUp("--snapshot-every");
        return config.withSnapshots(snapshotEveryNs);
    }
}
