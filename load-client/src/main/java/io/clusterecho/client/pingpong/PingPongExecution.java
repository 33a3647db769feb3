package io.clusterecho.client.pingpong;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

import io.clusterecho.client.load.ClosedLoop;
import io.clusterecho.client.load.LoopWarmUp;
import io.clusterecho.client.load.ThinkTime;
import io.clusterecho.client.run.RunConfig;
import io.clusterecho.client.run.Target;
import io.clusterecho.client.run.ThreadConfig;
import io.clusterecho.client.series.EndRequest;
import io.clusterecho.client.transport.Sessions;
import io.clusterecho.platform.BuildFacts;
import io.clusterecho.platform.ClientJvm;
import io.clusterecho.platform.MachineFacts;
import io.clusterecho.reporting.document.Circumstances;
import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.measurement.ClosedLoopResult;
import io.clusterecho.reporting.results.CalibrationNote;
import io.clusterecho.reporting.results.DocumentKind;
import io.clusterecho.reporting.results.Percentile;
import io.clusterecho.reporting.results.ResultDocuments;
import io.clusterecho.reporting.results.ResultFolder;
import io.clusterecho.reporting.results.RunDescription;
import io.clusterecho.reporting.results.Verdict;
import io.clusterecho.reporting.results.WindowEnds;
import io.clusterecho.threads.AgentThreads;

import org.agrona.concurrent.IdleStrategy;

/**
 * Measures a closed loop and stores the result. Ctrl-C ends the loop and keeps what was measured. One thread calls {@link
 * #execute()}, once.
 */
public final class PingPongExecution
{
    private static final long SILENCE_TIMEOUT_NS = 10_000_000_000L;

    private final RunConfig config;
    private final int concurrency;
    private final long warmUpCount;
    private final long count;
    private final long timeLimitNs;
    private final ThinkTime thinkTime;
    /** Null for a number of round trips. */
    private final LoopWarmUp warmUp;

    /** Result of a loop, with its text for a person. */
    public record Ended(Verdict verdict, String json, String text)
    {
    }

    /**
     * @param config      of the target and of the messages.
     * @param concurrency messages in flight at once over all sessions.
     * @param warmUpCount round trips before the measured ones, unless the warm-up of the load ends by itself.
     * @param timeLimitNs time limit of such a warm-up, and of the measured part.
     * @param thinkTime   between a reply and the next message.
     */
    public PingPongExecution(
        final RunConfig config,
        final int concurrency,
        final long warmUpCount,
        final long count,
        final long timeLimitNs,
        final ThinkTime thinkTime)
    {
        this.thinkTime = thinkTime;
        this.config = config;
        this.concurrency = concurrency;
        this.warmUpCount = warmUpCount;
        this.count = count;
        this.timeLimitNs = timeLimitNs;
        warmUp = config.load().ends().isWarmUpAuto() ?
            LoopWarmUp.between(config.load().ends().shortestWarmUpNs(), config.load().warmUpNs()) : null;
    }

    /**
     * Measure, judge and store.
     *
     * @throws io.clusterecho.client.transport.NotConnectedException if no session can be opened; then nothing is stored.
     */
    public Ended execute()
    {
        final int sessionCount = config.load().sessionCount();
        final int lengthBytes = config.load().mix().onlyLengthBytes("a closed loop");
        final Target target = new Target(config);
        target.checkLength();
        final Instant start = Instant.now();
        final ResultFolder folder = ResultFolder.create(config.output(), config.label(), start);
        final EndRequest endRequest = EndRequest.onSignals();
        final ClosedLoopResult result;
        final String scheduling;
        config.threads().restrictCompilers();
        try (Sessions sessions = open(endRequest, target, sessionCount, lengthBytes, folder))
        {
            final long firstClientId = ThreadLocalRandom.current().nextLong(Long.MAX_VALUE - sessionCount);
            final ClosedLoop loop = new ClosedLoop(
                sessions.transports(), lengthBytes, concurrency, warmUpCount, count,
                firstClientId, SILENCE_TIMEOUT_NS, timeLimitNs).thinkTime(thinkTime);
            if (null != warmUp)
            {
                loop.warmUp(warmUp);
            }
            endRequest.ends(loop::requestEnd);
            final IdleStrategy idleStrategy = config.threads().idle().strategy();
            final AgentThreads threads = config.threads().agents(target.leaderCore(), false);
            // The garbage of the start would be collected during the measurement.
            System.gc();
            threads.enter(0);
            result = loop.run(idleStrategy);
            threads.release();
            scheduling = threads.outcome();
        }

        final String path = folder.path().toString();
        final ResultDocuments documents = new ResultDocuments(folder);
        documents.addFile("round-trip.hgrm", () -> folder.writePercentiles("round-trip.hgrm", result.roundTrips()));
        final Map<String, String> configuration = new LinkedHashMap<>(config.options());
        // A closed loop has none.
        configuration.put(ThreadConfig.DUTY_CYCLE_INTERVAL.substring(2), "0ns");
        configuration.put("threads", scheduling);
        final Circumstances circumstances = new Circumstances(
            target.durability(), target.placementWords(), path, config.commandLine(), configuration, target.settings(),
            target.memberStart(), BuildFacts.versions(), MachineFacts.machine(), ClientJvm.facts());
        final CalibrationNote calibration = config.baselines().calibrated(new RunDescription(
            config.label(), start, config.commandLine(), configuration, target.settings(), target.durability(),
            target.placementWords(), 0)).calibration();
        documents.add(DocumentKind.PING_PONG.fileName(), (verdict) -> Documents.text(PingPongDocument.of(
            config.label(), start.toString(), concurrency, thinkTimeText(), null == warmUp ? null : warmUp.end(), result,
            verdict, calibration, circumstances)));
        final Verdict verdict = documents.write((problems) -> Verdict.of(result, problems));
        return new Ended(verdict, documents.text(DocumentKind.PING_PONG.fileName()), text(result, verdict, calibration, path));
    }

    private static Sessions open(
        final EndRequest endRequest,
        final Target target,
        final int sessionCount,
        final int lengthBytes,
        final ResultFolder folder)
    {
        try
        {
            return endRequest.waitFor(() -> target.open(sessionCount, lengthBytes));
        }
        catch (final RuntimeException ex)
        {
            folder.discard();
            throw ex;
        }
    }

    private String thinkTimeText()
    {
        return ThinkTime.NONE == thinkTime ? null : thinkTime.text();
    }

    private String text(
        final ClosedLoopResult result, final Verdict verdict, final CalibrationNote calibration, final String path)
    {
        final StringBuilder text = new StringBuilder(512);
        text.append(verdict.label()).append("  ").append(config.label()).append('\n');
        verdict.allReasons().forEach((reason) -> text.append("  ! ").append(reason).append('\n'));
        verdict.warnings().forEach((warning) -> text.append("  ~ ").append(warning).append('\n'));
        text.append(String.format(
            Locale.ROOT, "%nrate       %,.1f/s with %d %s%nmessages   %,d round trips, lost %d, corrupt %d%nround trip",
            result.ratePerSecond(), concurrency,
            null == thinkTimeText() ? "in flight" : "users in a closed loop, think time " + thinkTimeText(), result.count(),
            result.lost(), result.damaged()));
        for (final Percentile percentile : Percentile.values())
        {
            text.append("  ").append(percentile.label()).append(' ')
                .append(percentile.text(result.roundTrips()));
        }
        if (null != warmUp)
        {
            final WindowEnds ends = new WindowEnds(warmUp.end(), null);
            ends.lines().forEach((line) -> text.append('\n').append(line));
            ends.warnings().forEach((warning) -> text.append("\n  ~ ").append(warning));
        }
        if (null != calibration)
        {
            text.append("\ncalibrated ").append(calibration.text());
        }
        return text.append("\nresults in ").append(path).append('\n').toString();
    }
}
