package io.clusterecho.client.maxrate;

import io.clusterecho.settings.InvalidSettingException;

/**
 * Range and termination of a search.
 *
 * @param startRate   first rate tried, in messages per second.
 * @param lowestRate  minimum rate.
 * @param highestRate maximum rate.
 * @param resolution  largest distance between the highest rate that passed and the lowest that failed, as a share, for instance
 *                    0.05.
 * @param passShare   share of fresh trials that the answer must pass, for instance 0.9.
 */
public record SearchPlan(long startRate, long lowestRate, long highestRate, double resolution, double passShare)
{
    private static final double FINEST = 0.001;
    private static final double LOWEST_PASS = 0.5;
    private static final double HIGHEST_PASS = 0.99;
    private static final double ROUNDING = 1e-9;

    /** Checks that the search can end. */
    public SearchPlan
    {
        if (lowestRate > highestRate)
        {
            throw new InvalidSettingException("--lowest", lowestRate, "at most --highest " + highestRate);
        }
        if (startRate < lowestRate || startRate > highestRate)
        {
            throw new InvalidSettingException(
                "--rate", startRate, "from --lowest " + lowestRate + " to --highest " + highestRate +
                ", because the search begins at this rate");
        }
        if (passShare < LOWEST_PASS || passShare > HIGHEST_PASS)
        {
            throw new InvalidSettingException("--pass", passShare, "a share from 50% to 99%");
        }
        if (resolution < FINEST || resolution > 1)
        {
            throw new InvalidSettingException("--resolution", resolution, "a share from 0.1% to 100%");
        }
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
}
