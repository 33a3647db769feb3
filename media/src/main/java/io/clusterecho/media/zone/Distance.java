package io.clusterecho.media.zone;

import io.clusterecho.settings.Quantity;

/**
 * Delay, jitter and loss of datagrams on one way between two processes.
 *
 * @param delayNs   added to the time over loopback, in ns, from 0.
 * @param jitterNs  largest further delay, uniformly distributed, in ns, from 0; datagrams are not reordered.
 * @param lossShare probability of loss of each datagram, from 0 to 1, independent of others.
 */
public record Distance(long delayNs, long jitterNs, double lossShare)
{
    public static final Distance NONE = new Distance(0, 0, 0);

    public boolean isNone()
    {
        return 0 == delayNs && 0 == jitterNs && 0 == lossShare;
    }

    /** For instance {@code 490 us + up to 20.0 us, 0.1% lost}. */
    @Override
    public String toString()
    {
        return Quantity.formatNs(delayNs) + (0 == jitterNs ? "" : " + up to " + Quantity.formatNs(jitterNs)) +
            (0 == lossShare ? "" : ", " + Math.round(lossShare * 1e6) / 1e4 + "% lost");
    }
}
