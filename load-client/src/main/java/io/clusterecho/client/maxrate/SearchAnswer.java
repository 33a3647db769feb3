package io.clusterecho.client.maxrate;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What the trials of a search came to. All of it follows from the trials, so that it says nothing that they do not.
 *
 * @param status          in a word.
 * @param ratePerSecond   the rate that was confirmed; of a search that was ended before, the highest that held and that no
 *                        later trial of it or of a lower rate contradicts; else 0.
 * @param brokenRate      lowest rate above it that broke the last time that it was tried, or could not be confirmed; 0 when
 *                        there is none.
 * @param runCount        of trials, repeats included.
 * @param noiseCount      trials that broke and held when repeated at once.
 * @param steppedDownFrom rates that could not be confirmed, in order.
 */
public record SearchAnswer(
    Status status, long ratePerSecond, long brokenRate, int runCount, int noiseCount, List<Long> steppedDownFrom)
{
    /** How a search can end. */
    public enum Status
    {
        /** The rate held as often as was asked for, and in more than half of all its trials. */
        CONFIRMED,
        /** No rate of the range could be confirmed. */
        NONE,
        /** The search was ended before it was through; the rate held, but is not confirmed. */
        ENDED
    }

    /**
     * What steps say while the search is on.
     *
     * @param steps so far.
     * @return the answer if the search were ended now.
     */
    public static SearchAnswer soFar(final List<Step> steps)
    {
        return of(Status.ENDED, steps.stream().map(Step::trial).toList());
    }

    /**
     * What trials say.
     *
     * @param status of the search; a rate that is confirmed is that of the last trial.
     * @param trials in order.
     */
    static SearchAnswer of(final Status status, final List<Trial> trials)
    {
        final NavigableMap<Long, Boolean> isHeldLast = new TreeMap<>();
        final NavigableSet<Long> held = new TreeSet<>();
        final List<Long> steppedDownFrom = new ArrayList<>();
        int noiseCount = 0;
        long toConfirm = 0;
        for (final Trial trial : trials)
        {
            final long rate = trial.ratePerSecond();
            if (RateSearch.Purpose.CONFIRM == trial.purpose())
            {
                if (toConfirm > 0 && rate != toConfirm)
                {
                    steppedDownFrom.add(toConfirm);
                    held.tailSet(toConfirm, true).clear();
                }
                toConfirm = rate;
            }
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
        if (Status.NONE == status && toConfirm > 0)
        {
            steppedDownFrom.add(toConfirm);
        }

        final long answer = switch (status)
        {
            case CONFIRMED -> toConfirm;
            case NONE -> 0;
            case ENDED -> held.isEmpty() ? 0 : held.last();
        };
        final long broken = isHeldLast.tailMap(answer, false).entrySet().stream()
            .filter((entry) -> !entry.getValue() || steppedDownFrom.contains(entry.getKey()))
            .mapToLong(NavigableMap.Entry::getKey).findFirst().orElse(0);
        return new SearchAnswer(status, answer, broken, trials.size(), noiseCount, List.copyOf(steppedDownFrom));
    }

    /**
     * Whether nothing above the rate was found to break.
     *
     * @return true if the limit may lie higher.
     */
    public boolean isOpenAbove()
    {
        return ratePerSecond > 0 && 0 == brokenRate;
    }
}
