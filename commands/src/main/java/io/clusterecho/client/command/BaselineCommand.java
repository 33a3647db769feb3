package io.clusterecho.client.command;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

import io.clusterecho.client.baseline.Baseline;
import io.clusterecho.client.baseline.BaselineJson;
import io.clusterecho.client.baseline.BaselineText;
import io.clusterecho.client.baseline.CopySpeed;
import io.clusterecho.client.baseline.SleepTimes;
import io.clusterecho.client.baseline.UdpRoundTrip;
import io.clusterecho.client.load.Delivery;
import io.clusterecho.client.load.Idle;
import io.clusterecho.client.load.LoadPlan;
import io.clusterecho.client.load.LoadExecution;
import io.clusterecho.client.report.ReportPage;
import io.clusterecho.client.results.ResultDocuments;
import io.clusterecho.client.results.ResultFolder;
import io.clusterecho.client.results.RunDescription;
import io.clusterecho.client.results.DocumentKind;
import io.clusterecho.client.results.Verdict;
import io.clusterecho.client.run.Target;
import io.clusterecho.client.series.Interruption;
import io.clusterecho.client.transport.NotConnectedException;
import io.clusterecho.client.transport.udp.UdpTransport;
import io.clusterecho.host.DiskPlace;
import io.clusterecho.host.SyncTimes;
import io.clusterecho.schema.EchoMessage;
import io.clusterecho.settings.InvalidSettingException;

import org.HdrHistogram.Histogram;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * What this machine does without a cluster.
 */
@Command(
    name = "baseline",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    usageHelpAutoWidth = true,
    header = "Measures what this machine does without a cluster, and the floor of a round trip that follows from it.",
    description = {
        "",
        "Datagrams between this process and another one, at a fixed rate and with the accounts of any run: with threads that " +
        "spin, and with the idle strategy that a run here has. Syncs of the disk that holds the members' logs, sleeps, and " +
        "copies of memory. Later runs print how many times the floor their median is. Needs no root.",
        "" },
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
        " 0:good", " 1:internal error", " 2:usage", " 3:the process that echoes cannot be started",
        " 4:datagrams lost or damaged, the rate missed, a part not measured, or a result that is not whole",
        "130:interrupted" })
public final class BaselineCommand implements Callable<Integer>
{
    private static final long NS_PER_SECOND = 1_000_000_000L;
    private static final long DRAIN_TIMEOUT_NS = NS_PER_SECOND;
    private static final long LATE_AFTER_NS = 10 * NS_PER_SECOND;
    private static final long MAX_MESSAGES = 200_000_000L;
    private static final int NEWEST_COUNT_MAX = 1 << 22;
    private static final String TEXT_FILE = "baseline.txt";

    @Spec
    private CommandSpec spec;

    @Option(names = "--size", paramLabel = "BYTES", defaultValue = "288", converter = Converters.Size.class,
        description = "Length of a message, 32 to 65507. Default: ${DEFAULT-VALUE}.")
    private long lengthBytes;

    @Option(names = "--rate", paramLabel = "N", defaultValue = "10k", converter = Converters.Rate.class,
        description = "Datagrams per second, as 100k or 1M. Default: ${DEFAULT-VALUE}.")
    private long ratePerSecond;

    @Option(names = "--idle", paramLabel = "STRATEGY", defaultValue = "auto",
        description = "What both threads do while there is nothing to do, measured beside spinning: " +
        "${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}, which is what a run takes.")
    private Idle idle;

    @Option(names = { "--dir", "--cluster-dir" }, paramLabel = "DIR", defaultValue = "cluster-data",
        description = "Folder of the members' logs, whose disk is measured; of one that is not there yet, the nearest above " +
        "it. Default: ${DEFAULT-VALUE}.")
    private Path dir;

    @Option(names = "--duration", paramLabel = "TIME", defaultValue = "20s", converter = Converters.Duration.class,
        description = "Length of all parts together, at least 1s: 30%% for datagrams with each idle strategy, a quarter of it " +
        "warm-up, 10%% for syncs of each kind, 10%% for sleeps, 10%% for copies. Default: ${DEFAULT-VALUE}.")
    private long durationNs;

    @Option(names = "--label", paramLabel = "TEXT", defaultValue = "baseline", converter = Converters.Label.class,
        description = "Name of the baseline in its folder and report. Default: ${DEFAULT-VALUE}.")
    private String label;

    @Option(names = "--output", paramLabel = "DIR", defaultValue = "results",
        description = "Folder below which the result folder is made. Default: ${DEFAULT-VALUE}.")
    private Path output;

    @Option(names = "--json", description = "Print the result as one JSON document.")
    private boolean isJson;

    @Option(names = "--quiet", description = "No progress on stderr.")
    private boolean isQuiet;

    private final List<String> failures = new ArrayList<>();
    private Interruption interruption;
    private LoadExecution run;

    BaselineCommand()
    {
    }

    @Override
    public Integer call()
    {
        check();
        final DiskPlace place = DiskPlace.of("--dir", dir);
        final Instant start = Instant.now();
        final ResultFolder folder = ResultFolder.create(output, label, start);
        interruption = Interruption.install(this::onInterrupt);

        final List<UdpRoundTrip> roundTrips = new ArrayList<>();
        try
        {
            measureRoundTrips(roundTrips, Idle.spin);
        }
        catch (final NotConnectedException ex)
        {
            folder.discard();
            throw ex;
        }
        if (!Idle.spin.strategyName().equals(idle.strategyName()))
        {
            attempt("UDP, " + idle.strategyName(), () ->
            {
                measureRoundTrips(roundTrips, idle);
                return null;
            });
        }
        final SyncTimes sync = attempt("syncs", () -> part(
            "syncs in " + place.folder(), () -> SyncTimes.measure(place, durationNs / 10, interruption::isRequested)));
        final SleepTimes timer = part("sleeps", () -> SleepTimes.measure(durationNs / 20, interruption::isRequested));
        final CopySpeed copy = part(
            "copies of memory", () -> CopySpeed.measure((int)lengthBytes, durationNs / 20, interruption::isRequested));

        final Baseline baseline = new Baseline(
            new RunDescription(
                label, start, TypedCommand.of(spec), configuration(), Map.of(),
                "none: a datagram that came back is kept nowhere", Target.NO_PLACEMENT, 0),
            (int)lengthBytes, ratePerSecond, roundTrips, sync, timer, copy, failures, interruption.isRequested());
        final ResultDocuments documents = documents(folder, baseline);
        final Verdict verdict = documents.write(baseline::verdict);
        System.out.print(documents.text(isJson ? DocumentKind.BASELINE.fileName() : TEXT_FILE));
        System.out.flush();
        return verdict.exitStatus();
    }

    private void check()
    {
        if (lengthBytes < EchoMessage.MIN_LENGTH || lengthBytes > UdpTransport.MAX_LENGTH)
        {
            throw new InvalidSettingException(
                "--size", lengthBytes, EchoMessage.MIN_LENGTH + " to " + UdpTransport.MAX_LENGTH + " bytes");
        }
        if (durationNs < NS_PER_SECOND)
        {
            throw new InvalidSettingException("--duration", durationNs + "ns", "at least 1s");
        }
        if (durationNs / 1e9 * ratePerSecond > MAX_MESSAGES)
        {
            throw new InvalidSettingException(
                "--duration", durationNs + "ns", "at most " + MAX_MESSAGES / ratePerSecond + "s at --rate " + ratePerSecond);
        }
        if (ratePerSecond < 10)
        {
            throw new InvalidSettingException("--rate", ratePerSecond, "at least 10");
        }
    }

    private void measureRoundTrips(final List<UdpRoundTrip> roundTrips, final Idle waiting)
    {
        final long count = Math.round(durationNs * 0.3 / 1e9 * ratePerSecond);
        final LoadPlan plan = new LoadPlan(
            ratePerSecond, (int)lengthBytes, count / 4, count - count / 4, 1, DRAIN_TIMEOUT_NS, LATE_AFTER_NS,
            (int)Math.max(1024, Math.min(NEWEST_COUNT_MAX, count)), Delivery.AT_MOST_ONCE);
        final UdpRoundTrip roundTrip = part(
            "UDP round trips, " + waiting.strategyName(), () -> UdpRoundTrip.measure(plan, waiting, this::begin));
        begin(null);
        if (null != roundTrip && roundTrip.measurement().outcome().scheduled() > 0)
        {
            roundTrips.add(roundTrip);
        }
    }

    /**
     * One part, or null when it was to be left out because of an interruption.
     */
    private <T> T part(final String name, final Supplier<T> measure)
    {
        if (interruption.isRequested())
        {
            return null;
        }
        if (!isQuiet)
        {
            System.err.println("measuring " + name);
        }
        return measure.get();
    }

    /**
     * A part without which the others are worth no less, or null when it failed.
     */
    private <T> T attempt(final String name, final Supplier<T> measure)
    {
        try
        {
            return measure.get();
        }
        catch (final NotConnectedException | InvalidSettingException ex)
        {
            failures.add(name + " could not be measured: " + ex.getMessage());
            return null;
        }
    }

    /**
     * What the folder of a baseline is to hold.
     */
    static ResultDocuments documents(final ResultFolder folder, final Baseline baseline)
    {
        final String path = folder.path().toString();
        final ResultDocuments documents = new ResultDocuments(folder);
        for (final UdpRoundTrip one : baseline.roundTrips())
        {
            addTimes(documents, folder, "udp-" + one.idle() + "-response-time.hgrm", one.measurement().responseTimes());
            addTimes(documents, folder, "udp-" + one.idle() + "-service-time.hgrm", one.measurement().serviceTimes());
        }
        if (null != baseline.sync())
        {
            addTimes(documents, folder, "sync-data.hgrm", baseline.sync().data());
            addTimes(documents, folder, "sync-all.hgrm", baseline.sync().all());
        }
        if (null != baseline.timer())
        {
            addTimes(documents, folder, "sleep-overshoot.hgrm", baseline.timer().overshoot());
            addTimes(documents, folder, "shortest-sleep.hgrm", baseline.timer().shortest());
        }
        documents.add(DocumentKind.BASELINE.fileName(), (verdict) -> BaselineJson.json(baseline, verdict, path));
        documents.add(TEXT_FILE, (verdict) ->
            BaselineText.text(baseline, verdict, path + ", with charts in " + ReportPage.FILE_NAME));
        documents.addPage(
            ReportPage.FILE_NAME,
            () -> ReportPage.write(folder.path().resolve(ReportPage.FILE_NAME), List.of(folder.path())));
        return documents;
    }

    private static void addTimes(
        final ResultDocuments documents, final ResultFolder folder, final String name, final Histogram times)
    {
        documents.addFile(name, () -> folder.writePercentiles(name, times));
    }

    private Map<String, String> configuration()
    {
        final Map<String, String> values = new TreeMap<>();
        values.put("size", String.valueOf(lengthBytes));
        values.put("rate", String.valueOf(ratePerSecond));
        values.put("idle", idle.strategyName());
        values.put("dir", dir.toString());
        values.put("duration", durationNs + "ns");
        values.put("output", output.toString());
        return values;
    }

    private synchronized void begin(final LoadExecution newRun)
    {
        run = newRun;
        if (null != run && interruption.isRequested())
        {
            run.requestEnd();
        }
    }

    private synchronized void onInterrupt()
    {
        if (null != run)
        {
            run.requestEnd();
        }
    }
}
