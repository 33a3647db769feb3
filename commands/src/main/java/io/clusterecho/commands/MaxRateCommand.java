package io.clusterecho.commands;

import java.util.List;
import java.util.concurrent.Callable;

import io.clusterecho.client.maxrate.RateFinder;
import io.clusterecho.client.maxrate.SearchPlan;
import io.clusterecho.client.run.RunConfig;
import io.clusterecho.client.series.RunSeries;
import io.clusterecho.reporting.results.Threshold;
import io.clusterecho.settings.InvalidSettingException;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * The highest rate at which conditions hold.
 */
@Command(
    name = "max-rate",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    usageHelpAutoWidth = true,
    header = "Finds the highest rate at which given conditions hold, and the knee curve around it.",
    description = {
        "",
        "Doubles or halves --rate until one rate held and one broke, then halves the distance between them. Each trial is a " +
        "measured run with a verdict of its own. A trial that breaks is repeated before it is believed, and the answer is " +
        "tried again before it is told.",
        "" },
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
        " 0:found and confirmed", " 1:internal error", " 2:usage", " 3:not connected, or not any more",
        " 4:no rate of the range holds, or a run or the result is not whole", "130:interrupted; what was measured is kept" })
final class MaxRateCommand implements Callable<Integer>
{

    @Spec
    private CommandSpec spec;

    @Option(names = "--slo", paramLabel = "CONDITIONS", defaultValue = "p99<1ms", converter = Converters.Thresholds.class,
        description = "Conditions that must all hold, as 'p99<1ms,p99.9<5ms'; may be given again. The same words as --assert " +
        "of a run. That the rate is achieved and nothing is lost is understood. Default: ${DEFAULT-VALUE}.")
    private List<Threshold> conditions;

    @Option(names = "--lowest", paramLabel = "N", defaultValue = "100", converter = Converters.Rate.class,
        description = "Rate below which nothing is tried. Default: ${DEFAULT-VALUE}.")
    private long lowestRate;

    @Option(names = "--highest", paramLabel = "N", defaultValue = "10M", converter = Converters.Rate.class,
        description = "Rate above which nothing is tried. Default: ${DEFAULT-VALUE}.")
    private long highestRate;

    @Option(names = "--resolution", paramLabel = "SHARE", defaultValue = "5%", converter = Converters.Share.class,
        description = "How far above the answer a rate that breaks may lie. Default: ${DEFAULT-VALUE}.")
    private double resolution;

    @Option(names = "--retries", paramLabel = "N", defaultValue = "1", converter = Converters.Count.class,
        description = "How often a rate that broke is tried again before it is believed. Default: ${DEFAULT-VALUE}.")
    private int retryCount;

    @Option(names = "--confirm", paramLabel = "N", defaultValue = "3", converter = Converters.PositiveInt.class,
        description = "How often the answer must hold once more. Default: ${DEFAULT-VALUE}.")
    private int confirmationCount;

    @Option(names = "--duration", paramLabel = "TIME", defaultValue = "10s", converter = Converters.Duration.class,
        description = "Length of the measured window of each trial. Default: ${DEFAULT-VALUE}.")
    private long durationNs;

    @Option(names = "--confirm-duration", paramLabel = "TIME", defaultValue = "20s", converter = Converters.Duration.class,
        description = "The same of the trials that confirm. Default: ${DEFAULT-VALUE}.")
    private long confirmDurationNs;

    @Option(names = "--later-warm-up", paramLabel = "TIME", defaultValue = "2s", converter = Converters.Duration.class,
        description = "Warm-up of all trials but the first, which has --warm-up. Default: ${DEFAULT-VALUE}.")
    private long laterWarmUpNs;

    @Option(names = "--pause", paramLabel = "TIME", defaultValue = "1s", converter = Converters.Duration.class,
        description = "Between two trials. Default: ${DEFAULT-VALUE}.")
    private long pauseNs;

    @Mixin
    private LoadOptions options;

    @Option(names = "--json", description = "Print the result as one JSON document.")
    private boolean isJson;

    @Option(names = "--quiet", description = "No progress on stderr.")
    private boolean isQuiet;

    @Override
    public Integer call()
    {
        final RunConfig config = options.config(spec);
        if (!config.thresholds().isEmpty())
        {
            throw new InvalidSettingException(
                "--assert", Threshold.join(config.thresholds()), "not given: the conditions of a search are those of --slo");
        }
        final SearchPlan plan = new SearchPlan(
            config.load().ratePerSecond(), lowestRate, highestRate, resolution, retryCount, confirmationCount);
        try (RunSeries series = RunSeries.begin())
        {
            final RateFinder finder = new RateFinder(
                series, config,
                new RateFinder.Terms(plan, conditions, durationNs, confirmDurationNs, laterWarmUpNs, pauseNs),
                config.label(RateFinder.LABEL), isQuiet ? null : System.err::println);
            final RateFinder.Found found = finder.find();
            System.out.print(isJson ? found.json() : found.text());
            System.out.flush();
            return found.exitStatus();
        }
    }
}
