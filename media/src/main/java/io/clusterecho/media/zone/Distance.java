package io.clusterecho.media.zone;

import io.clusterecho.settings.Quantity;

/**
 * What a datagram meets on its way from one process to another.
 *
 * @param delayNs   that each one takes longer than over loopback, in ns, from 0.
 * @param jitterNs  up to which each one takes longer than that, evenly spread, in ns, from 0; none overtakes another.
 * @param lossShare of those that never arrive, from 0 to 1, each by itself.
 */
public record Distance(long delayNs, long jitterNs, double lossShare)
{
    /** None. */
    public static final Distance NONE = new Distance(0, 0, 0);

    /**
     * Whether this changes nothing.
     *
     * @return true if nothing is delayed or lost.
     */
    public boolean isNone()
    {
        return 0 == delayNs && 0 == jitterNs && 0 == lossShare;
    }

    /**
     * For a person to read.
     *
     * @return for instance {@code 490 us + up to 20.0 us, 0.1% lost}.
     */
    @Override
    public String toString()
    {
        return Quantity.formatNs(delayNs) + (0 == jitterNs ? "" : " + up to " + Quantity.formatNs(jitterNs)) +
            (0 == lossShare ? "" : ", " + Math.round(lossShare * 1e6) / 1e4 + "% lost");
    }
}
