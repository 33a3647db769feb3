package io.clusterecho.commands;

import io.clusterecho.client.pingpong.PingPongExecution;
import io.clusterecho.client.run.LoadConfig;
import io.clusterecho.client.run.RunConfig;
import io.clusterecho.client.run.ThreadConfig;
import io.clusterecho.control.command.CommandHelp;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Quantity;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** A closed loop: a fixed number of messages in flight. */
@Command(
    name = "ping-pong",
    header = "Measure round trips in a closed loop.",
    description = {
        "",
        "Each reply triggers the next message. Shows the round trip without queueing, and the rate that a number of callers " +
        "reaches. Unlike a run at a fixed rate, a stall is charged only to the messages in flight." },
    exitCodeList = {
        "  0:GOOD",
        "  1:internal error",
        "  2:usage: the message names the option, its value and what is allowed",
        "  3:no session with the cluster",
        "  4:messages lost or corrupt, no more replies, or result incomplete",
        "130:interrupted; what was measured is kept" })
@CommandHelp(
    examples = {
        "load-client ping-pong",
        "load-client ping-pong --concurrency 10 --connections 10 --count 100k" },
    mostUsed = {
        "--concurrency", "--count", "--warm-up-count", "--time-limit", "--size", "--connections", "--label", "--output",
        "--json" },
    without = {
        "--rate", "--kind", "--trace.*", "--batch", "--arrivals", "--seed", "--drain-timeout", "--late-after", "--delivery",
        "--resend-after", "--unacknowledged", "--interval", "--assert", "--stages", "--client.*",
        ThreadConfig.DUTY_CYCLE_INTERVAL, LoadOptions.BESIDE })
public final class PingPongCommand extends LoadCommand
{
    private static final String WARM_UP_COUNT = "--warm-up-count";

    @Option(names = "--concurrency", paramLabel = "N", defaultValue = "1", converter = Converters.PositiveInt.class,
        description = "Messages in flight over all sessions. Default: ${DEFAULT-VALUE}.")
    private int concurrency;

    @Option(names = "--count", paramLabel = "N", defaultValue = "1M", converter = Converters.Rate.class,
        description = "Round trips to measure, such as 10k or 1M. Default: ${DEFAULT-VALUE}.")
    private long count;

    @Option(names = WARM_UP_COUNT, paramLabel = "N", defaultValue = "100k", converter = Converters.Rate.class,
        description = "Round trips of the warm-up, unless --warm-up auto ends it. Default: ${DEFAULT-VALUE}.")
    private long warmUpCount;

    @Option(names = "--time-limit", paramLabel = "TIME", defaultValue = "10m", converter = Converters.Duration.class,
        description = "Time limit of the warm-up, and of sending in the measurement; messages in flight by then are still " +
        "awaited. Default: ${DEFAULT-VALUE}.")
    private long timeLimitNs;

    @Override
    public Integer call()
    {
        final RunConfig config = config();
        checkWarmUp(config.load());
        final int sessionCount = config.load().sessionCount();
        InvalidSettingException.throwIf(
            concurrency < sessionCount, "--concurrency", concurrency, "at least --connections=" + sessionCount);

        return print.result(new PingPongExecution(config, concurrency, warmUpCount, count, timeLimitNs).execute());
    }

    private void checkWarmUp(final LoadConfig load)
    {
        InvalidSettingException.throwIf(
            load.warmUp().isAuto() && isGiven(WARM_UP_COUNT), WARM_UP_COUNT, warmUpCount,
            "not given with " + LoadConfig.WARM_UP + " auto, which ends the warm-up");
        InvalidSettingException.throwIf(
            !load.warmUp().isAuto() && isGiven(LoadConfig.WARM_UP), LoadConfig.WARM_UP,
            Quantity.formatNs(load.warmUpNs()), "auto or auto:TIME in a closed loop, else " + WARM_UP_COUNT);
    }
}
