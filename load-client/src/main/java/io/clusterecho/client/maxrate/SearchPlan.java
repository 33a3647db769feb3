package io.clusterecho.client.maxrate;

import io.clusterecho.settings.InvalidSettingException;

/**
 * Range and termination of a search.
 *
 * @param startRate         first rate tried, in messages per second.
 * @param lowestRate        minimum rate.
 * @param highestRate       maximum rate.
 * @param resolution        largest distance between the highest rate that passed and the lowest that failed, as a share, for
 *                          instance 0.05.
 * @param retryCount        number of repeats of a failed rate before it counts as failed.
 * @param confirmationCount number of further trials that the answer must pass; more if it has not passed in more than half of
 *                          its trials by then.
 */
public record SearchPlan(
    long startRate, long lowestRate, long highestRate, double resolution, int retryCount, int confirmationCount)
{
    private static final double FINEST = 0.001;

    /**
     * Checks that the search can end.
     *
     * @throws InvalidSettingException if not; the message names option, value and what is allowed.
     */
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
        if (confirmationCount < 1)
        {
            throw new InvalidSettingException("--confirm", confirmationCount, "at least 1");
        }
        if (resolution < FINEST || resolution > 1)
        {
            throw new InvalidSettingException("--resolution", resolution, "a share from 0.1% to 100%");
        }
    }
}
