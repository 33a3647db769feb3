package io.clusterecho.client.maxrate;

import java.util.ArrayList;
import java.util.List;

/**
 * Finds the highest rate that passes: doubles or halves the rate until one passed and one failed, halves the interval between
 * them (of their logarithms) until it is small enough, and confirms the answer.
 * <p>
 * A failed rate is repeated at once, because on a shared machine any single run may fail. That is not enough for the rate that
 * bounds the answer from above: while a system is cold or the machine is busy, several runs in a row may fail. So this rate is
 * tried once more after all others, and if it passes, the search goes up again. A rate that passed counts until it is
 * confirmed; if it fails then, or has not passed in more than half of all trials at its rate, the search steps down, by more
 * each time, until a rate is confirmed. The last of these steps may be long, so it is then halved again and again by rates
 * that must be confirmed too, until it is small enough. One thread.
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
        /**
         * Try a rate once.
         *
         * @param ratePerSecond to try.
         * @param purpose       of the trial.
         * @param attempt       1, or more if the rate failed the time before.
         */
        Outcome measure(long ratePerSecond, Purpose purpose, int attempt);

        /**
         * A trial counts; the search continues.
         *
         * @param left trials that follow, at most.
         */
        default void onCounted(final TrialsLeft left)
        {
        }
    }

    private final SearchPlan plan;
    private final Probe probe;
    private final SearchSteps steps;
    private final List<Trial> trials = new ArrayList<>();
    private long held;
    private long broken;
    private long confirmed;
    private double climb = SearchSteps.DOUBLING;
    private int recheckCount;
    private int confirmationCount;
    private double stepDown;
    private boolean isEnded;

    private RateSearch(final SearchPlan plan, final Probe probe)
    {
        this.plan = plan;
        this.probe = probe;
        steps = new SearchSteps(plan);
        stepDown = 1 + plan.resolution();
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
        search.confirm();
        final SearchAnswer.Status status = search.isEnded ? SearchAnswer.Status.ENDED :
            search.confirmed > 0 ? SearchAnswer.Status.CONFIRMED : SearchAnswer.Status.NONE;
        return SearchAnswer.of(status, search.trials, search.confirmed);
    }

    private void bracket()
    {
        tryRate(plan.startRate());
        while (!isEnded && 0 == broken && held < plan.highestRate())
        {
            tryRate(steps.above(held, climb));
        }
        while (!isEnded && 0 == held && broken > plan.lowestRate())
        {
            tryRate(steps.below(broken));
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
            final long middle = steps.between(held, broken);
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
            climb = SearchSteps.SMALLEST_CLIMB;
            while (!isEnded && 0 == broken && held < plan.highestRate())
            {
                tryRate(steps.above(held, climb));
                climb = steps.nextClimb(climb);
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
                held = steps.between(confirmed, broken);
            }
            else if (!isEnded)
            {
                broken = held;
                held = lower(broken);
                stepDown *= stepDown;
            }
        }
    }

    /**
     * Rate to confirm after one that could not be confirmed, or 0.
     */
    private long lower(final long rate)
    {
        return confirmed > 0 ? steps.between(confirmed, rate) : steps.stepDown(rate, stepDown);
    }

    /**
     * A rate that failed a whole round before it passed, for instance because the system was cold, needs as many more trials to
     * have passed in more than half of them.
     */
    private boolean isConfirmed()
    {
        confirmationCount = 0;
        while (steps.isUnconfirmed(confirmationCount, count(held, true), count(held, false)))
        {
            if (!holds(held, Purpose.CONFIRM))
            {
                return false;
            }
            confirmationCount++;
        }

        return count(held, true) > count(held, false);
    }

    private long count(final long rate, final boolean isHeld)
    {
        return trials.stream().filter((trial) -> rate == trial.ratePerSecond() && isHeld == trial.isHeld()).count();
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
            probe.onCounted(left(rate, purpose, plan.retryCount() + 1 - attempt, Outcome.HELD == outcome));
            if (Outcome.HELD == outcome)
            {
                return true;
            }
        }

        return false;
    }

    /**
     * Trials that follow one, which is not yet noted.
     *
     * @param attemptCount that the rate has left if it failed.
     */
    private TrialsLeft left(final long rate, final Purpose purpose, final int attemptCount, final boolean isHeld)
    {
        return switch (purpose)
        {
            case BRACKET, BISECT ->
            {
                final TrialsLeft ifHeld = left(rate, broken, steps.nextClimb(climb));
                final TrialsLeft ifBroken = left(held, rate, climb);
                yield isHeld ? ifHeld : 0 == attemptCount ? ifBroken : ifHeld.max(ifBroken).plus(attemptCount);
            }
            case RECHECK -> isHeld ? left(rate, 0, SearchSteps.SMALLEST_CLIMB) :
                new TrialsLeft(attemptCount, steps.confirmations(0, count(held, true), count(held, false)));
            case CONFIRM -> new TrialsLeft(0, confirmationsLeft(rate, attemptCount, isHeld));
        };
    }

    private TrialsLeft left(final long heldRate, final long brokenRate, final double nextClimb)
    {
        final TrialsLeft left = steps.left(heldRate, brokenRate, nextClimb, recheckCount < MOST_RECHECKS);
        final int ifAnswer = 0 == heldRate ? 0 : steps.confirmations(0, count(heldRate, true), count(heldRate, false));
        return left.max(new TrialsLeft(0, ifAnswer));
    }

    private int confirmationsLeft(final long rate, final int attemptCount, final boolean isHeld)
    {
        final long passed = count(rate, true);
        final long failed = count(rate, false);
        final int passedCount = confirmationCount + 1;
        if (!isHeld && attemptCount > 0)
        {
            return attemptCount + steps.confirmations(passedCount, passed + 1, failed + attemptCount - 1) +
                Math.max(halvings(rate, broken), ifUnconfirmed(rate));
        }
        if (isHeld && (steps.isUnconfirmed(passedCount, passed, failed) || passed > failed))
        {
            return steps.confirmations(passedCount, passed, failed) + halvings(rate, broken);
        }

        return ifUnconfirmed(rate);
    }

    /**
     * Trials that follow if a rate is not confirmed, at most.
     */
    private int ifUnconfirmed(final long rate)
    {
        final long lower = lower(rate);
        return 0 == lower ? 0 : steps.confirmations(0, count(lower, true), count(lower, false)) +
            Math.max(halvings(lower, rate), halvings(confirmed, lower));
    }

    /**
     * Trials that confirm rates between a confirmed one and one that could not be confirmed, at most.
     */
    private int halvings(final long confirmedRate, final long brokenRate)
    {
        final long middle = 0 == confirmedRate ? 0 : steps.between(confirmedRate, brokenRate);
        return 0 == middle ? 0 : steps.confirmations(0, count(middle, true), count(middle, false)) +
            Math.max(halvings(confirmedRate, middle), halvings(middle, brokenRate));
    }
}
