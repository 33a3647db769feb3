package io.clusterecho.client.maxrate;

import java.util.List;
import java.util.Locale;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.client.results.Manifest;
import io.clusterecho.client.results.DocumentKind;
import io.clusterecho.client.results.Threshold;
import io.clusterecho.client.results.Verdict;

/**
 * A search as JSON: {@code max-rate.json} of its folder, and what {@code max-rate --json} prints; and its runs as CSV.
 */
public final class MaxRateJson
{
    private static final List<String> TIMES = List.of("responseTimeNs", "serviceTimeNs", "sendDelayNs");
    private static final List<String> COUNTS =
        List.of("scheduled", "answered", "late", "unanswered", "neverSent", "backPressured", "clientCeilingPerSecond");

    private MaxRateJson()
    {
    }

    /**
     * Put a search into JSON.
     *
     * @param search       to put.
     * @param verdict      on it.
     * @param resultFolder where it is kept.
     * @return the document, indented.
     */
    public static String json(final MaxRate search, final Verdict verdict, final String resultFolder)
    {
        final ObjectNode root = new ObjectMapper().createObjectNode();
        root.put("format", DocumentKind.MAX_RATE.format());
        root.put("label", search.description().label());
        root.put("start", search.description().start().toString());
        Manifest.putVerdict(root.putObject("verdict"), verdict);

        root.put("slo", Threshold.join(search.conditions()));
        putAnswer(root.putObject("answer"), search);
        final ObjectNode limit = root.putObject("limit");
        limit.put("by", lower(search.limit().by()));
        limit.put("reason", search.limit().reason());

        final ObjectNode plan = root.putObject("plan");
        plan.put("startRate", search.plan().startRate());
        plan.put("lowestRate", search.plan().lowestRate());
        plan.put("highestRate", search.plan().highestRate());
        plan.put("resolution", search.plan().resolution());
        plan.put("retryCount", search.plan().retryCount());
        plan.put("confirmationCount", search.plan().confirmationCount());
        final ArrayNode steps = root.putArray("steps");
        search.steps().forEach((step) -> putStep(steps.addObject(), step));
        Manifest.putCircumstances(root, search.description(), resultFolder);
        return Manifest.text(root);
    }

    /**
     * Put the runs into CSV, times in us: rate against percentiles is the knee curve.
     *
     * @param search to put.
     * @return a header and a row for each run, in order.
     */
    public static String csv(final MaxRate search)
    {
        final StringBuilder text = new StringBuilder(
            "step,purpose,attempt,rate_asked,rate_achieved,held,verdict,response_p50_us,response_p90_us,response_p99_us," +
            "response_p99.9_us,response_max_us,service_p50_us,service_p99_us,send_delay_p50_us,send_delay_p99_us," +
            "send_delay_share,never_sent,unanswered,back_pressured,folder\n");
        for (final Step step : search.steps())
        {
            text.append(String.format(
                Locale.ROOT,
                "%d,%s,%d,%d,%.2f,%b,%s,%.3f,%.3f,%.3f,%.3f,%.3f,%.3f,%.3f,%.3f,%.3f,%.4f,%d,%d,%d,%s\n",
                step.number(), lower(step.purpose()), step.attempt(), step.ratePerSecond(), step.achieved(), step.isHeld(),
                step.manifest().at("/verdict/label").asText(),
                us(step, "responseTimeNs", "p50"), us(step, "responseTimeNs", "p90"), us(step, "responseTimeNs", "p99"),
                us(step, "responseTimeNs", "p99.9"), us(step, "responseTimeNs", "max"),
                us(step, "serviceTimeNs", "p50"), us(step, "serviceTimeNs", "p99"),
                us(step, "sendDelayNs", "p50"), us(step, "sendDelayNs", "p99"), step.sendDelayShare(),
                step.count("neverSent"), step.count("unanswered"), step.count("backPressured"), step.folder()));
        }

        return text.toString();
    }

    private static void putAnswer(final ObjectNode node, final MaxRate search)
    {
        final SearchAnswer answer = search.answer();
        node.put("status", lower(answer.status()));
        node.put("sentence", search.answerSentence());
        node.put("brokenSentence", search.brokenSentence());
        node.put("ratePerSecond", answer.ratePerSecond());
        node.put("brokenRatePerSecond", answer.brokenRate());
        node.put("runs", answer.runCount());
        node.put("failedOnce", answer.noiseCount());
        answer.steppedDownFrom().forEach(node.putArray("steppedDownFrom")::add);
        final List<Step> atAnswer = search.stepsAtAnswer();
        node.put("runsAtRate", atAnswer.size());
        node.put("runsHeldAtRate", atAnswer.stream().filter(Step::isHeld).count());
        final ArrayNode spreads = node.putArray("spread");
        for (int i = 0; i < search.conditions().size(); i++)
        {
            final Threshold condition = search.conditions().get(i);
            final ObjectNode one = spreads.addObject();
            one.put("condition", condition.text());
            one.put("metric", condition.metric());
            one.put("limit", condition.limit());
            one.put("sentence", search.conditionSentence(i));
            search.spread(i).ifPresent((spread) ->
            {
                one.put("min", spread.min());
                one.put("median", spread.median());
                one.put("max", spread.max());
                one.put("worst", condition.worst(spread));
                one.put("heldInMedian", condition.holds(spread.median()));
            });
        }
    }

    private static void putStep(final ObjectNode node, final Step step)
    {
        node.put("step", step.number());
        node.put("purpose", lower(step.purpose()));
        node.put("attempt", step.attempt());
        node.put("held", step.isHeld());
        node.set("verdict", step.manifest().path("verdict"));
        node.put("ratePerSecondAsked", step.ratePerSecond());
        node.set("ratePerSecondAchieved", step.manifest().path("ratePerSecondAchieved"));
        TIMES.forEach((time) -> node.set(time, step.manifest().path(time)));
        node.put("sendDelayShare", Math.round(step.sendDelayShare() * 1e4) / 1e4);
        node.put("sendDelayShareP99", Math.round(step.sendDelayShareP99() * 1e4) / 1e4);
        COUNTS.forEach((count) -> node.put(count, step.count(count)));
        node.put("folder", step.folder());
    }

    private static double us(final Step step, final String time, final String percentile)
    {
        return step.timeNs(time, percentile) / 1e3;
    }

    private static String lower(final Enum<?> name)
    {
        return name.name().toLowerCase(Locale.ROOT);
    }
}
