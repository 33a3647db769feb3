package io.clusterecho.control.remote;

/**
 * What to add to a time of another host's clock to have one of this machine's.
 *
 * @param offsetNs to add, in ns.
 * @param errorNs  how far off it may be to either side, in ns: half of the exchange that told it.
 */
record HostClockOffset(long offsetNs, long errorNs)
{
    /**
     * Of one exchange: the other host looked at its clock between sending and receiving.
     */
    static HostClockOffset of(final long sentNs, final long thereNs, final long receivedNs)
    {
        final long errorNs = (receivedNs - sentNs) / 2;
        return new HostClockOffset(sentNs + errorNs - thereNs, errorNs);
    }
}
