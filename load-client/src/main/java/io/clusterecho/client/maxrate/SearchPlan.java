package io.clusterecho.client.maxrate;

import io.clusterecho.client.run.DeclaredOption.LoadOption;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Quantity;

/**
 * Range and termination of a search, and the rates that it tries next, whatever the trials made so far.
 *
 * @param startRate first rate tried, in messages per second.
 */
public record SearchPlan(
    long startRate,
    @LoadOption(names = "--lowest", label = "N", byDefault = "100", kind = LoadOption.Kind.PER_SECOND,
        text = "Minimum rate. Default: ${DEFAULT-VALUE}.")
    long lowestRate,
    @LoadOption(names = "--highest", label = "N", byDefault = "10M", kind = LoadOption.Kind.PER_SECOND,
        text = "Maximum rate. Default: ${DEFAULT-VALUE}.")
    long highestRate,
    @LoadOption(names = "--resolution", label = "SHARE", byDefault = "5%", kind = LoadOption.Kind.SHARE,
        text = "Largest gap between the answer and the lowest rate that failed. Default: ${DEFAULT-VALUE}.")
    double resolution,
    @LoadOption(names = "--pass", label = "SHARE", byDefault = "90%", kind = LoadOption.Kind.SHARE,
        text = "Share of fresh runs that the answer must pass, 50%% to 99%%. It takes as many as have this share " +
        "with one failure: 10 for 90%%, 2 for 50%%. Default: ${DEFAULT-VALUE}.")
    double passShare)
{
    /** Factor between rates of a search of which no rate has failed yet, and largest factor later. */
    static final double DOUBLING = 2;
    /** Factor of the first step after a failed rate has passed. */
    static final double SMALLEST_CLIMB = 1.25;

    private static final double FINEST = 0.001;
    private static final double LOWEST_PASS = 0.5;
    private static final double HIGHEST_PASS = 0.99;
    private static final double ROUNDING = 1e-9;

    /** Checks that the search can end. */
    public SearchPlan
    {
        InvalidSettingException.throwIf(
            lowestRate > highestRate, "--lowest", lowestRate, "at most --highest " + highestRate);
        InvalidSettingException.throwIf(
            startRate < lowestRate || startRate > highestRate, "--rate", startRate,
            "from --lowest " + lowestRate + " to --highest " + highestRate + ", because the search begins at this rate");
        InvalidSettingException.throwIf(
            passShare < LOWEST_PASS || passShare > HIGHEST_PASS, "--pass", passShare, "a share from 50% to 99%");
        InvalidSettingException.throwIf(
            resolution < FINEST || resolution > 1, "--resolution", resolution, "a share from 0.1% to 100%");
    }

    /** Fresh trials that confirm a rate: as few as have the share if one of them fails. */
    int confirmationCount()
    {
        return (int)Math.ceil(1 / (1 - passShare) - ROUNDING);
    }

    /** Whether a rate cannot have the share any more. */
    static boolean isMissed(final long failedCount)
    {
        return failedCount > 1;
    }

    /** Next rate above one that passed. */
    long above(final long passed, final double climb)
    {
        return Math.min(highestRate, Math.max(passed + 1, Quantity.threeDigits(climb * passed)));
    }

    /** Next rate below one that failed. */
    long below(final long failed)
    {
        return Math.max(lowestRate, failed / 2);
    }

    /** Rate between one that passed and one that failed; 0 if they are close enough. */
    long between(final long passed, final long failed)
    {
        if (failed <= passed * (1 + resolution))
        {
            return 0;
        }
        final long middle = Quantity.threeDigits(Math.sqrt((double)passed * failed));
        return middle <= passed || middle >= failed ? 0 : middle;
    }

    /** Rate to confirm after one that could not be confirmed, a step of more than 1 lower; 0 if there is none. */
    long stepDown(final long failed, final double factor)
    {
        return failed <= lowestRate ? 0 :
            Math.max(lowestRate, Math.min(failed - 1, Quantity.threeDigits(failed / factor)));
    }
}
