package io.clusterecho.client.load;

import io.clusterecho.reporting.confidence.SteadyRule;
import io.clusterecho.settings.Quantity;

/**
 * How long to warm up.
 *
 * @param isAuto     whether it ends when the state is steady.
 * @param longestNs  its longest length, the same if it does not end by itself.
 */
public record WarmUpTime(boolean isAuto, long shortestNs, long longestNs)
{
    private static final String AUTO = "auto";
    private static final String RANGE = "..";
    private static final String DEFAULT_BOUND = "60s";

    /**
     * Parse a time, {@code auto}, {@code auto:TIME} with its longest time, or {@code auto:TIME..TIME} with its shortest too.
     *
     * @throws IllegalArgumentException with what is allowed.
     */
    public static WarmUpTime parse(final String text)
    {
        if (!AUTO.equals(text) && !text.startsWith(AUTO + ":"))
        {
            final long lengthNs = Quantity.parseDurationNs(text);
            return new WarmUpTime(false, lengthNs, lengthNs);
        }

        final String bounds = AUTO.equals(text) ? DEFAULT_BOUND : text.substring(AUTO.length() + 1);
        final int range = bounds.indexOf(RANGE);
        if (range < 0)
        {
            return new WarmUpTime(true, SteadyRule.MIN_LENGTH_NS, Quantity.parseDurationNs(bounds));
        }

        final long shortestNs = Quantity.parseDurationNs(bounds.substring(0, range));
        final long longestNs = Quantity.parseDurationNs(bounds.substring(range + RANGE.length()));
        if (shortestNs < SteadyRule.MIN_LENGTH_NS || shortestNs >= longestNs)
        {
            throw new IllegalArgumentException(
                "the shortest warm-up is at least " + Quantity.formatNs(SteadyRule.MIN_LENGTH_NS) +
                " and below the longest, as in auto:1m..3m");
        }

        return new WarmUpTime(true, shortestNs, longestNs);
    }

    /** Text that {@link #parse(String)} reads, for results and for the processes of several clients. */
    @Override
    public String toString()
    {
        final String longest = longestNs + "ns";
        return !isAuto ? longest :
            AUTO + ":" + (shortestNs > SteadyRule.MIN_LENGTH_NS ? shortestNs + "ns" + RANGE : "") + longest;
    }
}
