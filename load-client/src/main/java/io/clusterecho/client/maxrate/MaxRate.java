package io.clusterecho.client.maxrate;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.LongSummaryStatistics;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

import io.clusterecho.reporting.results.RunDescription;
import io.clusterecho.reporting.results.Spread;
import io.clusterecho.reporting.results.Threshold;
import io.clusterecho.reporting.results.Verdict;

/**
 * A search with all that was measured in it.
 *
 * @param description of it.
 * @param plan        of it.
 * @param conditions  that had to hold.
 * @param steps       in order.
 * @param answer      that they came to.
 * @param problem     for which it ended early, or empty.
 */
public record MaxRate(
    RunDescription description,
    SearchPlan plan,
    List<Threshold> conditions,
    List<Step> steps,
    SearchAnswer answer,
    String problem)
{
    /**
     * What kept the rate from being higher.
     */
    public Limit limit()
    {
        return Limit.of(steps, answer);
    }

    /**
     * Judge the search: good when the rate is confirmed, partial when it was interrupted before.
     *
     * @param unwritten what of its result could not be written, a sentence each.
     */
    public Verdict verdict(final List<String> unwritten)
    {
        final List<String> reasons = new ArrayList<>();
        if (!problem.isEmpty())
        {
            reasons.add(problem);
        }
        else if (SearchAnswer.Status.NONE == answer.status())
        {
            reasons.add(answerSentence());
        }
        reasons.addAll(unwritten);
        return Verdict.ofRuns(
            reasons, warnings(),
            SearchAnswer.Status.ENDED == answer.status() && problem.isEmpty() ? "ended before a rate was confirmed" : "");
    }

    /**
     * What a reader should know of an answer that stands.
     *
     * @return one sentence each.
     */
    public List<String> warnings()
    {
        final List<String> warnings = new ArrayList<>();
        for (final long rate : answer.steppedDownFrom())
        {
            warnings.add(text("%,d/s could not be confirmed: %s", rate, heldText(rate)));
        }
        if (answer.ratePerSecond() > 0)
        {
            final SortedSet<Long> above = ratesThatHeld().tailSet(answer.ratePerSecond() + 1);
            answer.steppedDownFrom().forEach(above::remove);
            if (!above.isEmpty())
            {
                warnings.add("rates above it held as well, and were not confirmed: " + above.stream()
                    .map((rate) -> text("%,d/s (%s)", rate, heldText(rate))).collect(Collectors.joining(", ")));
            }
        }
        if (answer.noiseCount() > 0)
        {
            warnings.add(text(
                "%d of %d runs broke and held when they were repeated: the machine or the system is not steady",
                answer.noiseCount(), answer.runCount()));
        }
        if (Limit.By.CLIENT == limit().by())
        {
            warnings.add("the client, not the cluster, was the limit: " + limit().reason());
        }
        else if (Limit.By.RANGE == limit().by())
        {
            warnings.add(limit().reason());
        }

        return warnings;
    }

    /**
     * The answer, with how many of the runs at its rate bear it out. No rate is called the highest that was not confirmed.
     *
     * @return a sentence without its full stop.
     */
    public String answerSentence()
    {
        final long rate = answer.ratePerSecond();
        if (rate > 0)
        {
            return text(
                SearchAnswer.Status.CONFIRMED == answer.status() ?
                "%,d messages/s is the highest rate that was confirmed: %s" :
                "%,d messages/s is not confirmed, for the search ended before: %s", rate, heldText(rate));
        }

        final SortedSet<Long> held = ratesThatHeld();
        final String ifAny = held.isEmpty() ? "" :
            text("%,d/s is the highest at which a run held (%s)", held.last(), heldText(held.last()));
        if (SearchAnswer.Status.ENDED == answer.status())
        {
            return "no rate is known to hold, for the search ended before" + (ifAny.isEmpty() ? "" : "; " + ifAny);
        }

        final LongSummaryStatistics tried = steps.stream().mapToLong(Step::ratePerSecond).summaryStatistics();
        return ifAny.isEmpty() ? text("no rate from %,d/s to %,d/s held", tried.getMin(), tried.getMax()) :
            "no rate was confirmed; " + ifAny;
    }

    /**
     * What a condition's metric came to at the answer.
     *
     * @param index of the condition.
     * @return a sentence without its full stop.
     */
    public String conditionSentence(final int index)
    {
        final Threshold condition = conditions.get(index);
        return spread(index).map((spread) -> text(
            "%s: median %s, worst %s of %s there%s", condition.text(), condition.format(spread.median()),
            condition.format(condition.worst(spread)), runs(spread.count()),
            isMetByMost(index) ? "" : ", and no more than half of them meet it"))
            .orElse(condition.text() + ": not known");
    }

    /**
     * Whether a condition is met by more than half of the runs at the answer. The median of an even number of runs does not say
     * so: it is the lower of the two in the middle.
     *
     * @param index of the condition.
     * @return true if so.
     */
    public boolean isMetByMost(final int index)
    {
        final List<Step> there = stepsAtAnswer();
        return 2 * there.stream().filter((step) -> conditions.get(index).holds(step.values().get(index))).count() > there.size();
    }

    /**
     * The lowest rate above the answer that broke.
     *
     * @return a sentence without its full stop, or empty if none did.
     */
    public String brokenSentence()
    {
        final List<Step> there = stepsAt(answer.brokenRate());
        return 0 == answer.brokenRate() ? "" : text(
            "%,d/s: %d of %s there broke", answer.brokenRate(), there.stream().filter((step) -> !step.isHeld()).count(),
            runs(there.size()));
    }

    /**
     * Runs at the answer, for whatever purpose.
     *
     * @return in order.
     */
    public List<Step> stepsAtAnswer()
    {
        return stepsAt(answer.ratePerSecond());
    }

    /**
     * How far the runs at the answer lie apart.
     *
     * @param condition index of it.
     * @return spread of its values, or empty if there is no run.
     */
    public Optional<Spread> spread(final int condition)
    {
        final double[] values =
            stepsAtAnswer().stream().mapToDouble((step) -> step.values().get(condition)).toArray();
        return 0 == values.length ? Optional.empty() : Optional.of(Spread.of(values));
    }

    private List<Step> stepsAt(final long ratePerSecond)
    {
        return steps.stream().filter((step) -> step.ratePerSecond() == ratePerSecond).toList();
    }

    private SortedSet<Long> ratesThatHeld()
    {
        return steps.stream().filter(Step::isHeld).map(Step::ratePerSecond).collect(Collectors.toCollection(TreeSet::new));
    }

    private String heldText(final long ratePerSecond)
    {
        final List<Step> there = stepsAt(ratePerSecond);
        return text("%d of %s there held", there.stream().filter(Step::isHeld).count(), runs(there.size()));
    }

    private static String runs(final int count)
    {
        return count + (1 == count ? " run" : " runs");
    }

    private static String text(final String format, final Object... arguments)
    {
        return String.format(Locale.ROOT, format, arguments);
    }
}
