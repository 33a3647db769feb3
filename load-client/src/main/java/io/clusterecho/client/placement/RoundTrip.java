package io.clusterecho.client.placement;

import java.util.concurrent.TimeUnit;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * A round trip between two zones, as configured and as measured.
 *
 * @param askedNs    configured mean delay of a round trip in addition to loopback, in ns.
 * @param loopbackNs median without emulation, in ns.
 */
public record RoundTrip(
    String one, String other, long askedNs, long loopbackNs, long minNs, long medianNs, long p99Ns, long count)
{
    /** Largest accepted error of the median, as a share of the configured delay. */
    public static final double TOLERATED_SHARE = 0.1;
    /** Largest accepted error in ns, if that is more. */
    public static final long TOLERATED_NS = TimeUnit.MICROSECONDS.toNanos(100);

    /** Error of the median, with the time of loopback taken into account, in ns; negative if the median is too short. */
    public long errorNs()
    {
        return medianNs - askedNs;
    }

    /** Whether the error is accepted. */
    @JsonProperty("good")
    public boolean isAsAsked()
    {
        return Math.abs(errorNs()) <= Math.max(TOLERATED_NS, TOLERATED_SHARE * askedNs);
    }
}
