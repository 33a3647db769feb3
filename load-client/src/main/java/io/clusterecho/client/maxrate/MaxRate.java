package io.clusterecho.client.maxrate;

import static io.clusterecho.text.Lines.line;
import static io.clusterecho.text.Lines.plural;
import static io.clusterecho.text.Lines.text;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import com.fasterxml.jackson.annotation.JsonUnwrapped;

import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.document.Provenance;
import io.clusterecho.reporting.document.RunDocument;
import io.clusterecho.reporting.document.StoredVerdict;
import io.clusterecho.reporting.report.DocumentedResult;
import io.clusterecho.reporting.results.Accounts;
import io.clusterecho.reporting.results.DocumentKind;
import io.clusterecho.reporting.results.Percentile;
import io.clusterecho.reporting.results.RunDescription;
import io.clusterecho.reporting.results.Spread;
import io.clusterecho.reporting.results.Threshold;
import io.clusterecho.reporting.results.Times;
import io.clusterecho.reporting.results.Verdict;
import io.clusterecho.reporting.results.WarmUpEnd;
import io.clusterecho.statistics.ShareInterval;
import io.clusterecho.text.TextTable;

/**
 * A search with all its measurements.
 *
 * @param problem     that ended it early, or empty.
 */
public record MaxRate(
    RunDescription description,
    SearchPlan plan,
    List<Threshold> conditions,
    List<Step> steps,
    SearchAnswer answer,
    String problem)
{
    /** A search: {@code max-rate.json} in its folder, and the output of {@code max-rate --json}. */
    public record Document(
        String format, String label, String start, StoredVerdict verdict, String slo, WarmUpEnd warmUp, Answer answer,
        Reason limit, SearchPlan plan, List<Run> steps,
        @JsonUnwrapped Provenance provenance)
    {
    }

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
                search.conditionsAtAnswer());
        }
    }

    /** A condition and its values in the runs at the answer, left out if there were none. */
    public record Condition(
        String condition, String metric, double limit, String sentence, Double min, Double median, Double max, Double worst,
        Boolean heldInMedian)
    {
        static Condition of(final Threshold condition, final double[] values)
        {
            if (0 == values.length)
            {
                return new Condition(
                    condition.text(), condition.metric(), condition.limit(), condition.text() + ": not known", null, null, null,
                    null, null);
            }

            final Spread spread = Spread.of(values);
            // The median of an even number of runs does not show this: it is the lower of the two in the middle.
            final boolean isMetByMost = 2 * Arrays.stream(values).filter(condition::holds).count() > values.length;
            final String sentence = text(
                "%s: median %s, worst %s of %s%s", condition.text(), condition.format(spread.median()),
                condition.format(condition.worst(spread)), plural(values.length, "run"),
                isMetByMost ? "" : ", of which no more than half meet it");
            return new Condition(
                condition.text(), condition.metric(), condition.limit(), sentence, spread.min(), spread.median(), spread.max(),
                condition.worst(spread), isMetByMost);
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

    /** What limited the rate. */
    public Limit limit()
    {
        return Limit.of(steps, answer);
    }

    /** What shows that the system was still getting faster, so that the answer is not that of a steady state; or empty. */
    public String climbing()
    {
        return answer.climb(steps.stream().map(Step::trial).toList());
    }

    /** Judge the search: good if the rate is confirmed, partial if interrupted before. */
    public Verdict verdict(final List<String> unwritten)
    {
        final List<String> reasons = new ArrayList<>(!problem.isEmpty() ? List.of(problem) :
            SearchAnswer.Status.NONE == answer.status() ? List.of(answerSentence()) : List.of());
        reasons.addAll(unwritten);
        return new Verdict(
            reasons, warnings(),
            SearchAnswer.Status.ENDED != answer.status() || !problem.isEmpty() ? "" : answer.isConfirmed() ?
                "ended before all rates up to the lowest that failed were tried" : "ended before a rate was confirmed");
    }

    /** Warnings about the answer, a sentence each. */
    public List<String> warnings()
    {
        final List<String> warnings = new ArrayList<>();
        answer.steppedDownFrom().forEach((rate) ->
            warnings.add(text("%,d/s could not be confirmed: %s", rate, passedText(rate))));
        if (answer.ratePerSecond() > 0)
        {
            final SortedSet<Long> above = ratesThatPassed().tailSet(answer.ratePerSecond() + 1);
            answer.steppedDownFrom().forEach(above::remove);
            if (!above.isEmpty())
            {
                warnings.add("rates above it passed too, but were not confirmed: " + above.stream()
                    .map((rate) -> text("%,d/s (%s)", rate, passedText(rate))).collect(Collectors.joining(", ")));
            }
        }
        if (Limit.By.CLIENT == limit().by())
        {
            warnings.add("the client, not the cluster, was the limit: " + limit().reason());
        }
        else if (Limit.By.RANGE == limit().by())
        {
            warnings.add(limit().reason());
        }
        final List<Step> atAnswer = stepsAtAnswer().stream().filter(Step::isPassed).toList();
        final long clientLimited = atAnswer.stream()
            .filter((step) -> Verdict.CLIENT_LIMITED.equals(step.run().verdict().label())).count();
        if (clientLimited > 0 && Limit.By.CLIENT != limit().by())
        {
            warnings.add(text(
                "at %,d/s, in %d of %d runs, half or more of the slowest 1%% was the client's", answer.ratePerSecond(),
                clientLimited, atAnswer.size()));
        }
        if (!answer.isOpenAbove() && !climbing().isEmpty())
        {
            warnings.add("the rate was still rising: " + climbing() + "; a longer --warm-up may find more");
        }

        return warnings;
    }

    /**
     * The answer, with the number of runs at its rate that passed. Only a confirmed rate is called the highest.
     *
     * @return a sentence without its full stop.
     */
    public String answerSentence()
    {
        final long rate = answer.ratePerSecond();
        if (rate > 0)
        {
            return text(
                SearchAnswer.Status.CONFIRMED == answer.status() ? "%,d messages/s is the highest confirmed rate: %s" :
                answer.isConfirmed() ? "%,d messages/s is the highest rate confirmed before the search ended early: %s" :
                "%,d messages/s is not confirmed because the search ended early: %s", rate, passedText(rate)) +
                passes().map((share) -> text(
                    " (%.0f%% to %.0f%% with 95%% confidence)", 100 * share.low(), 100 * share.high())).orElse("");
        }

        final SortedSet<Long> passed = ratesThatPassed();
        final String ifAny = passed.isEmpty() ? "" :
            text("%,d/s is the highest rate at which a run passed (%s)", passed.last(), passedText(passed.last()));
        if (SearchAnswer.Status.ENDED == answer.status())
        {
            return "no rate is known because the search ended early" + (ifAny.isEmpty() ? "" : "; " + ifAny);
        }

        final LongSummaryStatistics tried = steps.stream().mapToLong(Step::ratePerSecond).summaryStatistics();
        return ifAny.isEmpty() ? text("no rate from %,d/s to %,d/s passed", tried.getMin(), tried.getMax()) :
            "no rate was confirmed; " + ifAny;
    }

    List<Condition> conditionsAtAnswer()
    {
        return IntStream.range(0, conditions.size()).mapToObj((index) -> Condition.of(
            conditions.get(index), stepsAtAnswer().stream().mapToDouble((step) -> step.values().get(index)).toArray())).toList();
    }

    /** The lowest rate above the answer that failed, as a sentence without its full stop; empty if none failed. */
    public String failedSentence()
    {
        final List<Step> there = stepsAt(answer.failedRate());
        return 0 == answer.failedRate() ? "" : text(
            "%,d/s: %d of %s failed", answer.failedRate(), there.stream().filter((step) -> !step.isPassed()).count(),
            plural(there.size(), "run"));
    }

    public Document document(final Verdict verdict, final String resultFolder)
    {
        return new Document(
            DocumentKind.MAX_RATE.format(), description.label(), description.start().toString(), StoredVerdict.of(verdict),
            Threshold.join(conditions), steps.isEmpty() ? null : steps.get(0).run().warmUp(), Answer.of(this),
            new Reason(lower(limit().by()), limit().reason()), plan, steps.stream().map(Run::of).toList(),
            Provenance.of(description, resultFolder));
    }

    /** What is stored and printed of it. */
    public DocumentedResult result(final boolean hasPage)
    {
        return new DocumentedResult(
            DocumentKind.MAX_RATE, description, description.label() + ": " + Threshold.join(conditions), this::verdict,
            this::document, Map.of(), body(), hasPage);
    }

    private String body()
    {
        final StringBuilder text = new StringBuilder(1024);
        line(text, "answer     %s", answerSentence());
        if (answer.ratePerSecond() > 0)
        {
            conditionsAtAnswer().forEach((condition) -> line(text, "           %s", condition.sentence()));
        }
        if (answer.failedRate() > 0)
        {
            line(text, "failed at  %s", failedSentence());
        }
        line(text, "limit      %s: %s", lower(limit().by()), limit().reason());
        line(text, "durability %s", description.durability());
        line(text, "placement  %s", description.placement());
        line(text, "");
        final TextTable table = new TextTable().right("rate/s").right("run").right("passed").right("achieved/s")
            .right("p50").right("p99").right("p99.9").right("send delay").right("never sent").left("");
        steps.stream().sorted(Comparator.comparingLong(Step::ratePerSecond).thenComparingInt(Step::number))
            .forEach((step) -> table.row(
            text("%,d", step.ratePerSecond()), step.number(), step.isPassed() ? "yes" : "no",
            text("%,.1f", step.run().ratePerSecondAchieved()), step.response(Percentile.P50), step.response(Percentile.P99),
            step.response(Percentile.P99_9), text("%.0f%%", 100 * step.sendDelayShare()),
            text("%,d", step.run().accounts().neverSent()), step.reasons().strip()));
        text.append(table.text());
        line(text, "");
        line(text, "send delay: share of the mean response time before messages were sent");
        return text.toString();
    }

    /** Runs at the rate of the answer, in order: of a confirmed one the fresh ones alone. */
    public List<Step> stepsAtAnswer()
    {
        return answer.isConfirmed() ? freshAt(answer.ratePerSecond()) : stepsAt(answer.ratePerSecond());
    }

    /** Bounds of the share of all runs that pass at the answer, by the fresh ones; empty if it is not confirmed. */
    public Optional<ShareInterval> passes()
    {
        final List<Step> there = stepsAtAnswer();
        return answer.isConfirmed() ?
            Optional.of(ShareInterval.of((int)there.stream().filter(Step::isPassed).count(), there.size())) : Optional.empty();
    }

    private static String lower(final Enum<?> name)
    {
        return name.name().toLowerCase(Locale.ROOT);
    }

    private List<Step> stepsAt(final long ratePerSecond)
    {
        return steps.stream().filter((step) -> step.ratePerSecond() == ratePerSecond).toList();
    }

    private List<Step> freshAt(final long ratePerSecond)
    {
        return stepsAt(ratePerSecond).stream().filter((step) -> RateSearch.Purpose.CONFIRM == step.purpose()).toList();
    }

    private SortedSet<Long> ratesThatPassed()
    {
        return steps.stream().filter(Step::isPassed).map(Step::ratePerSecond).collect(Collectors.toCollection(TreeSet::new));
    }

    private String passedText(final long ratePerSecond)
    {
        final List<Step> fresh = freshAt(ratePerSecond);
        final List<Step> there = fresh.isEmpty() ? stepsAt(ratePerSecond) : fresh;
        return text(
            "%d of %d %s%s passed", there.stream().filter(Step::isPassed).count(), there.size(), fresh.isEmpty() ? "" : "fresh ",
            1 == there.size() ? "run" : "runs");
    }
}
