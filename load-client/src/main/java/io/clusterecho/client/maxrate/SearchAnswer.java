package io.clusterecho.client.maxrate;

import static io.clusterecho.text.Lines.text;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * Result of the trials of a search, derived from them alone.
 *
 * @param ratePerSecond   the highest confirmed rate; if there is none and the search ended early, the highest rate that passed
 *                        and that no later trial at it or at a lower rate contradicts; else 0.
 * @param failedRate      lowest rate above it that failed in its last trial; 0 if there is none.
 * @param steppedDownFrom rates that could not be confirmed, in order.
 */
public record SearchAnswer(
    Status status,
    boolean isConfirmed,
    long ratePerSecond,
    long failedRate,
    int runCount,
    List<Long> steppedDownFrom)
{
    /** How a search ends. */
    public enum Status
    {
        /** A rate is confirmed, and none between it and the lowest that failed is left to try. */
        CONFIRMED,
        /** No rate of the range could be confirmed. */
        NONE,
        /** The search ended early; the rate may be confirmed. */
        ENDED
    }

    /** Derive the answer from trials in order; that of a search that ended if it is not over. */
    static SearchAnswer of(final Status status, final List<RateSearch.Trial> trials, final SearchPlan plan)
    {
        final NavigableMap<Long, Boolean> isPassedLast = new TreeMap<>();
        final NavigableSet<Long> passed = new TreeSet<>();
        final Map<Long, List<Boolean>> fresh = new LinkedHashMap<>();
        for (final RateSearch.Trial trial : trials)
        {
            final long rate = trial.ratePerSecond();
            isPassedLast.put(rate, trial.isPassed());
            if (trial.isPassed())
            {
                passed.add(rate);
            }
            else
            {
                passed.tailSet(rate, true).clear();
            }
            if (RateSearch.Purpose.CONFIRM == trial.purpose())
            {
                fresh.computeIfAbsent(rate, (first) -> new ArrayList<>()).add(trial.isPassed());
            }
        }

        final List<Long> steppedDownFrom = fresh.keySet().stream().filter((rate) -> isMissed(fresh.get(rate))).toList();
        final long highest = fresh.keySet().stream()
            .filter((rate) -> plan.confirmationCount() == fresh.get(rate).size() && !isMissed(fresh.get(rate)))
            .mapToLong(Long::longValue).max().orElse(0);
        final long answer = highest > 0 || Status.ENDED != status || passed.isEmpty() ? highest : passed.last();
        final long failed = isPassedLast.tailMap(answer, false).entrySet().stream()
            .filter((entry) -> !entry.getValue()).mapToLong(NavigableMap.Entry::getKey).findFirst().orElse(0);
        return new SearchAnswer(status, highest > 0, answer, failed, trials.size(), steppedDownFrom);
    }

    private static boolean isMissed(final List<Boolean> fresh)
    {
        return SearchPlan.isMissed(Collections.frequency(fresh, false));
    }

    /** Whether no rate above the answer failed, so that the limit may be higher. */
    public boolean isOpenAbove()
    {
        return ratePerSecond > 0 && 0 == failedRate;
    }

    /**
     * What shows that the system became faster while it was searched, so that a confirmed rate is not that of a steady state.
     *
     * @return a sentence without its full stop; empty if nothing shows it, or if the rate is not confirmed.
     */
    String climb(final List<RateSearch.Trial> trials)
    {
        if (Status.CONFIRMED != status)
        {
            return "";
        }
        if (isOpenAbove())
        {
            return text("no rate above %,d/s failed", ratePerSecond);
        }

        final int recheck = IntStream.range(0, trials.size())
            .filter((i) -> RateSearch.Purpose.RECHECK == trials.get(i).purpose()).max().orElse(-1);
        if (recheck >= 0 && trials.get(recheck).isPassed())
        {
            return text(
                "%,d/s had failed and passed in run %d, its last recheck", trials.get(recheck).ratePerSecond(), recheck + 1);
        }

        return exceeded(trials);
    }

    /**
     * A rate that passed more than one step above a rate that had failed, in the search for one to propose. One step is noise:
     * near the limit any run may fail.
     */
    private static String exceeded(final List<RateSearch.Trial> trials)
    {
        int lowest = -1;
        for (int i = 0; i < trials.size(); i++)
        {
            final RateSearch.Trial trial = trials.get(i);
            if (lowest >= 0 && trial.isPassed() &&
                trial.ratePerSecond() > SearchPlan.SMALLEST_CLIMB * trials.get(lowest).ratePerSecond())
            {
                return text(
                    "%,d/s had failed in run %d, and %,d/s passed in run %d", trials.get(lowest).ratePerSecond(), lowest + 1,
                    trial.ratePerSecond(), i + 1);
            }
            if (!trial.isPassed() && RateSearch.Purpose.CONFIRM != trial.purpose() &&
                (lowest < 0 || trial.ratePerSecond() < trials.get(lowest).ratePerSecond()))
            {
                lowest = i;
            }
        }

        return "";
    }
}
