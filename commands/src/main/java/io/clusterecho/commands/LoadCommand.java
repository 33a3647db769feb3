package io.clusterecho.commands;

import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;

import io.clusterecho.client.run.RunConfig;
import io.clusterecho.client.series.RunSeries;
import io.clusterecho.client.series.StoredRun;
import io.clusterecho.client.transport.NotConnectedException;
import io.clusterecho.reporting.document.IntervalDocument;
import io.clusterecho.reporting.measurement.IntervalListener;
import io.clusterecho.reporting.results.ExitCode;
import io.clusterecho.reporting.results.LiveView;
import io.clusterecho.reporting.results.ResultFolder;
import io.clusterecho.settings.InvalidSettingException;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command with the options of a load and a printed result. */
@Command(mixinStandardHelpOptions = true)
abstract class LoadCommand implements Callable<Integer>
{
    @Spec
    CommandSpec spec;

    @Mixin
    LoadOptions options;

    @Mixin
    PrintOptions print;

    RunConfig config()
    {
        return options.config();
    }

    /** Whether an option was given on the command line. */
    boolean isGiven(final String option)
    {
        return spec.commandLine().getParseResult().hasMatchedOption(option);
    }

    /**
     * Make and print a run that is all that this command does.
     *
     * @param lines where its intervals are printed; at most one.
     * @param text  of the run, for a person.
     * @return the exit status.
     */
    int measure(
        final RunConfig config, final long durationNs, final boolean isJournaled, final List<PrintStream> lines,
        final Function<StoredRun, String> text)
    {
        final Instant start = Instant.now();
        final ResultFolder folder = ResultFolder.create(config.output(), config.label(), start);
        try (RunSeries series = RunSeries.begin(isJournaled))
        {
            final List<IntervalListener> watchers = new ArrayList<>(lines.stream().map(IntervalDocument::printer).toList());
            if (!print.isQuiet() && lines.isEmpty())
            {
                watchers.add(LiveView.onStderr());
            }
            try
            {
                final StoredRun run = series.measure(config, durationNs, folder, start, true, watchers);
                print.result(run.json(), text.apply(run), config.thresholds());
                return run.verdict().exitStatus();
            }
            catch (final NotConnectedException ex)
            {
                if (series.endRequest().isRequested())
                {
                    System.err.println("interrupted before a session was open; nothing was measured");
                    return ExitCode.INTERRUPTED;
                }
                throw ex;
            }
            catch (final UncheckedIOException ex)
            {
                throw new InvalidSettingException("nothing was measured: " + ex.getMessage());
            }
        }
    }
}
