package io.clusterecho.commands;

import java.util.Map;

import io.clusterecho.client.pingpong.PingPongExecution;
import io.clusterecho.client.run.LoadConfig;
import io.clusterecho.client.run.RunConfig;
import io.clusterecho.client.run.ThreadConfig;
import io.clusterecho.control.command.CommandHelp;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Quantity;

import picocli.CommandLine.Command;

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
    declared = PingPongExecution.Plan.class,
    without = {
        "--rate", "--kind", "--trace.*", "--batch", "--arrivals", "--seed", "--drain-timeout", "--late-after", "--delivery",
        "--resend-after", "--unacknowledged", "--interval", "--assert", "--stages", "--client.*",
        ThreadConfig.DUTY_CYCLE_INTERVAL, LoadOptions.BESIDE })
public final class PingPongCommand extends LoadCommand
{
    @Override
    public Integer call()
    {
        final RunConfig config = config();
        final PingPongExecution.Plan plan = options.read(PingPongExecution.Plan.class, Map.of());
        checkWarmUp(config.load(), plan);
        final int sessionCount = config.load().sessionCount();
        InvalidSettingException.throwIf(
            plan.concurrency() < sessionCount, "--concurrency", plan.concurrency(), "at least --connections=" + sessionCount);

        return print.result(new PingPongExecution(config, plan).execute());
    }

    private void checkWarmUp(final LoadConfig load, final PingPongExecution.Plan plan)
    {
        InvalidSettingException.throwIf(
            load.warmUp().isAuto() && isGiven(PingPongExecution.Plan.WARM_UP_COUNT), PingPongExecution.Plan.WARM_UP_COUNT,
            plan.warmUpCount(),
            "not given with " + LoadConfig.WARM_UP + " auto, which ends the warm-up");
        InvalidSettingException.throwIf(
            !load.warmUp().isAuto() && isGiven(LoadConfig.WARM_UP), LoadConfig.WARM_UP,
            Quantity.formatNs(load.warmUpNs()),
            "auto or auto:TIME in a closed loop, else " + PingPongExecution.Plan.WARM_UP_COUNT);
    }
}
