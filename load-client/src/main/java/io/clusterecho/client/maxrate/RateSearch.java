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
        HELD,
        /** A condition was not met. */
        BROKEN,
        /** The search was interrupted; the trial does not count. */
        ENDED
    }

    /** Tries a rate. */
    @FunctionalInterface
    public interface Probe
    {
        /** Try a rate once. */
        Outcome measure(long ratePerSecond, Purpose purpose);
    }

    private final SearchPlan plan;
    private final Probe probe;
    private final List<Trial> trials = new ArrayList<>();
    private long held;
    private long broken;
    private long confirmed;
    private double climb = SearchPlan.DOUBLING;
    private int recheckCount;
    private int freshCount;
    private int failedCount;
    private double stepDown;
    private boolean isEnded;

    private RateSearch(final SearchPlan plan, final Probe probe)
    {
        this.plan = plan;
        this.probe = probe;
        stepDown = 1 + plan.resolution();
    }

    /** Search. */
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
        tryRate(plan.startRate());
        while (!isEnded && 0 == broken && held < plan.highestRate())
        {
            tryRate(plan.above(held, climb));
        }
        while (!isEnded && 0 == held && broken > plan.lowestRate())
        {
            tryRate(plan.below(broken));
        }
    }

    private void tryRate(final long rate)
    {
        note(rate, holds(rate, Purpose.BRACKET));
    }

    private void bisect()
    {
        while (!isEnded && held > 0)
        {
            final long middle = plan.between(held, broken);
            if (0 == middle)
            {
                break;
            }
            note(middle, holds(middle, Purpose.BISECT));
        }
    }

    private void recheck()
    {
        while (!isEnded && held > 0 && broken > 0 && recheckCount++ < MOST_RECHECKS && holds(broken, Purpose.RECHECK))
        {
            held = broken;
            broken = 0;
            climb = SearchPlan.SMALLEST_CLIMB;
            while (!isEnded && 0 == broken && held < plan.highestRate())
            {
                tryRate(plan.above(held, climb));
                climb = SearchPlan.nextClimb(climb);
            }
            bisect();
        }
    }

    private void confirm()
    {
        while (!isEnded && held > 0)
        {
            if (isConfirmed())
            {
                confirmed = held;
                held = plan.between(confirmed, broken);
            }
            else if (!isEnded)
            {
                broken = held;
                held = lower(broken);
                stepDown *= stepDown;
            }
        }
    }

    /** Rate to confirm after one that could not be confirmed, or 0. */
    private long lower(final long rate)
    {
        return confirmed > 0 ? plan.between(confirmed, rate) : plan.stepDown(rate, stepDown);
    }

    private boolean isConfirmed()
    {
        freshCount = 0;
        failedCount = 0;
        while (!isEnded && !SearchPlan.isMissed(failedCount) && freshCount < plan.confirmationCount())
        {
            holds(held, Purpose.CONFIRM);
        }

        return !isEnded && !SearchPlan.isMissed(failedCount);
    }

    private void note(final long rate, final boolean isHeld)
    {
        if (isHeld)
        {
            held = rate;
        }
        else if (!isEnded)
        {
            broken = rate;
        }
    }

    private boolean holds(final long rate, final Purpose purpose)
    {
        final Outcome outcome = probe.measure(rate, purpose);
        if (Outcome.ENDED == outcome)
        {
            isEnded = true;
            return false;
        }
        final boolean isHeld = Outcome.HELD == outcome;
        trials.add(new Trial(rate, purpose, isHeld));
        freshCount++;
        failedCount += isHeld ? 0 : 1;
        return isHeld;
    }
}
