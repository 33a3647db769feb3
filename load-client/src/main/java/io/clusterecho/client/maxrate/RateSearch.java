package io.clusterecho.client.maxrate;

import java.util.ArrayList;
import java.util.List;

/**
 * Finds the highest rate that passes: doubles or halves the rate until one passed and one failed, halves the interval between
 * them (of their logarithms) until it is small enough. On a shared machine any single run may fail, and several in a row while
 * a system is cold: so the rate that bounds the others from above is tried once more after them, and if it passes, the search
 * goes up again.
 * <p>
 * What this finds is only proposed: of many rates tried, one that passed may have done so by luck. A rate is confirmed by fresh
 * trials alone, of which it must pass the share of the plan. It is left as soon as it cannot have that share any more and never
 * tried again; the search then steps down, by more each time, until a rate is confirmed. The last of these steps may be long,
 * so it is then halved again and again by rates that must be confirmed too, until it is small enough. One thread.
 */
public final class RateSearch
{
    private static final int MOST_RECHECKS = 4;

    /** Outcome of one run of a search. */
    record Trial(long ratePerSecond, Purpose purpose, boolean isPassed)
    {
    }

    /** Purpose of a trial. */
    public enum Purpose
    {
        /** Find one rate that passes and one that fails. */
        BRACKET,
        /** Halve the interval between them. */
        BISECT,
        /** Try the lowest failed rate again. */
        RECHECK,
        /** Confirm the answer. */
        CONFIRM
    }

    /** Outcome of a trial. */
    public enum Outcome
    {
        /** All conditions were met. */
        PASSED,
        /** A condition was not met. */
        FAILED,
        /** The search was interrupted; the trial does not count. */
        ENDED
    }

    /** Tries a rate once. */
    @FunctionalInterface
    public interface Probe
    {
        Outcome measure(long ratePerSecond, Purpose purpose);
    }

    private final SearchPlan plan;
    private final Probe probe;
    private final List<Trial> trials = new ArrayList<>();
    /** The highest rate that passed, the lowest above it that failed, and the highest that is confirmed; 0 if there is none. */
    private long passed;
    private long failed;
    private long confirmed;
    private boolean isEnded;

    private RateSearch(final SearchPlan plan, final Probe probe)
    {
        this.plan = plan;
        this.probe = probe;
    }

    public static SearchAnswer execute(final SearchPlan plan, final Probe probe)
    {
        final RateSearch search = new RateSearch(plan, probe);
        search.bracket();
        search.bisect();
        search.recheck();
        search.confirm();
        final SearchAnswer.Status status = search.isEnded ? SearchAnswer.Status.ENDED :
            search.confirmed > 0 ? SearchAnswer.Status.CONFIRMED : SearchAnswer.Status.NONE;
        return SearchAnswer.of(status, search.trials, plan);
    }

    private void bracket()
    {
        tryRate(plan.startRate(), Purpose.BRACKET);
        climb(SearchPlan.DOUBLING);
        while (!isEnded && 0 == passed && failed > plan.lowestRate())
        {
            tryRate(plan.below(failed), Purpose.BRACKET);
        }
    }

    /** Go up until a rate fails, from the next rate by a factor. */
    private void climb(final double firstFactor)
    {
        double factor = firstFactor;
        while (!isEnded && 0 == failed && passed < plan.highestRate())
        {
            tryRate(plan.above(passed, factor), Purpose.BRACKET);
            factor = Math.min(SearchPlan.DOUBLING, factor * factor);
        }
    }

    private void bisect()
    {
        while (!isEnded && passed > 0 && plan.between(passed, failed) > 0)
        {
            tryRate(plan.between(passed, failed), Purpose.BISECT);
        }
    }

    private void recheck()
    {
        for (int i = 0; i < MOST_RECHECKS && !isEnded && passed > 0 && failed > 0 && passes(failed, Purpose.RECHECK); i++)
        {
            passed = failed;
            failed = 0;
            climb(SearchPlan.SMALLEST_CLIMB);
            bisect();
        }
    }

    private void confirm()
    {
        double stepDown = 1 + plan.resolution();
        while (!isEnded && passed > 0)
        {
            if (isConfirmed())
            {
                confirmed = passed;
                passed = plan.between(confirmed, failed);
            }
            else if (!isEnded)
            {
                failed = passed;
                passed = confirmed > 0 ? plan.between(confirmed, failed) : plan.stepDown(failed, stepDown);
                stepDown *= stepDown;
            }
        }
    }

    private boolean isConfirmed()
    {
        int failedCount = 0;
        for (int i = 0; !isEnded && !SearchPlan.isMissed(failedCount) && i < plan.confirmationCount(); i++)
        {
            failedCount += passes(passed, Purpose.CONFIRM) ? 0 : 1;
        }
        return !isEnded && !SearchPlan.isMissed(failedCount);
    }

    private void tryRate(final long rate, final Purpose purpose)
    {
        if (passes(rate, purpose))
        {
            passed = rate;
        }
        else if (!isEnded)
        {
            failed = rate;
        }
    }

    private boolean passes(final long rate, final Purpose purpose)
    {
        final Outcome outcome = probe.measure(rate, purpose);
        isEnded = Outcome.ENDED == outcome;
        if (!isEnded)
        {
            trials.add(new Trial(rate, purpose, Outcome.PASSED == outcome));
        }
        return Outcome.PASSED == outcome;
    }
}
