package io.clusterecho.client.command;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;

import io.clusterecho.client.counters.CounterFiles;
import io.clusterecho.client.load.LoadAgent;
import io.clusterecho.client.load.IntervalListener;
import io.clusterecho.client.load.LoadMeasurement;
import io.clusterecho.client.load.LoadPlan;
import io.clusterecho.client.load.LoadRun;
import io.clusterecho.client.results.IntervalFiles;
import io.clusterecho.client.results.LiveView;
import io.clusterecho.client.results.ResultFolder;
import io.clusterecho.client.results.RunDescription;
import io.clusterecho.client.results.Verdict;
import io.clusterecho.client.transport.NotConnectedException;
import io.clusterecho.client.transport.Transport;

import io.clusterecho.settings.InvalidSettingException;

import org.agrona.concurrent.SystemNanoClock;

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
    private static final long CEILING_MEASURE_NS = 300_000_000L;

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

    private LoadRun run;

    RunCommand()
    {
    }

    @Override
    public Integer call()
    {
        options.check(durationNs);
        if (options.count(durationNs) < 1)
        {
            throw new InvalidSettingException(
                "--duration", durationNs + "ns",
                "long enough for at least one message at --rate " + options.ratePerSecond);
        }
        final Target target = new Target(options);
        options.checkLength(target.maxLengthBytes());
        final LoadPlan plan = options.plan(durationNs);
        final Instant start = Instant.now();
        final ResultFolder folder = ResultFolder.create(options.output, options.label, start);
        final Thread main = Thread.currentThread();
        final Interruption interruption = Interruption.install(() -> onInterrupt(main));

        final LoadMeasurement measurement;
        try (
            Transports transports = target.open(plan);
            IntervalFiles files = new IntervalFiles(folder, start.toEpochMilli());
            CounterFiles counters = new CounterFiles(folder, target.members()))
        {
            final long firstClientId = ThreadLocalRandom.current().nextLong(Long.MAX_VALUE - plan.sessionCount());
            final LoadAgent agent = new LoadAgent(
                plan, options.schedule(plan), transports.sessions().toArray(new Transport[0]), firstClientId,
                SystemNanoClock.INSTANCE, null);
            final List<IntervalListener> listeners = new ArrayList<>();
            listeners.add(files);
            listeners.add(counters);
            if (!isQuiet)
            {
                listeners.add(new LiveView(System.err, Terminal.isRedrawable()));
            }
            final LoadRun newRun = new LoadRun(plan, agent, options.idleStrategy(), listeners);
            begin(newRun, interruption);
            measurement = newRun.execute(options.intervalNs);
        }
        catch (final NotConnectedException ex)
        {
            deleteEmpty(folder);
            if (interruption.isRequested())
            {
                System.err.println("interrupted before a session was open; nothing was measured");
                return ExitCode.INTERRUPTED;
            }
            throw ex;
        }

        final RunDescription description = new RunDescription(
            options.label,
            start,
            StoredRun.commandLine(spec),
            options.effective(spec),
            target.settings(),
            target.durability(),
            Ceiling.messagesPerSecond((int)options.lengthBytes, CEILING_MEASURE_NS));
        final Verdict verdict = Verdict.of(
            measurement, plan.ratePerSecond(), options.thresholds, interruption.isRequested());
        final StoredRun stored = StoredRun.write(folder, description, plan, measurement, verdict);
        System.out.print(isJson ? stored.json() : stored.text());
        System.out.flush();
        return exitCode(verdict);
    }

    private synchronized void begin(final LoadRun newRun, final Interruption interruption)
    {
        run = newRun;
        Thread.interrupted();
        if (interruption.isRequested())
        {
            run.requestEnd();
        }
    }

    private synchronized void onInterrupt(final Thread main)
    {
        if (null == run)
        {
            main.interrupt();
        }
        else
        {
            run.requestEnd();
        }
    }

    private static int exitCode(final Verdict verdict)
    {
        if (verdict.isPartial())
        {
            return ExitCode.INTERRUPTED;
        }
        if (!verdict.reasons().isEmpty())
        {
            return ExitCode.RUN_FAILED;
        }

        return verdict.violations().isEmpty() ? ExitCode.GOOD : ExitCode.THRESHOLD_FAILED;
    }

    private static void deleteEmpty(final ResultFolder folder)
    {
        try (var files = Files.list(folder.path()))
        {
            for (final Path file : files.toList())
            {
                Files.delete(file);
            }
            Files.delete(folder.path());
        }
        catch (final java.io.IOException ex)
        {
            System.err.println("cannot remove the empty result folder " + folder.path() + ": " + ex);
        }
    }
}
