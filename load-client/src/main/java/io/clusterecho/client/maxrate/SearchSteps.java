package io.clusterecho.client.maxrate;

import io.clusterecho.settings.Quantity;

/** The rates that a search tries next. Independent of the trials made so far. */
final class SearchSteps
{
    /** Factor between rates of a search of which no rate has failed yet, and largest factor later. */
    static final double DOUBLING = 2;

    /** Factor of the first step after a failed rate has passed. */
    static final double SMALLEST_CLIMB = 1.25;

    private final SearchPlan plan;

    SearchSteps(final SearchPlan plan)
    {
        this.plan = plan;
    }

    double nextClimb(final double climb)
    {
        return Math.min(DOUBLING, climb * climb);
    }

    /** Next rate above one that passed. */
    long above(final long held, final double climb)
    {
        return Math.min(plan.highestRate(), Math.max(held + 1, Quantity.threeDigits(climb * held)));
    }

    /** Next rate below one that failed. */
    long below(final long broken)
    {
        return Math.max(plan.lowestRate(), broken / 2);
    }

    /** Rate between one that passed and one that failed; 0 if they are close enough. */
    long between(final long held, final long broken)
    {
        if (broken <= held * (1 + plan.resolution()))
        {
            return 0;
        }
        final long middle = Quantity.threeDigits(Math.sqrt((double)held * broken));
        return middle <= held || middle >= broken ? 0 : middle;
    }

    /**
     * Rate to confirm after one that could not be confirmed.
     *
     * @param factor of the step, more than 1.
     * @return 0 if there is none.
     */
    long stepDown(final long broken, final double factor)
    {
        return broken <= plan.lowestRate() ? 0 :
            Math.max(plan.lowestRate(), Math.min(broken - 1, Quantity.threeDigits(broken / factor)));
    }
}
