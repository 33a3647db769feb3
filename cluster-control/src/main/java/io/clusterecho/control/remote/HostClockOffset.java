package io.clusterecho.control.remote;

/**
 * Offset to add to a time of another host's clock to get a time of this machine's clock.
 *
 * @param errorNs  largest error to either side, in ns: half of the round trip.
 */
record HostClockOffset(long offsetNs, long errorNs)
{
    /** From one round trip: the other host read its clock between sending and receiving. */
    static HostClockOffset of(final long sentNs, final long thereNs, final long receivedNs)
    {
        final long errorNs = (receivedNs - sentNs) / 2;
        return new HostClockOffset(sentNs + errorNs - thereNs, errorNs);
    }
}
