package io.clusterecho.commands;

import java.io.UncheckedIOException;
import java.util.List;

import io.clusterecho.client.maxrate.RateFinder;
import io.clusterecho.client.maxrate.SearchPlan;
import io.clusterecho.client.run.RunConfig;
import io.clusterecho.client.series.RunSeries;
import io.clusterecho.control.command.CommandHelp;
import io.clusterecho.reporting.results.Threshold;
import io.clusterecho.settings.InvalidSettingException;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The highest rate at which conditions hold. */
@Command(
    name = "max-rate",
    header = "Find the highest rate at which conditions hold.",
    description = {
        "",
        "Doubles or halves --rate until one rate has passed and one has failed, then bisects. Each trial is a run with a " +
        "verdict. The rate found is only proposed: it is confirmed by fresh runs alone, of which it must pass --pass, or " +
        "else a lower one is. Printed with the share that passed is what it says of all runs with 95%% confidence." },
    exitCodeList = {
        "  0:found and confirmed",
        "  1:internal error",
        "  2:usage: the message names the option, its value and what is allowed",
        "  3:no session with the cluster, or lost it",
        "  4:no rate of the range holds, or a run or the result is incomplete",
        "130:interrupted; what was measured is kept" })
@CommandHelp(
    examples = {
        "load-client max-rate --slo 'p99<1ms'",
        "load-client max-rate --slo 'p50<200us,p99.9<5ms' --rate 20k --resolution 2% --pass 95%",
        "load-client max-rate --lowest 1k --highest 200k --duration 30s" },
    mostUsed = {
        "--slo", "--rate", "--size", "--lowest", "--highest", "--resolution", "--pass", "--duration", "--connections", "--label",
        "--json" },
    described = {
        "--rate=Messages per second of the first trial, over all sessions and clients. Default: ${DEFAULT-VALUE}.",
        "--label=Name of the result. Blanks and other special characters become dashes in the folder's name. " +
        "Default: max-rate." },
    without = { "--assert", "--kind", "--trace.*", LoadOptions.BESIDE })
final class MaxRateCommand extends LoadCommand
{
    @Option(names = "--slo", paramLabel = "CONDITIONS", defaultValue = "p99<1ms", converter = Converters.Thresholds.class,
        description = "Conditions that must all hold, with the metrics of --assert, such as 'p99<1ms,p99.9<5ms'. " +
        "Implied: the rate is achieved and nothing is lost. Default: ${DEFAULT-VALUE}.")
    private List<Threshold> conditions;

    @Option(names = "--lowest", paramLabel = "N", defaultValue = "100", converter = Converters.Rate.class,
        description = "Minimum rate. Default: ${DEFAULT-VALUE}.")
    private long lowestRate;

    @Option(names = "--highest", paramLabel = "N", defaultValue = "10M", converter = Converters.Rate.class,
        description = "Maximum rate. Default: ${DEFAULT-VALUE}.")
    private long highestRate;

    @Option(names = "--resolution", paramLabel = "SHARE", defaultValue = "5%", converter = Converters.Share.class,
        description = "Largest gap between the answer and the lowest rate that failed. Default: ${DEFAULT-VALUE}.")
    private double resolution;

    @Option(names = "--pass", paramLabel = "SHARE", defaultValue = "90%", converter = Converters.Share.class,
        description = "Share of fresh runs that the answer must pass, 50%% to 99%%. It takes as many as have this share " +
        "with one failure: 10 for 90%%, 2 for 50%%. Default: ${DEFAULT-VALUE}.")
    private double passShare;

    @Option(names = { "--duration", "-d" }, paramLabel = "TIME", defaultValue = "10s", converter = Converters.Duration.class,
        description = "Length of the measured window of each trial. Default: ${DEFAULT-VALUE}.")
    private long durationNs;

    @Option(names = "--later-warm-up", paramLabel = "TIME", defaultValue = "2s", converter = Converters.Duration.class,
        description = "Warm-up of all trials but the first. Default: ${DEFAULT-VALUE}.")
    private long laterWarmUpNs;

    @Option(names = "--pause", paramLabel = "TIME", defaultValue = "1s", converter = Converters.Duration.class,
        description = "Pause between trials. Default: ${DEFAULT-VALUE}.")
    private long pauseNs;

    @Override
    public Integer call()
    {
        final RunConfig config = config();
        final SearchPlan plan = new SearchPlan(
            config.load().ratePerSecond(), lowestRate, highestRate, resolution, passShare);
        try (RunSeries series = RunSeries.begin(false))
        {
            final RateFinder finder = new RateFinder(
                series, config,
                new RateFinder.Terms(plan, conditions, durationNs, laterWarmUpNs, pauseNs),
                config.label(RateFinder.LABEL), print.isQuiet() ? null : System.err::println);
            final RateFinder.Found found = finder.find();
            print.result(found.json(), found.text(), List.of());
            return found.exitStatus();
        }
        catch (final UncheckedIOException ex)
        {
            throw new InvalidSettingException("nothing was measured: " + ex.getMessage());
        }
    }
}
