package io.clusterecho.client.pingpong;

import static io.clusterecho.text.Lines.line;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;

import io.clusterecho.client.load.ClosedLoop;
import io.clusterecho.client.load.LoopWarmUp;
import io.clusterecho.client.run.DeclaredOption.LoadOption;
import io.clusterecho.client.run.EndRequest;
import io.clusterecho.client.run.RunConfig;
import io.clusterecho.client.run.Target;
import io.clusterecho.client.run.ThreadConfig;
import io.clusterecho.client.transport.Sessions;
import io.clusterecho.reporting.report.DocumentedResult;
import io.clusterecho.reporting.report.DocumentedResult.Ended;
import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.document.Provenance;
import io.clusterecho.reporting.document.StoredVerdict;
import io.clusterecho.reporting.measurement.ClosedLoopResult;
import io.clusterecho.reporting.results.CalibrationNote;
import io.clusterecho.reporting.results.DocumentKind;
import io.clusterecho.reporting.results.Percentile;
import io.clusterecho.reporting.results.Percentiles;
import io.clusterecho.reporting.results.ResultFolder;
import io.clusterecho.reporting.results.RunDescription;
import io.clusterecho.reporting.results.Verdict;
import io.clusterecho.reporting.results.WarmUpEnd;
import io.clusterecho.threads.AgentThreads;

import org.HdrHistogram.Histogram;
import org.agrona.concurrent.IdleStrategy;

/**
 * Measures a closed loop and stores the result. Ctrl-C ends the loop and keeps what was measured. One thread calls {@link
 * #execute()}, once.
 */
public record PingPongExecution(RunConfig config, Plan plan)
{
    private static final long SILENCE_TIMEOUT_NS = 10_000_000_000L;

    /** What is measured. */
    public record Plan(
        @LoadOption(names = "--concurrency", label = "N", byDefault = "1", kind = LoadOption.Kind.COUNT,
            text = "Messages in flight over all sessions. Default: ${DEFAULT-VALUE}.")
        int concurrency,
        @LoadOption(names = "--count", label = "N", byDefault = "1M", kind = LoadOption.Kind.PER_SECOND,
            text = "Round trips to measure, such as 10k or 1M. Default: ${DEFAULT-VALUE}.")
        long count,
        @LoadOption(names = Plan.WARM_UP_COUNT, label = "N", byDefault = "100k", kind = LoadOption.Kind.PER_SECOND,
            text = "Round trips of the warm-up, unless --warm-up auto ends it. Default: ${DEFAULT-VALUE}.")
        long warmUpCount,
        @LoadOption(names = "--time-limit", label = "TIME", byDefault = "10m", kind = LoadOption.Kind.TIME,
            text = "Time limit of the warm-up, and of sending in the measurement; messages in flight by then are still " +
            "awaited. Default: ${DEFAULT-VALUE}.")
        long timeLimitNs)
    {
        public static final String WARM_UP_COUNT = "--warm-up-count";
    }

    /** {@code ping-pong.json} in its folder, and the output of {@code ping-pong --json}. */
    record Document(
        String format, String label, String start, StoredVerdict verdict, boolean good,
        @JsonInclude(JsonInclude.Include.ALWAYS) String failure,
        int concurrency, Integer mostInFlight, WarmUpEnd warmUp, long count, long lost, long damaged,
        long durationNs, double ratePerSecond, RoundTrips roundTripNs, CalibrationNote calibration,
        @JsonUnwrapped Provenance provenance)
    {
    }

    /** Round trips in ns, with a further percentile that public reports use. */
    record RoundTrips(@JsonUnwrapped Percentiles percentiles, long min, @JsonProperty("p99.5") Long p99_5)
    {
        static RoundTrips of(final Histogram times)
        {
            final boolean isEmpty = 0 == times.getTotalCount();
            return new RoundTrips(
                Percentiles.of(times), isEmpty ? 0 : times.getMinValue(),
                Percentile.isStated(99.5, times.getTotalCount()) ? times.getValueAtPercentile(99.5) : null);
        }
    }

    /**
     * Measure, judge and store.
     *
     * @throws io.clusterecho.client.transport.NotConnectedException if no session can be opened; then nothing is stored.
     */
    public Ended execute()
    {
        final int sessionCount = config.load().sessionCount();
        final int lengthBytes = config.load().onlyLengthBytes("a closed loop");
        final Target target = new Target(config);
        target.checkLength();
        final LoopWarmUp warmUp = config.load().warmUp().isAuto() ? LoopWarmUp.of(config.load().warmUp()) : null;
        final Instant start = Instant.now();
        final EndRequest endRequest = EndRequest.onSignals(() -> { });
        final ResultFolder folder;
        final ClosedLoopResult result;
        final String scheduling;
        config.threads().restrictCompilers();
        try (Sessions sessions = endRequest.waitFor(() -> target.open(sessionCount, lengthBytes)))
        {
            folder = ResultFolder.create(config.output(), config.label(), start);
            final long firstClientId = ThreadLocalRandom.current().nextLong(Long.MAX_VALUE - sessionCount);
            final ClosedLoop loop = new ClosedLoop(
                sessions.transports(), lengthBytes, plan.concurrency(), warmUp, plan.warmUpCount(), plan.count(),
                firstClientId, SILENCE_TIMEOUT_NS, plan.timeLimitNs());
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

        final Map<String, String> configuration = new LinkedHashMap<>(config.options());
        // A closed loop has none.
        configuration.put(ThreadConfig.DUTY_CYCLE_INTERVAL.substring(2), "0ns");
        configuration.put("threads", scheduling);
        final RunDescription uncalibrated = new RunDescription(
            config.label(), start, config.commandLine(), configuration, target.settings(), target.durability(),
            target.placementWords(), 0, null == warmUp ? null : warmUp.end(), null, null, target.memberStart());
        final RunDescription description = uncalibrated.with(config.calibrations().note(uncalibrated, false));
        final DocumentedResult stored = new DocumentedResult(
            DocumentKind.PING_PONG, description, description.label(), (problems) -> Verdict.of(result, problems),
            (verdict, path) -> document(description, result, verdict, path),
            Map.of("round-trip.hgrm", result.roundTrips()), body(result, description.warmUp()), false);
        return stored.write(folder, false);
    }

    private Document document(
        final RunDescription description, final ClosedLoopResult result, final Verdict verdict, final String resultFolder)
    {
        return new Document(
            DocumentKind.PING_PONG.format(), description.label(), description.start().toString(), StoredVerdict.of(verdict),
            verdict.isGood(), verdict.isGood() ? null : String.join("; ", verdict.allReasons()), plan.concurrency(),
            result.mostInFlight(), description.warmUp(), result.count(), result.lost(), result.damaged(),
            result.durationNs(), Documents.rounded(result.ratePerSecond(), 1), RoundTrips.of(result.roundTrips()),
            description.calibration(), Provenance.of(description, resultFolder));
    }

    private String body(final ClosedLoopResult result, final WarmUpEnd warmUpEnd)
    {
        final StringBuilder text = new StringBuilder(512);
        line(text, "rate       %,.1f/s with %d in flight", result.ratePerSecond(), plan.concurrency());
        line(text, "messages   %,d round trips, lost %d, corrupt %d", result.count(), result.lost(), result.damaged());
        line(text, "round trip%s", Stream.of(Percentile.values())
            .map((percentile) -> "  " + percentile.label() + " " + percentile.text(result.roundTrips()))
            .collect(Collectors.joining()));
        if (null != warmUpEnd)
        {
            line(text, "%s", warmUpEnd.text());
            Stream.ofNullable(warmUpEnd.warning()).forEach((warning) -> line(text, "  ~ %s", warning));
        }
        return text.toString();
    }
}
