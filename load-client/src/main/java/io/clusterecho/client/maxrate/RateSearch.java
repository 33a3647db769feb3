package io.clusterecho.client.maxrate;

import java.util.ArrayList;
import java.util.List;

import io.clusterecho.settings.Quantity;

/**
 * Finds the highest rate that passes: doubles or halves the rate until one passed and one failed, halves the interval between
 * them (of their logarithms) until it is small enough, and confirms the answer.
 * <p>
 * A failed rate is repeated at once, because on a shared machine any single run may fail. That is not enough for the rate that
 * bounds the answer from above: while a system is cold or the machine is busy, several runs in a row may fail. So this rate is
 * tried once more after all others, and if it passes, the search goes up again. A rate that passed counts until it is
 * confirmed; if it fails then, or has not passed in more than half of all trials at its rate, the search steps down, by more
 * each time. One thread.
 */
public final class RateSearch
{
    private static final int MOST_RECHECKS = 4;
    private static final double SMALLEST_CLIMB = 1.25;
    private static final double LARGEST_CLIMB = 2;

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
        /**
         * Try a rate once.
         *
         * @param ratePerSecond to try.
         * @param purpose       of the trial.
         * @param attempt       1, or more if the rate failed the time before.
         */
        Outcome measure(long ratePerSecond, Purpose purpose, int attempt);
    }

    private final SearchPlan plan;
    private final Probe probe;
    private final List<Trial> trials = new ArrayList<>();
    private long held;
    private long broken;
    private int recheckCount;
    private boolean isEnded;

    private RateSearch(final SearchPlan plan, final Probe probe)
    {
        this.plan = plan;
        this.probe = probe;
    }

    /**
     * Search.
     *
     * @param plan  of the search.
     * @param probe tries each rate.
     */
    public static SearchAnswer execute(final SearchPlan plan, final Probe probe)
    {
        final RateSearch search = new RateSearch(plan, probe);
        search.bracket();
        search.bisect();
        search.recheck();
        final boolean isConfirmed = search.confirm();
        final SearchAnswer.Status status = isConfirmed ? SearchAnswer.Status.CONFIRMED :
            search.isEnded ? SearchAnswer.Status.ENDED : SearchAnswer.Status.NONE;
        return SearchAnswer.of(status, search.trials);
    }

    private void bracket()
    {
        tryRate(plan.startRate());
        while (!isEnded && 0 == broken && held < plan.highestRate())
        {
            tryRate(Math.min(plan.highestRate(), 2 * held));
        }
        while (!isEnded && 0 == held && broken > plan.lowestRate())
        {
            tryRate(Math.max(plan.lowestRate(), broken / 2));
        }
    }

    private void tryRate(final long rate)
    {
        note(rate, holds(rate, Purpose.BRACKET));
    }

    private void bisect()
    {
        while (!isEnded && held > 0 && broken > held * (1 + plan.resolution()))
        {
            final long middle = Quantity.threeDigits(Math.sqrt((double)held * broken));
            if (middle <= held || middle >= broken)
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
            double factor = SMALLEST_CLIMB;
            while (!isEnded && 0 == broken && held < plan.highestRate())
            {
                tryRate(Math.min(plan.highestRate(), Math.max(held + 1, Quantity.threeDigits(factor * held))));
                factor = Math.min(LARGEST_CLIMB, factor * factor);
            }
            bisect();
        }
    }

    private boolean confirm()
    {
        double step = 1 + plan.resolution();
        while (!isEnded && held > 0)
        {
            if (isConfirmed())
            {
                return true;
            }
            if (!isEnded)
            {
                broken = held;
                held = broken <= plan.lowestRate() ? 0 :
                    Math.max(plan.lowestRate(), Math.min(broken - 1, Quantity.threeDigits(broken / step)));
                step *= step;
            }
        }

        return false;
    }

    /**
     * A rate that failed a whole round before it passed, for instance because the system was cold, needs as many more trials to
     * have passed in more than half of them.
     */
    private boolean isConfirmed()
    {
        final int most = plan.confirmationCount() + 1 + plan.retryCount();
        int count = 0;
        while (count < plan.confirmationCount() || count < most && !hasHeldMoreOftenThanNot())
        {
            if (!holds(held, Purpose.CONFIRM))
            {
                return false;
            }
            count++;
        }

        return hasHeldMoreOftenThanNot();
    }

    private boolean hasHeldMoreOftenThanNot()
    {
        final List<Trial> atRate = trials.stream().filter((trial) -> held == trial.ratePerSecond()).toList();
        return 2 * atRate.stream().filter(Trial::isHeld).count() > atRate.size();
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
        for (int attempt = 1; attempt <= 1 + plan.retryCount(); attempt++)
        {
            final Outcome outcome = probe.measure(rate, purpose, attempt);
            if (Outcome.ENDED == outcome)
            {
                isEnded = true;
                return false;
            }
            trials.add(new Trial(rate, purpose, attempt, Outcome.HELD == outcome));
            if (Outcome.HELD == outcome)
            {
                return true;
            }
        }

        return false;
    }
}
