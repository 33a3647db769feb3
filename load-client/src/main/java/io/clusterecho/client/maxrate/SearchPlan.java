package io.clusterecho.client.maxrate;

import io.clusterecho.settings.InvalidSettingException;

/**
 * Where a search begins and when it is content.
 *
 * @param startRate         first rate tried, in messages per second.
 * @param lowestRate        below which nothing is tried.
 * @param highestRate       above which nothing is tried.
 * @param resolution        share by which the lowest rate that broke may lie above the highest that held, as 0.05.
 * @param retryCount        how often a rate that broke is tried again before it is believed.
 * @param confirmationCount how often the answer must hold once more; more often where it did not hold in more than half of
 *                          its trials by then.
 */
public record SearchPlan(
    long startRate, long lowestRate, long highestRate, double resolution, int retryCount, int confirmationCount)
{
    private static final double FINEST = 0.001;

    /**
     * Checks that the search can come to an end.
     *
     * @throws InvalidSettingException that names option, value and what is allowed.
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
                ", as the rate at which the search begins");
        }
        if (resolution < FINEST || resolution > 1)
        {
            throw new InvalidSettingException("--resolution", resolution, "a share from 0.1% to 100%");
        }
    }
}
