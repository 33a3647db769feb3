package io.clusterecho.client.run;

import io.clusterecho.settings.InvalidSettingException;

/**
 * Sessions that come and go beside the load of a run.
 *
 * @param ratePerSecond sessions opened per second, 1 to 1,000; 0 for none.
 * @param turnNs        length in ns of the turns without churn and with it, by which they alternate; 0 for churn during the
 *                      whole measured window.
 */
public record ChurnConfig(long ratePerSecond, long turnNs)
{
    public static final ChurnConfig NONE = new ChurnConfig(0, 0);
    public static final String RATE = "--churn";
    public static final int MAX_RATE = 1000;

    public ChurnConfig
    {
        InvalidSettingException.throwIf(
            ratePerSecond < 0 || ratePerSecond > MAX_RATE, RATE, ratePerSecond, "1 to " + MAX_RATE + " sessions per second");
    }

    public boolean isAny()
    {
        return ratePerSecond > 0;
    }
}
