package io.clusterecho.client.load;

import io.clusterecho.settings.Quantity;

/**
 * How long to warm up.
 *
 * @param isAuto    whether it ends when the state is steady.
 * @param longestNs its length, or its longest.
 */
public record WarmUpTime(boolean isAuto, long longestNs)
{
    private static final String AUTO = "auto";
    private static final String DEFAULT_BOUND = "60s";

    /**
     * Parse a time, {@code auto}, or {@code auto:TIME} with its longest time.
     *
     * @throws IllegalArgumentException with what is allowed.
     */
    public static WarmUpTime parse(final String text)
    {
        final boolean isAuto = AUTO.equals(text) || text.startsWith(AUTO + ":");
        final String time = !isAuto ? text : AUTO.equals(text) ? DEFAULT_BOUND : text.substring(AUTO.length() + 1);
        return new WarmUpTime(isAuto, Quantity.parseDurationNs(time));
    }

    @Override
    public String toString()
    {
        return (isAuto ? AUTO + ":" : "") + longestNs + "ns";
    }
}
