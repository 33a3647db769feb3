package io.clusterecho.commands;

import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;

import io.clusterecho.client.maxrate.RateFinder;
import io.clusterecho.client.run.RunConfig;
import io.clusterecho.client.series.RunSeries;
import io.clusterecho.control.command.CommandHelp;
import io.clusterecho.settings.InvalidSettingException;

import picocli.CommandLine.Command;

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
    declared = RateFinder.Terms.class,
    without = { "--assert", "--kind", "--trace.*", LoadOptions.BESIDE })
final class MaxRateCommand extends LoadCommand
{
    @Override
    public Integer call()
    {
        final RunConfig config = config();
        final RateFinder.Terms terms = options.read(
            RateFinder.Terms.class, Map.of("startRate", config.load().ratePerSecond()));
        try (RunSeries series = RunSeries.begin(false))
        {
            final RateFinder finder = new RateFinder(
                series, config, terms, config.label(RateFinder.LABEL), print.isQuiet() ? null : System.err::println);
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
