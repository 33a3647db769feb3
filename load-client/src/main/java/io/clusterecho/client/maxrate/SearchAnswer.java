package io.clusterecho.client.maxrate;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Result of the trials of a search, derived from them alone.
 *
 * @param status          of the search.
 * @param isConfirmed     whether the rate passed as often as required, and in more than half of all its trials.
 * @param ratePerSecond   the highest confirmed rate; if there is none and the search ended early, the highest rate that passed
 *                        and that no later trial at it or at a lower rate contradicts; else 0.
 * @param brokenRate      lowest rate above it that failed in its last trial, or could not be confirmed; 0 if there is none.
 * @param runCount        number of trials, repeats included.
 * @param noiseCount      trials that failed and passed when repeated at once.
 * @param steppedDownFrom rates that could not be confirmed, in order.
 */
public record SearchAnswer(
    Status status,
    boolean isConfirmed,
    long ratePerSecond,
    long brokenRate,
    int runCount,
    int noiseCount,
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

    /**
     * The answer if the search ended now.
     *
     * @param steps so far.
     */
    public static SearchAnswer soFar(final List<Step> steps)
    {
        return of(Status.ENDED, steps.stream().map(Step::trial).toList(), 0);
    }

    /**
     * Derive the answer from trials.
     *
     * @param status    of the search.
     * @param trials    in order.
     * @param confirmed the highest confirmed rate, or 0 if that is not known of the last rate to confirm.
     */
    static SearchAnswer of(final Status status, final List<Trial> trials, final long confirmed)
    {
        final NavigableMap<Long, Boolean> isHeldLast = new TreeMap<>();
        final NavigableSet<Long> held = new TreeSet<>();
        int noiseCount = 0;
        for (final Trial trial : trials)
        {
            final long rate = trial.ratePerSecond();
            isHeldLast.put(rate, trial.isHeld());
            if (trial.isHeld())
            {
                held.add(rate);
                noiseCount += trial.attempt() - 1;
            }
            else
            {
                held.tailSet(rate, true).clear();
            }
        }

        final List<Long> toConfirm = new ArrayList<>(trials.stream()
            .filter((trial) -> RateSearch.Purpose.CONFIRM == trial.purpose()).map(Trial::ratePerSecond).distinct().toList());
        if (Status.ENDED == status && !toConfirm.isEmpty() && confirmed != toConfirm.get(toConfirm.size() - 1))
        {
            // Its trials may not be over.
            toConfirm.remove(toConfirm.size() - 1);
        }
        final List<Long> steppedDownFrom = toConfirm.stream().filter((rate) -> !isConfirmed(rate, trials)).toList();
        steppedDownFrom.forEach((rate) -> held.tailSet(rate, true).clear());
        final long highest =
            toConfirm.stream().filter((rate) -> !steppedDownFrom.contains(rate)).mapToLong(Long::longValue).max().orElse(0);
        final long answer = highest > 0 || Status.ENDED != status || held.isEmpty() ? highest : held.last();
        final long broken = isHeldLast.tailMap(answer, false).entrySet().stream()
            .filter((entry) -> !entry.getValue() || steppedDownFrom.contains(entry.getKey()))
            .mapToLong(NavigableMap.Entry::getKey).findFirst().orElse(0);
        return new SearchAnswer(status, highest > 0, answer, broken, trials.size(), noiseCount, steppedDownFrom);
    }

    /**
     * Whether a rate whose confirmation has ended is confirmed.
     */
    private static boolean isConfirmed(final long rate, final List<Trial> trials)
    {
        final List<Trial> there = trials.stream().filter((trial) -> rate == trial.ratePerSecond()).toList();
        return there.get(there.size() - 1).isHeld() && 2 * there.stream().filter(Trial::isHeld).count() > there.size();
    }

    /**
     * Whether no rate above the answer failed, so that the limit may be higher.
     */
    public boolean isOpenAbove()
    {
        return ratePerSecond > 0 && 0 == brokenRate;
    }
}
