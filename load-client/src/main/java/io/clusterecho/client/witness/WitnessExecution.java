package io.clusterecho.client.witness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;

import io.clusterecho.client.load.LoadExecution;
import io.clusterecho.client.load.LoadPlan;
import io.clusterecho.client.load.LoadResult;
import io.clusterecho.client.run.RunConfig;
import io.clusterecho.client.run.Target;
import io.clusterecho.client.series.Interruption;
import io.clusterecho.client.transport.Sessions;
import io.clusterecho.client.transport.Transport;
import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.results.DocumentKind;
import io.clusterecho.reporting.results.PercentileTable;
import io.clusterecho.reporting.results.ResultDocuments;
import io.clusterecho.reporting.results.ResultFolder;
import io.clusterecho.reporting.results.RunDescription;
import io.clusterecho.reporting.results.Verdict;
import io.clusterecho.schema.codecs.EchoResponseDecoder;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Quantity;

import org.agrona.concurrent.SystemNanoClock;

/**
 * Measures a load to a cluster while tcpdump captures its datagrams, compares the times message by message, and stores the
 * result. Ctrl-C ends the load; what was measured is compared and kept. One thread calls {@link #execute()}, once.
 */
public final class WitnessExecution
{
    private static final String TEXT_FILE = "witness.txt";
    private static final String CAPTURE_FILE = "capture.pcap";
    private static final long INTERVAL_NS = 1_000_000_000L;
    private static final int HEADERS_LENGTH = 64;
    private static final long MAX_MESSAGES = 5_000_000;

    private final RunConfig config;
    private final String interfaceTo;
    private final boolean isCaptureKept;
    private final Path program;
    private final Target target;
    private final int lengthBytes;
    private final LoadPlan plan;
    private final Consumer<String> progress;
    private LoadExecution run;
    private volatile boolean isInterrupted;

    /**
     * Result.
     *
     * @param text    for a person.
     */
    public record Ended(Verdict verdict, String json, String text)
    {
    }

    /**
     * @param interfaceTo   capture, or {@code any}.
     * @param isCaptureKept whether the capture stays in the result folder.
     * @param progress      receives a line before each step.
     * @throws InvalidSettingException if the load cannot be witnessed, or there is no tcpdump.
     */
    public WitnessExecution(
        final RunConfig config,
        final long durationNs,
        final String interfaceTo,
        final boolean isCaptureKept,
        final Consumer<String> progress)
    {
        this.config = config;
        this.interfaceTo = interfaceTo;
        this.isCaptureKept = isCaptureKept;
        this.progress = progress;
        program = Tcpdump.find();
        target = new Target(config);
        target.checkLength();
        config.load().checkFixedWarmUp("witness");
        lengthBytes = config.load().mix().onlyLengthBytes("a comparison with a capture");
        // Checks that it is constant.
        config.load().ratePerSecond();
        plan = config.plan(durationNs);
        if (lengthBytes > target.mtuLength() - HEADERS_LENGTH)
        {
            throw new InvalidSettingException(
                "--size", lengthBytes, "at most " + (target.mtuLength() - HEADERS_LENGTH) +
                " bytes: a longer message is sent as fragments, which are not compared");
        }
        if (config.load().delivery().isExactlyOnce())
        {
            throw new InvalidSettingException(
                "--delivery", "exactly-once", "at-most-once: a message that is sent again has several send times");
        }
        if (plan.measuredCount() < 1 || plan.messageCount() > MAX_MESSAGES)
        {
            throw new InvalidSettingException(
                "--duration", durationNs + "ns", String.format(
                Locale.ROOT, "1 to %,d messages with those of the warm-up; these are %,d", MAX_MESSAGES, plan.messageCount()));
        }
    }

    /**
     * Measure, compare, judge and store.
     *
     * @throws io.clusterecho.client.transport.NotConnectedException if no session can be opened; then nothing is stored.
     * @throws InvalidSettingException if tcpdump cannot capture; then nothing is stored.
     */
    public Ended execute()
    {
        final Instant start = Instant.now();
        final ResultFolder folder = ResultFolder.create(config.output(), config.label(), start);
        final Thread main = Thread.currentThread();
        Interruption.install(() -> onInterrupt(main));
        final Path file = folder.path().resolve(CAPTURE_FILE);
        try
        {
            final Witness witness = witness(start, file);
            if (!isCaptureKept)
            {
                Files.deleteIfExists(file);
            }
            return store(witness, folder);
        }
        catch (final IOException ex)
        {
            deleteQuietly(file);
            folder.discard();
            throw new InvalidSettingException("nothing was witnessed: " + ex.getMessage());
        }
        catch (final RuntimeException ex)
        {
            deleteQuietly(file);
            folder.discard();
            throw ex;
        }
    }

    private Witness witness(final Instant start, final Path file) throws IOException
    {
        final int sessionCount = plan.sessionCount();
        final int messageCount = (int)plan.messageCount();
        final long firstClientId = ThreadLocalRandom.current().nextLong(Long.MAX_VALUE - sessionCount);
        final OwnTimes own = new OwnTimes(SystemNanoClock.INSTANCE, firstClientId, sessionCount, messageCount);
        final Optional<Integer> leaderCore = target.leaderCore();
        final LoadResult result;
        final long droppedCount;
        final WallClock before;
        final WallClock after;
        config.threads().restrictCompilers();
        // First, so that sessions are not idle while it starts.
        try (Tcpdump tcpdump = Tcpdump.start(program, interfaceTo, file))
        {
            progress.accept("measuring while " + program + " captures " + interfaceTo);
            final Sessions sessions = own.over(target.open(plan));
            try (LoadExecution execution = new LoadExecution(
                plan, config.schedule(plan), firstClientId, sessions, own, config.idleStrategy(leaderCore),
                config.threads().agents(leaderCore, false)))
            {
                checkReplies(sessions);
                begin(execution);
                before = WallClock.read();
                result = execution.execute(INTERVAL_NS);
                after = WallClock.read();
            }
            droppedCount = tcpdump.stop().orElse(-1L);
        }

        progress.accept("comparing");
        final WireTimes wire = new WireTimes(firstClientId, sessionCount, messageCount, target.ingressPorts());
        final PacketCapture capture = new PacketCapture(file);
        capture.read(wire);
        final int firstIndex = (int)plan.warmUpCount();
        final Map<String, String> configuration = new LinkedHashMap<>(config.effectiveOptions(leaderCore));
        configuration.put("threads", String.join("; ", result.scheduling()));
        final RunDescription description = config.baselines().calibrated(new RunDescription(
            config.label(), start, config.commandLine(), configuration, target.settings(), target.durability(),
            target.placementWords(), 0));
        return new Witness(
            description, plan.ratePerSecond(), lengthBytes, result.measurement(),
            Testimony.of(own, wire, firstIndex, messageCount), own.isSameAs(result.measurement().serviceTimes(), firstIndex),
            capture, wire, droppedCount, after.driftNs(before), before.errorNs() + after.errorNs(),
            after.monotonicNs() - before.monotonicNs(), result.problems(), isInterrupted);
    }

    /**
     * The plain service sends requests back, which look like those in a log.
     */
    private static void checkReplies(final Sessions sessions)
    {
        if (!Arrays.stream(sessions.transports()).mapToInt(Transport::replyTemplateId)
            .allMatch((templateId) -> EchoResponseDecoder.TEMPLATE_ID == templateId))
        {
            throw new InvalidSettingException("--service", "plain", "echo: replies of the plain service look like requests");
        }
    }

    private static Ended store(final Witness witness, final ResultFolder folder)
    {
        final String path = folder.path().toString();
        final Testimony testimony = witness.testimony();
        final ResultDocuments documents = new ResultDocuments(folder);
        documents.addFile("service-time.hgrm", () -> folder.writePercentiles("service-time.hgrm", testimony.ownTimes()));
        documents.addFile("wire-time.hgrm", () -> folder.writePercentiles("wire-time.hgrm", testimony.wireTimes()));
        documents.addFile("difference.hgrm", () -> folder.writePercentiles("difference.hgrm", testimony.differences()));
        documents.add(
            DocumentKind.WITNESS.fileName(), (verdict) -> Documents.text(WitnessDocument.of(witness, verdict, path)));
        documents.add(TEXT_FILE, (verdict) -> text(witness, verdict, path));
        final Verdict verdict = documents.write(witness::verdict);
        return new Ended(verdict, documents.text(DocumentKind.WITNESS.fileName()), documents.text(TEXT_FILE));
    }

    static String text(final Witness witness, final Verdict verdict, final String place)
    {
        final Testimony testimony = witness.testimony();
        final StringBuilder text = new StringBuilder(1024);
        line(text, "%s  %s", verdict.label(), witness.description().label());
        verdict.allReasons().forEach((reason) -> line(text, "  ! %s", reason));
        verdict.warnings().forEach((warning) -> line(text, "  ~ %s", warning));
        line(text, "");
        text.append(new PercentileTable()
            .row("service time, client", testimony.ownTimes())
            .row("service time, wire", testimony.wireTimes())
            .row("difference by message", testimony.differences()).text());
        line(text, "");
        line(text, "messages   %,d of %,d answered are in the capture, %,d bytes at %,d/s", testimony.matchedCount(),
            testimony.answeredCount(), witness.lengthBytes(), witness.ratePerSecond());
        line(text, "below wire %,d messages, lowest difference %s%s; clocks explain down to -%s", testimony.belowCount(),
            testimony.lowestNs() < 0 ? "-" : "", Quantity.formatNs(Math.abs(testimony.lowestNs())),
            Quantity.formatNs(witness.toleranceNs()));
        line(text, "clocks     the wall clock drifted by %s%s against the client's", witness.driftNs() < 0 ? "-" : "",
            Quantity.formatNs(Math.abs(witness.driftNs())));
        line(text, "capture    %,d packets, dropped by the kernel %s", witness.capture().packetCount(),
            witness.droppedCount() < 0 ? "unknown" : String.format(Locale.ROOT, "%,d", witness.droppedCount()));
        line(text, "results in %s", place);
        return text.toString();
    }

    private synchronized void begin(final LoadExecution execution)
    {
        run = execution;
        if (isInterrupted)
        {
            run.requestEnd();
        }
    }

    private synchronized void onInterrupt(final Thread main)
    {
        isInterrupted = true;
        if (null == run)
        {
            main.interrupt();
        }
        else
        {
            run.requestEnd();
        }
    }

    private static void deleteQuietly(final Path file)
    {
        try
        {
            Files.deleteIfExists(file);
        }
        catch (final IOException ex)
        {
            System.err.println("warning: " + file + " could not be deleted: " + ex);
        }
    }

    private static void line(final StringBuilder text, final String format, final Object... arguments)
    {
        text.append(String.format(Locale.ROOT, format, arguments).stripTrailing()).append('\n');
    }
}
