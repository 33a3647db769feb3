package io.clusterecho.client.sweep;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;

import io.clusterecho.reporting.results.Percentile;
import io.clusterecho.reporting.results.Spread;
import io.clusterecho.reporting.results.Verdict;

/**
 * Summary of the repeats of a cell that are done, in order. The sample is a run, not a message: the median over the runs of each
 * percentile, and their spread.
 */
public record CellSummary(Cell cell, int repeats, List<SweepRun> runs)
{
    /**
     * The verdict in one word: GOOD if all repeats are, CLIENT-LIMITED if half of these or more are so, FAILED if one is not,
     * PARTIAL while some are not done, OPEN while none is.
     */
    public String verdict()
    {
        return isFailed() ? "FAILED" : runs.isEmpty() ? "OPEN" : runs.size() < repeats ? "PARTIAL" :
            isClientLimited() ? Verdict.CLIENT_LIMITED : "GOOD";
    }

    /** Whether all repeats are done and none failed. */
    boolean isValid()
    {
        return !isFailed() && runs.size() == repeats;
    }

    /** Whether the client is so much of the response times that medians over the runs show little of the system. */
    boolean isClientLimited()
    {
        return !counted().isEmpty() && 2 * clientLimitedCount() >= counted().size();
    }

    long clientLimitedCount()
    {
        return counted().stream().filter(SweepRun::isClientLimited).count();
    }

    /** Whether a run is not good. */
    boolean isFailed()
    {
        return !runs.stream().allMatch(SweepRun::isGood);
    }

    /** Reasons of the runs, each once with the repeats it applies to. */
    public List<String> reasons()
    {
        return ofRuns(SweepRun::reasons);
    }

    /** What disturbed the runs that does not belong to the test, each once with the repeats it applies to. */
    List<String> disturbances()
    {
        return ofRuns(SweepRun::disturbances);
    }

    private List<String> ofRuns(final Function<SweepRun, List<String>> textsOf)
    {
        final Map<String, Set<String>> repeatsOf = new LinkedHashMap<>();
        runs.forEach((run) -> textsOf.apply(run).forEach((text) ->
            repeatsOf.computeIfAbsent(text, (key) -> new LinkedHashSet<>()).add(String.valueOf(run.repeat()))));
        return repeatsOf.entrySet().stream().map((of) -> of.getValue().size() == repeats ? of.getKey() :
            "repeat " + String.join(", ", of.getValue()) + ": " + of.getKey()).toList();
    }

    public long goodCount()
    {
        return runs.stream().filter(SweepRun::isGood).count();
    }

    /** Whether it has good runs with a median, or with rates found, to compare with those of another cell. */
    boolean isCompared()
    {
        return goodCount() > 0 && (!cell.isRateGiven() || null != spread(Percentile.P50));
    }

    /** Runs that count: the good ones; if there are none, those that were measured. In order. */
    public List<SweepRun> counted()
    {
        return goodCount() > 0 ? runs.stream().filter(SweepRun::isGood).toList() :
            runs.stream().filter(SweepRun::isMeasured).toList();
    }

    /** Spread of a number over the counted runs, or null if there are none or one lacks it. */
    public Spread spread(final Function<SweepRun, ? extends Number> number)
    {
        final List<Number> values = counted().stream().<Number>map(number).toList();
        return values.isEmpty() || values.contains(null) ? null :
            Spread.of(values.stream().mapToDouble(Number::doubleValue).toArray());
    }

    /**
     * Spread of the rates that searches found, or that loads without a given rate reached, in messages per second; null if none
     * did, or the rate was given.
     */
    public Spread highestRate()
    {
        return cell.isSearch() ? spread(SweepRun::ratePerSecondAsked) :
            cell.isAtARate() ? null : spread(SweepRun::ratePerSecondAchieved);
    }

    /** Spread of a percentile of the response time in ns over the counted runs, or null if there are none or one lacks it. */
    public Spread spread(final Percentile percentile)
    {
        return spread((run) -> SweepRun.at(run.responseTimeNs(), percentile));
    }

    /** Spread of a number of the member's return over the counted runs in which it is known, or null if there are none. */
    public Spread ofReturns(final Function<SweepRun.MemberReturn, ? extends Number> number)
    {
        final double[] values = counted().stream().map(SweepRun::memberReturn).filter(Objects::nonNull).map(number)
            .filter(Objects::nonNull).mapToDouble(Number::doubleValue).toArray();
        return 0 == values.length ? null : Spread.of(values);
    }

    /** A text of the first run that has it, or empty. */
    String first(final Function<SweepRun, String> text)
    {
        return runs.stream().map(text).filter(Objects::nonNull).findFirst().orElse("");
    }
}
