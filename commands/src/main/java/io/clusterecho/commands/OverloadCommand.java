package io.clusterecho.commands;

import java.util.List;
import java.util.Map;

import io.clusterecho.client.run.LoadConfig;
import io.clusterecho.client.run.LoadOption;
import io.clusterecho.client.run.RunConfig;
import io.clusterecho.client.run.Target;
import io.clusterecho.client.schedule.RateProfile;
import io.clusterecho.control.command.CommandHelp;
import io.clusterecho.settings.InvalidSettingException;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** A pulse of overload, and the return from it. */
@Command(
    name = "overload",
    header = "Overload a cluster briefly, and measure how it recovers.",
    description = {
        "",
        "One run at --rate, at --pulse for --pulse-for, and at --rate again. Reports how long p99 takes to return to its " +
        "level before the pulse, the maximum backlog and when it was drained. A run that does not recover is FAILED: " +
        "METASTABLE if the backlog is gone or does not shrink. A missed rate does not fail this command; messages without " +
        "a reply do. Intervals are of 100 ms unless --interval is given." },
    exitCodeList = {
        "  0:GOOD: p99 returned, and every message was answered",
        "  1:internal error",
        "  2:usage",
        "  3:no session with the cluster",
        "  4:FAILED: not returned, or messages lost, duplicated or corrupt, or result incomplete",
        " 99:a condition of --assert failed",
        "130:interrupted; what was measured is kept" })
@CommandHelp(
    examples = {
        "load-client overload --rate 10k --pulse 200k --pulse-for 2s --return 30s",
        "load-client overload -r 5k --pulse 50k --tolerance 100% --assert 'max<10s'" },
    mostUsed = {
        "--rate", "--pulse", "--pulse-for", "--before", "--return", "--tolerance", "--size", "--connections", "--label",
        "--output", "--json" },
    declared = OverloadCommand.Pulse.class,
    without = { "--kind", "--trace.*", LoadOptions.BESIDE })
public final class OverloadCommand extends LoadCommand
{
    /** Default length of an interval: the resolution of the return. */
    private static final long INTERVAL_NS = 100_000_000L;
    /** Default of --interval, which suits longer runs. */
    private static final long RUN_INTERVAL_NS = 1_000_000_000L;
    private static final int MIN_INTERVALS = 10;

    /** The rates and their times. */
    record Pulse(
        @LoadOption(names = "--pulse", label = "N", kind = LoadOption.Kind.PER_SECOND, isRequired = true,
            text = "Messages per second in the pulse, above the highest rate of the cluster (max-rate finds that).")
        long ratePerSecond,
        @LoadOption(names = "--pulse-for", label = "TIME", byDefault = "2s", kind = LoadOption.Kind.TIME,
            text = "Length of the pulse. Default: ${DEFAULT-VALUE}.")
        long lengthNs,
        @LoadOption(names = "--before", label = "TIME", byDefault = "10s", kind = LoadOption.Kind.TIME,
            text = "Time at --rate before the pulse, at least 10 intervals. Default: ${DEFAULT-VALUE}.")
        long beforeNs,
        @LoadOption(names = "--return", label = "TIME", byDefault = "30s", kind = LoadOption.Kind.TIME,
            text = "Time at --rate after the pulse, in which p99 must return; at least 10 intervals. " +
            "Default: ${DEFAULT-VALUE}.")
        long returnNs,
        @LoadOption(names = "--tolerance", label = "SHARE", byDefault = "50%", kind = LoadOption.Kind.SHARE,
            text = "By how much p99, in 5 successive intervals, may exceed its level before the pulse and still count as " +
            "recovered. Default: ${DEFAULT-VALUE}.")
        double tolerance)
    {
        private void check(final RunConfig config)
        {
            InvalidSettingException.throwIf(
                LoadConfig.Arrivals.constant != config.load().arrivals(), "--arrivals", config.load().arrivals(),
                "constant, because the backlog is counted from the rate");
            final long usualRate = config.load().ratePerSecond();
            InvalidSettingException.throwIf(
                ratePerSecond <= usualRate, "--pulse", ratePerSecond, "more than --rate " + usualRate);
            InvalidSettingException.throwIf(lengthNs < 1, "--pulse-for", lengthNs + "ns", "more than 0");
            final long leastNs = MIN_INTERVALS * config.intervalNs();
            final String allowed = "at least " + leastNs / 1_000_000 + "ms, " + MIN_INTERVALS + " times --interval";
            InvalidSettingException.throwIf(beforeNs < leastNs, "--before", beforeNs + "ns", allowed);
            InvalidSettingException.throwIf(returnNs < leastNs, "--return", returnNs + "ns", allowed);
        }

        private long durationNs()
        {
            return beforeNs + lengthNs + returnNs;
        }
    }

    @Option(names = { "--verbose", "-v" }, description = "Print the whole result instead of one screen.")
    private boolean isVerbose;

    @Override
    public Integer call()
    {
        final RunConfig given = config();
        final boolean isDefault =
            !isGiven("--interval") && RUN_INTERVAL_NS == given.intervalNs();
        final RunConfig config = (isDefault ? given.with(RunConfig.INTERVAL, INTERVAL_NS) : given)
            .withResult(given.label("overload"), given.output());
        final Pulse pulse = options.read(Pulse.class, Map.of());
        pulse.check(config);
        final RunConfig pulsed = config.with(LoadConfig.RATE, RateProfile.pulse(
            config.load().ratePerSecond(), pulse.ratePerSecond, pulse.beforeNs, pulse.lengthNs, pulse.returnNs, pulse.tolerance));
        pulsed.load().checkMemory(pulse.durationNs());
        new Target(pulsed).checkLength();
        return measure(pulsed, pulse.durationNs(), false, List.of(), (run) ->
            isVerbose ? run.text() : run.summary());
    }
}
