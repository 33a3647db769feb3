package io.clusterecho.client.maxrate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.document.RunDocument;
import io.clusterecho.reporting.results.ClientShare.Decision;
import io.clusterecho.reporting.results.Percentile;
import io.clusterecho.statistics.ShareInterval;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MaxRateTest
{
    private static final double KNEE = 50_000;
    private static final int TO_THE_END = Integer.MAX_VALUE;

    @ParameterizedTest
    @CsvSource({
        "0.1, 0,      5000000, CLUSTER, never sent",
        "0.9, 0,      5000000, CLIENT,  did not keep up",
        "0.9, 900000, 5000000, CLUSTER, met back pressure",
        "0.1, 0,      55000,   CLIENT,  client's ceiling of" })
    void shouldTellWhatTheLimitWas(
        final double sendDelayShare, final long backPressured, final long ceiling, final Limit.By by, final String why)
    {
        final MaxRate found = new SampleSearch(sendDelayShare, backPressured, ceiling).found(KNEE, TO_THE_END);
        assertThat(found.limit().by()).isEqualTo(by);
        assertThat(found.limit().reason()).contains(why);
        assertThat(String.join(" ", found.warnings()).contains("the client, not the cluster"))
            .isEqualTo(Limit.By.CLIENT == by);
    }

    @Test
    void shouldTellTheSpreadOfTheRunsAtItsAnswer()
    {
        final MaxRate found = new SampleSearch(0.1, 0, 5_000_000).found(KNEE, TO_THE_END);
        final List<Double> values = found.stepsAtAnswer().stream().map((step) -> step.values().get(0)).sorted().toList();
        // Four times to confirm; the one in the search, which chose the rate, does not count.
        assertThat(values).hasSize(4);
        final MaxRate.Condition condition = found.conditionsAtAnswer().get(0);
        assertThat(List.of(condition.min(), condition.median(), condition.max()))
            .containsExactly(values.get(0), values.get(1), values.get(3));
    }

    @Test
    void shouldNotLookGoodBeforeItIsConfirmed() throws IOException
    {
        final MaxRate found = new SampleSearch(0.1, 0, 5_000_000).found(KNEE, 6);
        final JsonNode json = json(found);
        assertThat(json.at("/verdict/label").asText()).isEqualTo("PARTIAL");
        assertThat(json.at("/verdict/partial").asBoolean()).isTrue();
        assertThat(json.at("/verdict/reasons/0").asText()).startsWith("partial");
        assertThat(json.at("/steps")).hasSize(6);
        assertThat(found.result(true).text(found.verdict(List.of()), Path.of("somewhere")))
            .contains("PARTIAL").contains("not confirmed");
    }

    @Test
    void shouldKeepTheKneeCurve() throws IOException
    {
        final MaxRate found = new SampleSearch(0.25, 0, 5_000_000).found(KNEE, TO_THE_END);
        final JsonNode json = json(found);
        assertThat(json.get("format").asText()).isEqualTo("cluster-echo-max-rate/2");
        assertThat(json.get("slo").asText()).isEqualTo("p99<10ms,lost==0");
        assertThat(json.at("/answer/ratePerSecond").asLong()).isEqualTo(found.answer().ratePerSecond());
        assertThat(json.at("/answer/runsHeldAtRate").asLong()).isEqualTo(4);
        assertThat(json.at("/steps")).hasSameSizeAs(found.steps());
        for (int i = 0; i < found.steps().size(); i++)
        {
            final Step made = found.steps().get(i);
            final JsonNode step = json.at("/steps/" + i);
            assertThat(step.get("ratePerSecondAsked").asLong()).isEqualTo(made.ratePerSecond());
            assertThat(step.at("/responseTimeNs/p99").asLong()).isEqualTo(made.run().responseTimeNs().at(Percentile.P99));
            assertThat(step.get("sendDelayShare").asDouble()).isEqualTo(0.25);
            assertThat(step.get("held").asBoolean()).isEqualTo(made.isPassed());
        }
    }

    @Test
    void shouldSayWhatHoldsSoFar()
    {
        final MaxRate found = new SampleSearch(0.1, 0, 5_000_000).found(KNEE, 5);
        final SearchAnswer answer = soFar(found);
        // 10,000, 20,000 and 40,000 passed, 80,000 and 56,600 failed.
        assertThat(answer.ratePerSecond()).isEqualTo(40_000);
        assertThat(answer.failedRate()).isEqualTo(56_600);
        assertThat(answer.status()).isEqualTo(SearchAnswer.Status.ENDED);
    }

    @Test
    void shouldNameARateThatBrokeAboveTheOneAtWhichTheSearchEnded()
    {
        // 40,000/s fails, 28,300/s fails and then passes, and the search ends on its way up from there.
        final MaxRate found = scripted(plan(0.5, 0.75), "10000+ 20000+ 40000- 28300- 28300+ 35400!");
        assertThat(found.answer().ratePerSecond()).isEqualTo(28_300);
        assertThat(found.answer().failedRate()).isEqualTo(40_000);
        assertThat(found.limit().reason()).doesNotContain("no rate failed").contains("40,000/s");
        assertThat(text(found)).contains("failed at  40,000/s: 1 of 1 run failed").doesNotContain("no rate failed");
    }

    @Test
    void shouldLeaveARateThatCannotHaveTheShareAnyMore()
    {
        // Of four fresh runs one may fail. The rate between the one that is confirmed and those that are not then fails too.
        final MaxRate found = scripted(
            plan(0.5, 0.75),
            "10000+ 20000- 14100+ 20000- 14100+ 14100- 14100- 9400- 9400- 4180+ 4180- 4180+ 4180+ 6270- 6270-");
        assertThat(found.answer().status()).isEqualTo(SearchAnswer.Status.CONFIRMED);
        assertThat(found.answer().ratePerSecond()).isEqualTo(4_180);
        assertThat(found.answer().failedRate()).isEqualTo(6_270);
        assertThat(found.stepsAtAnswer()).hasSize(4);
        assertThat(found.conditionsAtAnswer().get(0).median()).isLessThan(10e6);
        assertThat(found.passes()).contains(ShareInterval.of(3, 4));
        assertThat(text(found)).contains("3 of 4 fresh runs passed");
    }

    @Test
    void shouldShowTheMedianAndTheWorstOfTheRunsAtItsAnswer()
    {
        final MaxRate found = scripted(
            plan(0.5, 0.75), "10000+ 20000- 14100+ 20000- 14100+ 14100- 14100+ 14100+");
        assertThat(found.answer().status()).isEqualTo(SearchAnswer.Status.CONFIRMED);
        assertThat(text(found)).contains("14,100 messages/s is the highest confirmed rate: 3 of 4 fresh runs passed")
            .containsPattern("p99<10ms: median 705 us, worst 70\\.5 ms of 4 runs");
    }

    @Test
    void shouldNotCallARateHighestThatIsNotConfirmed() throws IOException
    {
        final MaxRate found = scripted(plan(0.5, 0.75), "10000- 5000+ 7070+ 10000+ 12500!");
        assertThat(found.answer().ratePerSecond()).isEqualTo(10_000);
        assertThat(text(found)).doesNotContain("highest")
            .contains("10,000 messages/s is not confirmed because the search ended early: 1 of 2 runs passed")
            .contains("of which no more than half meet it");
        assertThat(json(found).at("/answer/sentence").asText()).startsWith("10,000 messages/s is not confirmed");
        assertThat(json(found).at("/answer/spread/0/heldInMedian").asBoolean(true)).isFalse();
    }

    @Test
    void shouldNotSayOfARateThatItHadHeldWhenNoRunThereDid()
    {
        final MaxRate found = scripted(
            plan(0.5, 0.75),
            "10000+ 20000- 14100+ 20000- 14100+ 14100- 14100- 9400- 9400- 4180+ 4180+ 4180+ 4180+ 6270- 6270-");
        assertThat(found.answer().steppedDownFrom()).containsExactly(14_100L, 9_400L, 6_270L);
        assertThat(found.warnings()).anyMatch((warning) -> warning.startsWith("14,100/s") && warning.contains("1 of 3"))
            .anyMatch((warning) -> warning.startsWith("9,400/s") && warning.contains("0 of 2"));
    }

    @ParameterizedTest
    @ValueSource(strings = { "6270!", "6270- 6270!", "6270+ 6270!" })
    void shouldKeepAConfirmedRateWhenItEndsWhileHigherOnesAreTried(final String end) throws IOException
    {
        final MaxRate found = scripted(
            plan(0.5, 0.5), "10000+ 20000- 14100+ 20000- 14100- 14100- 9400- 9400- 4180+ 4180+ " + end);
        final SearchAnswer answer = found.answer();
        assertThat(answer.status()).isEqualTo(SearchAnswer.Status.ENDED);
        assertThat(answer.isConfirmed()).isTrue();
        assertThat(answer.ratePerSecond()).isEqualTo(4_180);
        assertThat(found.answerSentence()).startsWith(
            "4,180 messages/s is the highest rate confirmed before the search ended early: ");
        assertThat(found.verdict(List.of()).allReasons()).containsExactly(
            "partial: ended before all rates up to the lowest that failed were tried");
        assertThat(json(found).at("/answer/confirmed").asBoolean()).isTrue();
        assertThat(json(found).at("/answer/status").asText()).isEqualTo("ended");
    }

    @Test
    void shouldNameRatesAboveItsAnswerThatHeldAtTimes()
    {
        final MaxRate found = scripted(
            plan(0.5, 0.5), "10000+ 20000- 14100+ 20000- 14100- 14100- 9400+ 9400+");
        assertThat(found.answer().ratePerSecond()).isEqualTo(9_400);
        assertThat(found.warnings()).contains(
            "rates above it passed too, but were not confirmed: 10,000/s (1 of 1 run passed)");
    }

    @Test
    void shouldNotSayThatNoRateHeldWhenSomeRunsDid() throws IOException
    {
        final MaxRate found = scripted(
            new SearchPlan(10_000, 10_000, 20_000, 1, 0.5), "10000+ 20000- 20000- 10000- 10000-");
        assertThat(found.answer().status()).isEqualTo(SearchAnswer.Status.NONE);
        assertThat(found.verdict(List.of()).reasons()).containsExactly(
            "no rate was confirmed; 10,000/s is the highest rate at which a run passed (0 of 2 fresh runs passed)");
        assertThat(text(found)).doesNotContain("none that holds");
        assertThat(json(found).at("/answer/spread/0/median").isMissingNode()).isTrue();
    }

    @Test
    void shouldNotSayThatNoRateHoldsOfASearchThatHadNotTriedAny()
    {
        final MaxRate found = scripted(plan(0.5, 0.75), "10000!");
        assertThat(text(found)).contains("no rate is known").doesNotContain("none that holds");
    }

    @Test
    void shouldSayOfWhichRunAndOfWhatTheSharesOfTheLimitAre()
    {
        final MaxRate sample = new SampleSearch(0.1, 900_000, 5_000_000).found(KNEE, TO_THE_END);
        final MaxRate found = new MaxRate(
            sample.description(), sample.plan(), sample.conditions(),
            sample.steps().stream().map((step) -> step.isPassed() ? step : withSendDelayP99(step)).toList(), sample.answer(), "");
        final Step atLimit = found.steps().stream()
            .filter((step) -> step.ratePerSecond() == found.answer().failedRate()).findFirst().orElseThrow();
        assertThat(found.limit().reason()).contains("10% of the mean response time and 40% of its p99")
            .containsPattern("in run \\d+,");
        assertThat(text(found)).contains(String.format("%,d", atLimit.ratePerSecond()));
    }

    @Test
    void shouldNotBlameAClientWhoseCeilingIsNotKnown()
    {
        final MaxRate found = new SampleSearch(0.1, 0, 0).found(KNEE, TO_THE_END);
        assertThat(found.limit().by()).isEqualTo(Limit.By.CLUSTER);
    }

    @Test
    void shouldNotSayThatNothingPushedBackWhereSomethingDid()
    {
        // Few compared with the messages.
        final MaxRate found = new SampleSearch(0.9, 500, 5_000_000).found(KNEE, TO_THE_END);
        assertThat(found.limit().by()).isEqualTo(Limit.By.CLIENT);
        assertThat(found.limit().reason()).doesNotContain("nothing pushed back").contains("500");
    }

    @Test
    void shouldNotBlameTheClientForWaitsThatWereTheSystems()
    {
        final MaxRate sample = new SampleSearch(0.9, 0, 5_000_000).found(KNEE, TO_THE_END);
        assertThat(withClientShare(sample, 0.1, Decision.BELOW).limit().by()).isEqualTo(Limit.By.CLUSTER);
        assertThat(withClientShare(sample, 0.55, Decision.UNDECIDED).limit().by()).isEqualTo(Limit.By.UNKNOWN);
        assertThat(withClientShare(sample, 0.8, Decision.LIMITED).limit().by()).isEqualTo(Limit.By.CLIENT);
        assertThat(withClientShare(sample, 0.8, Decision.LIMITED).limit().reason()).contains("80%")
            .doesNotContain("send delay");
    }

    @Test
    void shouldBlameTheClientIfARunFailedOnlyForItsStall()
    {
        final MaxRate sample = withClientShare(new SampleSearch(0.1, 0, 0).found(KNEE, TO_THE_END), 0.1, Decision.BELOW);
        final Limit stalled = withFailures(sample, "STALL").limit();
        assertThat(stalled.by()).isEqualTo(Limit.By.CLIENT);
        assertThat(stalled.reason()).contains(", the client stalled for 696 ms, for which alone it failed;");
        assertThat(withFailures(sample, "STALL", "NO_REPLY").limit().by()).isEqualTo(Limit.By.CLUSTER);
    }

    @Test
    void shouldNotClaimMoreThanThatItsRangeEnds()
    {
        final MaxRate found = scripted(new SearchPlan(10_000, 100, 20_000, 0.5, 0.5), "10000+ 20000+ 20000+ 20000+");
        assertThat(found.limit().by()).isEqualTo(Limit.By.RANGE);
        assertThat(found.limit().reason()).isEqualTo("20,000/s is the highest rate of the search; higher rates were not tried");
    }

    @Test
    void shouldWarnThatTheRateWasStillRising() throws IOException
    {
        final MaxRate found = scripted(
            plan(1, 0.5), "10000- 5000+ 10000+ 12500+ 19500+ 39000- 39000- 19500+ 19500+");
        assertThat(found.answer().ratePerSecond()).isEqualTo(19_500);
        assertThat(found.warnings()).contains(
            "the rate was still rising: 10,000/s had failed in run 1, and 19,500/s passed in run 5; " +
            "a longer --warm-up may find more");
        assertThat(json(found).at("/answer/climbing").asText()).startsWith("10,000/s had failed in run 1");
        assertThat(json(new SampleSearch(0.1, 0, 5_000_000).found(KNEE, TO_THE_END)).at("/answer/climbing").isMissingNode())
            .isTrue();
    }

    @Test
    void shouldTellStepsDownBeforeTheSearchIsOver()
    {
        final MaxRate found = scripted(
            plan(0.5, 0.75), "10000+ 20000- 14100+ 20000- 14100- 14100- 9400+ 9400!");
        final SearchAnswer soFar = soFar(found);
        assertThat(soFar.steppedDownFrom()).containsExactly(14_100L);
        assertThat(soFar.ratePerSecond()).as("10,000/s held before").isEqualTo(10_000);
        assertThat(soFar.failedRate()).isEqualTo(14_100);
    }

    private static SearchAnswer soFar(final MaxRate found)
    {
        return SearchAnswer.of(SearchAnswer.Status.ENDED, found.steps().stream().map(Step::trial).toList(), found.plan());
    }

    private static SearchPlan plan(final double resolution, final double passShare)
    {
        return new SearchPlan(10_000, 100, 10_000_000, resolution, passShare);
    }

    /** A search with given trials, each as its rate and {@code +} for passed, {@code -} for failed, {@code !} for ended. */
    private static MaxRate scripted(final SearchPlan plan, final String script)
    {
        final Deque<String> trials = new ArrayDeque<>(List.of(script.split(" ")));
        final MaxRate found = new SampleSearch(0.1, 0, 5_000_000).found(plan, (rate, purpose) ->
        {
            final String trial = trials.isEmpty() ? "no trial" : trials.remove();
            final int end = trial.length() - 1;
            assertThat(String.valueOf(rate)).as("%s trial", purpose).isEqualTo(trial.substring(0, end));
            return '+' == trial.charAt(end) ? RateSearch.Outcome.PASSED :
                '-' == trial.charAt(end) ? RateSearch.Outcome.FAILED : RateSearch.Outcome.ENDED;
        });
        assertThat(trials).as("left of the script").isEmpty();
        return found;
    }

    private static String text(final MaxRate found)
    {
        return found.result(true).text(found.verdict(List.of()), Path.of("somewhere"));
    }

    private static JsonNode json(final MaxRate found) throws IOException
    {
        return new ObjectMapper().readTree(Documents.text(found.document(found.verdict(List.of()), "somewhere")));
    }

    private static MaxRate withClientShare(final MaxRate sample, final double share, final Decision decision)
    {
        return new MaxRate(
            sample.description(), sample.plan(), sample.conditions(),
            sample.steps().stream().map((step) -> withClientShare(step, share, decision)).toList(), sample.answer(), "");
    }

    private static Step withClientShare(final Step step, final double share, final Decision decision)
    {
        final ObjectNode run = (ObjectNode)Documents.tree(step.run());
        run.putObject("clientTail").put("share", share).put("decision", decision.name()).put("isEachArrivalKnown", true);
        return new Step(
            step.number(), step.purpose(), step.isPassed(), step.values(),
            Documents.bind(run, RunDocument.class), step.folder());
    }

    /** With other reasons why runs failed. */
    private static MaxRate withFailures(final MaxRate sample, final String... kinds)
    {
        return new MaxRate(
            sample.description(), sample.plan(), sample.conditions(),
            sample.steps().stream().map((step) -> step.isPassed() ? step : withFailures(step, kinds)).toList(), sample.answer(),
            "");
    }

    private static Step withFailures(final Step step, final String... kinds)
    {
        final ObjectNode run = (ObjectNode)Documents.tree(step.run());
        final ObjectNode verdict = (ObjectNode)run.get("verdict");
        verdict.set("kinds", Documents.tree(List.of(kinds)));
        verdict.set("reasons", Documents.tree(List.of("the client stalled for 696 ms")));
        return new Step(
            step.number(), step.purpose(), step.isPassed(), step.values(),
            Documents.bind(run, RunDocument.class), step.folder());
    }

    private static Step withSendDelayP99(final Step step)
    {
        final ObjectNode run = (ObjectNode)Documents.tree(step.run());
        ((ObjectNode)run.get("sendDelayNs")).put("p99", step.run().responseTimeNs().at(Percentile.P99) * 4 / 10);
        return new Step(
            step.number(), step.purpose(), step.isPassed(), step.values(),
            Documents.bind(run, RunDocument.class), step.folder());
    }
}
