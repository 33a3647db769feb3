package io.clusterecho.client.load;

import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.clusterecho.reporting.confidence.SteadyRule;
import io.clusterecho.settings.IllegalArgument;
import io.clusterecho.settings.Quantity;

/**
 * How long to warm up.
 *
 * @param isAuto     whether it ends when the state is steady.
 * @param longestNs  its longest length, the same if it does not end by itself.
 */
public record WarmUpTime(boolean isAuto, long shortestNs, long longestNs)
{
    private static final Pattern AUTO = Pattern.compile("auto(?::(?:(.*?)\\.\\.)?(.*))?");
    private static final String DEFAULT_BOUND = "60s";

    /**
     * Parse a time, {@code auto}, {@code auto:TIME} with its longest time, or {@code auto:TIME..TIME} with its shortest too.
     *
     * @throws IllegalArgumentException with what is allowed.
     */
    public static WarmUpTime parse(final String text)
    {
        final Matcher auto = AUTO.matcher(text);
        if (!auto.matches())
        {
            final long lengthNs = Quantity.parseDurationNs(text);
            return new WarmUpTime(false, lengthNs, lengthNs);
        }

        final String shortest = auto.group(1);
        final long shortestNs = null == shortest ? SteadyRule.MIN_LENGTH_NS : Quantity.parseDurationNs(shortest);
        final long longestNs = Quantity.parseDurationNs(Objects.requireNonNullElse(auto.group(2), DEFAULT_BOUND));
        IllegalArgument.throwIf(
            null != shortest && (shortestNs < SteadyRule.MIN_LENGTH_NS || shortestNs >= longestNs),
            "the shortest warm-up is at least " + Quantity.formatNs(SteadyRule.MIN_LENGTH_NS) +
            " and below the longest, as in auto:1m..3m");

        return new WarmUpTime(true, shortestNs, longestNs);
    }

    /** Text that {@link #parse(String)} reads, for results and for the processes of several clients. */
    @Override
    public String toString()
    {
        final String longest = longestNs + "ns";
        return !isAuto ? longest :
            "auto:" + (shortestNs > SteadyRule.MIN_LENGTH_NS ? shortestNs + "ns.." : "") + longest;
    }
}
