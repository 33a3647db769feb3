package io.clusterecho.commands;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

import io.clusterecho.client.run.RunConfig;
import io.clusterecho.client.run.Target;
import io.clusterecho.client.series.MeasuredRun;
import io.clusterecho.client.series.RunSeries;
import io.clusterecho.client.transport.NotConnectedException;
import io.clusterecho.reporting.measurement.IntervalListener;
import io.clusterecho.reporting.report.LiveRun;
import io.clusterecho.reporting.report.LiveServer;
import io.clusterecho.reporting.results.ExitCode;
import io.clusterecho.reporting.results.LiveView;
import io.clusterecho.reporting.results.ResultFolder;
import io.clusterecho.reporting.results.Terminal;

import io.clusterecho.settings.InvalidSettingException;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * One measured run.
 */
@Command(
    name = "load-client",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    usageHelpAutoWidth = true,
    header = "Offers messages to an echo at a fixed rate, open loop, and accounts for every one.",
    description = {
        "",
        "Each message is due at a time that follows from its number alone. Response time is counted from that time, so that " +
        "a stall is charged to every message that had to wait for it. Results go to stdout and to a folder, progress to " +
        "stderr.",
        "" },
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
        " 0:good", " 1:internal error", " 2:usage", " 3:not connected",
        " 4:rate missed, or messages lost, duplicated or damaged", "99:a condition of --assert failed", "130:interrupted" })
public final class RunCommand implements Callable<Integer>
{
    @Spec
    private CommandSpec spec;

    @Mixin
    private LoadOptions options;

    @Option(names = "--duration", paramLabel = "TIME", defaultValue = "20s", converter = Converters.Duration.class,
        description = "Length of the measured window, as 30s or 5m. Default: ${DEFAULT-VALUE}.")
    private long durationNs;

    @Option(names = "--config", paramLabel = "FILE",
        description = "Property file with option names without dashes as keys, taken as defaults; may be given again.")
    private List<Path> configFiles = List.of();

    @Option(names = "--json", description = "Print the result as one JSON document.")
    private boolean isJson;

    @Option(names = "--quiet", description = "No progress on stderr.")
    private boolean isQuiet;

    @Mixin
    private LiveOptions live;

    RunCommand()
    {
    }

    @Override
    public Integer call()
    {
        final RunConfig config = options.config(spec);
        config.load().checkMemory(durationNs);
        if (config.load().count(durationNs) < 1)
        {
            throw new InvalidSettingException(
                "--duration", durationNs + "ns",
                "long enough for at least one message at --rate " + config.load().ratePerSecond());
        }
        new Target(config).checkLength();
        // Before anything is made: a port that is taken leaves nothing behind.
        try (LiveServer server = live.serve())
        {
            return run(config, server);
        }
    }

    private int run(final RunConfig config, final LiveServer server)
    {
        final Instant start = Instant.now();
        final ResultFolder folder = ResultFolder.create(config.output(), config.label(), start);
        try (RunSeries series = RunSeries.begin())
        {
            final List<IntervalListener> watchers = new ArrayList<>();
            if (null != server)
            {
                watchers.add(server.show(new LiveRun(
                    config.label(), folder.path(), config.commandLine(), new Target(config).durability())));
            }
            if (!isQuiet)
            {
                watchers.add(new LiveView(System.err, Terminal.isRedrawable()));
            }
            try
            {
                final MeasuredRun run = series.measure(config, durationNs, folder, start, true, watchers);
                System.out.print(isJson ? run.stored().json() : run.stored().text());
                System.out.flush();
                return run.verdict().exitStatus();
            }
            catch (final NotConnectedException ex)
            {
                if (series.isInterrupted())
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
