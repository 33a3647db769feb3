package io.clusterecho.client.schedule;

import io.clusterecho.settings.IllegalArgument;

/**
 * Messages at equal intervals: message n is due at {@code floor(n * 1e9 / rate)} ns, computed from n alone in integers, so that
 * rounding errors do not accumulate.
 *
 * @param ratePerSecond from 1 to 1e9 messages.
 */
public record ConstantSchedule(long ratePerSecond) implements Schedule
{
    private static final long NS_PER_SECOND = 1_000_000_000L;

    public ConstantSchedule
    {
        IllegalArgument.throwIf(
            ratePerSecond < 1 || ratePerSecond > NS_PER_SECOND,
            "ratePerSecond=" + ratePerSecond + ", allowed 1 to " + NS_PER_SECOND);
    }

    @Override
    public long timeNs(final long index)
    {
        final long seconds = index / ratePerSecond;
        final long rest = index - seconds * ratePerSecond;
        return seconds * NS_PER_SECOND + rest * NS_PER_SECOND / ratePerSecond;
    }

    @Override
    public double ratePerSecond(final long beginNs, final long endNs)
    {
        return ratePerSecond;
    }
}
