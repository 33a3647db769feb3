package io.clusterecho.client.pingpong;

import static io.clusterecho.text.Lines.line;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.clusterecho.client.load.ClosedLoop;
import io.clusterecho.client.load.LoopWarmUp;
import io.clusterecho.client.run.EndRequest;
import io.clusterecho.client.run.RunConfig;
import io.clusterecho.client.run.Target;
import io.clusterecho.client.run.ThreadConfig;
import io.clusterecho.client.transport.Sessions;
import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.measurement.ClosedLoopResult;
import io.clusterecho.reporting.results.DocumentKind;
import io.clusterecho.reporting.results.Percentile;
import io.clusterecho.reporting.results.ResultDocuments;
import io.clusterecho.reporting.results.ResultFolder;
import io.clusterecho.reporting.results.RunDescription;
import io.clusterecho.reporting.results.Verdict;
import io.clusterecho.threads.AgentThreads;

import org.agrona.concurrent.IdleStrategy;

/**
 * Measures a closed loop and stores the result. Ctrl-C ends the loop and keeps what was measured. One thread calls {@link
 * #execute()}, once.
 *
 * @param concurrency messages in flight at once over all sessions.
 * @param warmUpCount round trips before the measured ones, unless the warm-up of the load ends by itself.
 * @param timeLimitNs time limit of such a warm-up, and of the measured part.
 */
public record PingPongExecution(RunConfig config, int concurrency, long warmUpCount, long count, long timeLimitNs)
{
    private static final long SILENCE_TIMEOUT_NS = 10_000_000_000L;

    /** Result of a loop, with its text for a person. */
    public record Ended(Verdict verdict, String json, String text)
    {
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
        final LoopWarmUp warmUp = config.load().warmUp().isAuto() ? LoopWarmUp.of(config.load().warmUp()) : null;
        final Instant start = Instant.now();
        final EndRequest endRequest = EndRequest.onSignals();
        final ResultFolder folder;
        final ClosedLoopResult result;
        final String scheduling;
        config.threads().restrictCompilers();
        try (Sessions sessions = endRequest.waitFor(() -> target.open(sessionCount, lengthBytes)))
        {
            folder = ResultFolder.create(config.output(), config.label(), start);
            final long firstClientId = ThreadLocalRandom.current().nextLong(Long.MAX_VALUE - sessionCount);
            final ClosedLoop loop = new ClosedLoop(
                sessions.transports(), lengthBytes, concurrency, warmUpCount, count,
                firstClientId, SILENCE_TIMEOUT_NS, timeLimitNs);
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
        final RunDescription uncalibrated = new RunDescription(
            config.label(), start, config.commandLine(), configuration, target.settings(), target.durability(),
            target.placementWords(), 0, null == warmUp ? null : warmUp.end(), null, null, target.memberStart());
        final RunDescription description = uncalibrated.with(config.calibrations().note(uncalibrated, List.of()));
        documents.add(DocumentKind.PING_PONG.fileName(), (verdict) -> Documents.text(PingPongDocument.of(
            description, concurrency, result, verdict, path)));
        final Verdict verdict = documents.write((problems) -> Verdict.of(result, problems));
        return new Ended(
            verdict, documents.text(DocumentKind.PING_PONG.fileName()), text(result, verdict, description, path));
    }

    private String text(
        final ClosedLoopResult result, final Verdict verdict, final RunDescription description, final String path)
    {
        final StringBuilder text = new StringBuilder(512);
        line(text, "%s  %s", verdict.label(), config.label());
        verdict.allReasons().forEach((reason) -> line(text, "  ! %s", reason));
        verdict.warnings().forEach((warning) -> line(text, "  ~ %s", warning));
        line(text, "");
        line(text, "rate       %,.1f/s with %d in flight", result.ratePerSecond(), concurrency);
        line(text, "messages   %,d round trips, lost %d, corrupt %d", result.count(), result.lost(), result.damaged());
        line(text, "round trip%s", Stream.of(Percentile.values())
            .map((percentile) -> "  " + percentile.label() + " " + percentile.text(result.roundTrips()))
            .collect(Collectors.joining()));
        if (null != description.warmUp())
        {
            line(text, "%s", description.warmUp().text());
            Stream.ofNullable(description.warmUp().warning()).forEach((warning) -> line(text, "  ~ %s", warning));
        }
        line(text, "calibrated %s", description.calibration().text());
        line(text, "results in %s", path);
        return text.toString();
    }
}
