package io.clusterecho.client.sweep;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.ToDoubleFunction;

import io.clusterecho.reporting.results.Percentile;
import io.clusterecho.reporting.results.Spread;

/**
 * What the repeats of a cell came to. A run, not a message, is what is summed up: the median over the runs of each
 * percentile, and how far the runs lie apart.
 *
 * @param cell    of them.
 * @param repeats asked for.
 * @param runs    that are done, in order.
 */
public record CellSummary(Cell cell, int repeats, List<SweepRun> runs)
{
    /**
     * The cell in a word.
     *
     * @return GOOD when all repeats are, FAILED when one is not, PARTIAL while some are not done, OPEN while none is.
     */
    public String verdict()
    {
        return isFailed() ? "FAILED" :
            runs.size() == repeats ? "GOOD" : runs.isEmpty() ? "OPEN" : "PARTIAL";
    }

    /**
     * Whether a run of it is not good.
     */
    boolean isFailed()
    {
        return !runs.stream().allMatch(SweepRun::isGood);
    }

    /**
     * What speaks against it.
     *
     * @return each reason once, with the repeats that it is of.
     */
    public List<String> reasons()
    {
        final Set<String> texts = new LinkedHashSet<>();
        runs.forEach((run) -> texts.addAll(run.reasons()));
        final List<String> reasons = new ArrayList<>();
        for (final String text : texts)
        {
            final List<String> of = runs.stream().filter((run) -> run.reasons().contains(text))
                .map((run) -> String.valueOf(run.repeat())).toList();
            reasons.add(of.size() == repeats ? text : "repeat " + String.join(", ", of) + ": " + text);
        }

        return reasons;
    }

    /**
     * Number of good runs.
     */
    public long goodCount()
    {
        return runs.stream().filter(SweepRun::isGood).count();
    }

    /**
     * Runs that values are of: the good ones; where there is none, those that were measured at all.
     *
     * @return in order.
     */
    public List<SweepRun> counted()
    {
        return goodCount() > 0 ? runs.stream().filter(SweepRun::isGood).toList() :
            runs.stream().filter(SweepRun::isMeasured).toList();
    }

    /**
     * Whether values are of runs that failed, for want of good ones.
     *
     * @return true if so.
     */
    boolean isOfFailedRuns()
    {
        return 0 == goodCount() && !counted().isEmpty();
    }

    /**
     * A number of the counted runs.
     *
     * @param number of a run.
     * @return its spread, or null if no run counts.
     */
    public Spread spread(final ToDoubleFunction<SweepRun> number)
    {
        final double[] values = counted().stream().mapToDouble(number).toArray();
        return 0 == values.length ? null : Spread.of(values);
    }

    /**
     * The response times of the counted runs.
     *
     * @param percentile of each run.
     * @return its spread in ns, or null if no run counts.
     */
    public Spread spread(final Percentile percentile)
    {
        return spread((run) -> run.responseTimeNs().at(percentile));
    }

    String placement()
    {
        return runs.stream().map(SweepRun::placement).filter(Objects::nonNull).findFirst().orElse("");
    }

    String durability()
    {
        return runs.stream().map(SweepRun::durability).filter(Objects::nonNull).findFirst().orElse("");
    }
}
