package io.clusterecho.client.placement;

import java.util.concurrent.TimeUnit;

/**
 * A round trip between two zones, as it was asked for and as it was measured.
 *
 * @param one        zone.
 * @param other      zone.
 * @param askedNs    that datagrams are to take longer there and back than over loopback, on average, in ns.
 * @param loopbackNs median without emulation, in ns.
 * @param minNs      the shortest that was measured, in ns.
 * @param medianNs   median, in ns.
 * @param p99Ns      99th percentile, in ns.
 * @param count      of round trips.
 */
public record RoundTrip(
    String one, String other, long askedNs, long loopbackNs, long minNs, long medianNs, long p99Ns, long count)
{
    /** Share of what was asked for that the median may be off. */
    public static final double TOLERATED_SHARE = 0.1;
    /** Time in ns that it may be off, if that is more. */
    public static final long TOLERATED_NS = TimeUnit.MICROSECONDS.toNanos(100);

    /**
     * By how much the median is off, what loopback takes by itself included.
     *
     * @return in ns, negative if too short.
     */
    public long errorNs()
    {
        return medianNs - askedNs;
    }

    /**
     * Whether that is tolerated.
     *
     * @return true if so.
     */
    public boolean isAsAsked()
    {
        return Math.abs(errorNs()) <= Math.max(TOLERATED_NS, TOLERATED_SHARE * askedNs);
    }
}
