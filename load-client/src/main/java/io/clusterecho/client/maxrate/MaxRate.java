package io.clusterecho.client.maxrate;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

import io.clusterecho.client.results.RunDescription;
import io.clusterecho.client.results.Threshold;

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
     * A condition's values over the runs at one rate.
     *
     * @param min    smallest.
     * @param median the middle one; of two, the mean.
     * @param max    largest.
     * @param count  of runs.
     */
    public record Spread(double min, double median, double max, int count)
    {
    }

    /**
     * What kept the rate from being higher.
     *
     * @return the limit.
     */
    public Limit limit()
    {
        return Limit.of(steps, answer);
    }

    /**
     * The search in a word.
     *
     * @return GOOD when the rate is confirmed, PARTIAL when it was ended before, FAILED when there is none.
     */
    public String verdict()
    {
        return switch (answer.status())
        {
            case CONFIRMED -> "GOOD";
            case ENDED -> problem.isEmpty() ? "PARTIAL" : "FAILED";
            case NONE -> "FAILED";
        };
    }

    /**
     * What speaks against the answer.
     *
     * @return one sentence each.
     */
    public List<String> reasons()
    {
        if (!problem.isEmpty())
        {
            return List.of(problem);
        }

        return switch (answer.status())
        {
            case CONFIRMED -> List.of();
            case ENDED -> List.of("partial: ended before the rate was confirmed");
            case NONE -> List.of(text(
                "no rate from %,d/s to %,d/s holds", plan.lowestRate(), plan.highestRate()));
        };
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
            warnings.add(text("%,d/s had held in the search and broke when it was tried again", rate));
        }
        if (answer.noiseCount() > 0)
        {
            warnings.add(text(
                "%d of %d trials broke and held when they were repeated: the machine or the system is not steady",
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
     * Runs at the answer, for whatever purpose.
     *
     * @return in order.
     */
    public List<Step> stepsAtAnswer()
    {
        return steps.stream().filter((step) -> step.ratePerSecond() == answer.ratePerSecond()).toList();
    }

    /**
     * How far the runs at the answer lie apart.
     *
     * @param condition index of it.
     * @return spread of its values.
     */
    public Spread spread(final int condition)
    {
        final List<Double> values = new ArrayList<>(
            stepsAtAnswer().stream().map((step) -> step.values().get(condition)).toList());
        if (values.isEmpty())
        {
            return new Spread(0, 0, 0, 0);
        }

        Collections.sort(values);
        final int count = values.size();
        return new Spread(
            values.get(0), (values.get((count - 1) / 2) + values.get(count / 2)) / 2, values.get(count - 1), count);
    }

    private static String text(final String format, final Object... arguments)
    {
        return String.format(Locale.ROOT, format, arguments);
    }
}
