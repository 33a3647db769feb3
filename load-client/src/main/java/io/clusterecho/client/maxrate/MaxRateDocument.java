package io.clusterecho.client.maxrate;

import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

import com.fasterxml.jackson.annotation.JsonUnwrapped;

import io.clusterecho.reporting.results.Accounts;
import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.document.Provenance;
import io.clusterecho.reporting.document.RunDocument;
import io.clusterecho.reporting.document.StoredVerdict;
import io.clusterecho.reporting.results.DocumentKind;
import io.clusterecho.reporting.results.Spread;
import io.clusterecho.reporting.results.Threshold;
import io.clusterecho.reporting.results.Times;
import io.clusterecho.reporting.results.Verdict;
import io.clusterecho.reporting.results.WarmUpEnd;
import io.clusterecho.statistics.ShareInterval;

/** A search: {@code max-rate.json} in its folder, and the output of {@code max-rate --json}. */
public record MaxRateDocument(
    String format, String label, String start, StoredVerdict verdict, String slo, WarmUpEnd warmUp, Answer answer,
    Reason limit, SearchPlan plan, List<Run> steps,
    @JsonUnwrapped Provenance provenance)
{
    /** Result of the search. */
    public record Answer(
        String status, Boolean confirmed, String sentence, String brokenSentence, String climbing, long ratePerSecond,
        long brokenRatePerSecond, int runs, List<Long> steppedDownFrom, int runsAtRate, long runsHeldAtRate,
        ShareInterval passes95, List<Condition> spread)
    {
        static Answer of(final MaxRate search)
        {
            final SearchAnswer answer = search.answer();
            final List<Step> there = search.stepsAtAnswer();
            return new Answer(
                lower(answer.status()), answer.isConfirmed(), search.answerSentence(), search.failedSentence(),
                search.climbing().isEmpty() ? null : search.climbing(), answer.ratePerSecond(), answer.failedRate(),
                answer.runCount(), answer.steppedDownFrom(), there.size(),
                there.stream().filter(Step::isPassed).count(), search.passes().map((share) -> new ShareInterval(
                    Documents.rounded(share.low(), 4), Documents.rounded(share.high(), 4))).orElse(null),
                IntStream.range(0, search.conditions().size()).mapToObj((index) -> Condition.of(search, index)).toList());
        }
    }

    /** A condition and its values in the runs at the answer, left out if there were none. */
    public record Condition(
        String condition, String metric, double limit, String sentence, Double min, Double median, Double max, Double worst,
        Boolean heldInMedian)
    {
        static Condition of(final MaxRate search, final int index)
        {
            final Threshold condition = search.conditions().get(index);
            final Spread spread = search.spread(index).orElse(null);
            final boolean isKnown = null != spread;
            return new Condition(
                condition.text(), condition.metric(), condition.limit(), search.conditionSentence(index),
                isKnown ? spread.min() : null, isKnown ? spread.median() : null, isKnown ? spread.max() : null,
                isKnown ? condition.worst(spread) : null, isKnown ? search.isMetByMost(index) : null);
        }
    }

    /** What limited the rate. */
    public record Reason(String by, String reason)
    {
    }

    /** One run. */
    public record Run(
        int step, String purpose, boolean held, StoredVerdict verdict, Long ratePerSecondAsked,
        Double ratePerSecondAchieved, Times responseTimeNs, Times serviceTimeNs, Times sendDelayNs, double sendDelayShare,
        double sendDelayShareP99,
        @JsonUnwrapped Accounts accounts,
        Long backPressured, Long clientCeilingPerSecond, String folder)
    {
        static Run of(final Step step)
        {
            final RunDocument run = step.run();
            return new Run(
                step.number(), lower(step.purpose()), step.isPassed(), run.verdict(), run.ratePerSecondAsked(),
                run.ratePerSecondAchieved(), run.responseTimeNs(), run.serviceTimeNs(), run.sendDelayNs(),
                Documents.rounded(step.sendDelayShare(), 4), Documents.rounded(step.sendDelayShareP99(), 4), run.accounts(),
                run.backPressured(), run.clientCeilingPerSecond(), step.folder());
        }
    }

    /** The document of a search so far. */
    public static MaxRateDocument of(final MaxRate search, final Verdict verdict, final String resultFolder)
    {
        return new MaxRateDocument(
            DocumentKind.MAX_RATE.format(), search.description().label(), search.description().start().toString(),
            StoredVerdict.of(verdict), Threshold.join(search.conditions()),
            search.steps().isEmpty() ? null : search.steps().get(0).run().warmUp(), Answer.of(search),
            new Reason(lower(search.limit().by()), search.limit().reason()), search.plan(),
            search.steps().stream().map(Run::of).toList(), Provenance.of(search.description(), resultFolder));
    }

    static String lower(final Enum<?> name)
    {
        return name.name().toLowerCase(Locale.ROOT);
    }
}
