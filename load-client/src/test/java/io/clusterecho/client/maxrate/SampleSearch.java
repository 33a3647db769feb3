package io.clusterecho.client.maxrate;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.document.RunDocument;
import io.clusterecho.reporting.results.DocumentKind;
import io.clusterecho.reporting.results.RunDescription;
import io.clusterecho.reporting.results.Threshold;

/**
 * A search of a simulated system with known numbers: response times grow with the rate, those of a failed run are 100 times as
 * long, and a given share of each is send delay.
 */
public final class SampleSearch
{
    static final SearchPlan PLAN = new SearchPlan(10_000, 100, 10_000_000, 0.05, 0.75);

    private static final long NS_PER_US = 1_000;
    private static final long BROKEN_FACTOR = 100;

    private final List<Step> steps = new ArrayList<>();
    private final List<Threshold> conditions = Threshold.parse("p99<10ms,lost==0");
    private final double sendDelayShare;
    private final long backPressured;
    private final long ceiling;

    /**
     * @param sendDelayShare share of the response time.
     * @param backPressured  offers in each run that met back pressure.
     * @param ceiling        client ceiling.
     */
    public SampleSearch(final double sendDelayShare, final long backPressured, final long ceiling)
    {
        this.sendDelayShare = sendDelayShare;
        this.backPressured = backPressured;
        this.ceiling = ceiling;
    }

    /**
     * @param knee     of the system.
     * @param runLimit number of runs after which the search ends.
     */
    public MaxRate found(final double knee, final int runLimit)
    {
        final SimulatedSystem system = new SimulatedSystem(knee);
        return found(PLAN, (rate, purpose) ->
            steps.size() == runLimit ? RateSearch.Outcome.ENDED : system.measure(rate, purpose));
    }

    /**
     * @param plan  of the search.
     * @param probe outcome of each rate.
     */
    MaxRate found(final SearchPlan plan, final RateSearch.Probe probe)
    {
        final SearchAnswer answer = RateSearch.execute(
            plan,
            (rate, purpose) ->
            {
                final RateSearch.Outcome outcome = probe.measure(rate, purpose);
                if (RateSearch.Outcome.ENDED != outcome)
                {
                    steps.add(step(rate, purpose, RateSearch.Outcome.PASSED == outcome));
                }
                return outcome;
            });
        return new MaxRate(
            new RunDescription("sample <b>", Instant.parse("2026-11-21T09:13:36Z"), "java -jar load-client.jar max-rate",
            Map.of("slo", "p99<10ms"), Map.of("echo.fsync", "0"), "fsync 0: page caches", "none emulated", 0),
            plan, conditions, steps, answer, "");
    }

    /**
     * Write the folder of a search.
     *
     * @param folder to create.
     * @param knee   of the system.
     * @throws IOException if it cannot be written.
     */
    public Path write(final Path folder, final double knee) throws IOException
    {
        Files.createDirectories(folder);
        final MaxRate found = found(knee, Integer.MAX_VALUE);
        Files.writeString(
            folder.resolve(DocumentKind.MAX_RATE.fileName()),
            Documents.text(found.document(found.verdict(List.of()), folder.toString())));
        return folder;
    }

    private Step step(final long rate, final RateSearch.Purpose purpose, final boolean isPassed)
    {
        final ObjectNode manifest = new ObjectMapper().createObjectNode();
        final ObjectNode verdict = manifest.putObject("verdict");
        verdict.put("good", isPassed).put("label", isPassed ? "GOOD" : "FAILED");
        final ArrayNode reasons = verdict.putArray("reasons");
        if (!isPassed)
        {
            reasons.add("threshold failed: p99<10ms");
        }
        manifest.put("ratePerSecondAsked", rate).put("ratePerSecondAchieved", rate * 0.999);
        manifest.put("scheduled", 10 * rate).put("answered", 0).put("late", 0).put("unanswered", 0);
        manifest.put("neverSent", isPassed ? 0 : 7).put("backPressured", backPressured);
        manifest.put("clientCeilingPerSecond", ceiling);
        final long timeNs = (isPassed ? 1 : BROKEN_FACTOR) * (rate / 100 * NS_PER_US + steps.size());
        putTimes(manifest.putObject("responseTimeNs"), timeNs);
        putTimes(manifest.putObject("serviceTimeNs"), (long)(timeNs * (1 - sendDelayShare)));
        putTimes(manifest.putObject("sendDelayNs"), (long)(timeNs * sendDelayShare));
        return new Step(
            steps.size() + 1, purpose, isPassed, List.of(5.0 * timeNs, 0.0),
            Documents.bind(manifest, RunDocument.class), "steps/" + (steps.size() + 1));
    }

    private static void putTimes(final ObjectNode times, final long timeNs)
    {
        times.put("p50", timeNs).put("p90", 2 * timeNs).put("p99", 5 * timeNs).put("p99.9", 9 * timeNs)
            .put("p99.99", 12 * timeNs).put("max", 20 * timeNs).put("mean", 1.5 * timeNs).put("count", 500_000);
    }
}
