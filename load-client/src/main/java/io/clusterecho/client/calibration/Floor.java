package io.clusterecho.client.calibration;

/**
 * The least possible time of a replicated round trip on a machine, from measurements without a cluster.
 * {@code docs/DIAGNOSIS.md} derives it.
 * <pre>
 *   client ──▶ leader ──▶ follower                     one way each
 *                         write, sync                  at file sync levels 1 and 2; in parallel with the leader's
 *   client ◀── leader ◀── follower                     one way each
 * </pre>
 */
public final class Floor
{
    private Floor()
    {
    }

    /**
     * The floor of the response time.
     *
     * @param responseTimeNs of a datagram's round trip from its intended send time: client and leader, in ns.
     * @param serviceTimeNs  of a datagram's round trip from its send time: leader and follower, in ns.
     * @param syncNs         of one page, in ns; 0 if replies do not wait for a sync.
     * @throws IllegalArgumentException for a negative time, or no member.
     */
    public static long ns(final long responseTimeNs, final long serviceTimeNs, final long syncNs, final int memberCount)
    {
        if (responseTimeNs < 0 || serviceTimeNs < 0 || syncNs < 0 || memberCount < 1)
        {
            throw new IllegalArgumentException(
                "responseTimeNs=" + responseTimeNs + ", serviceTimeNs=" + serviceTimeNs + ", syncNs=" + syncNs +
                ", memberCount=" + memberCount + ": times must be at least 0 and members at least 1");
        }

        return responseTimeNs + (1 == memberCount ? 0 : serviceTimeNs) + syncNs;
    }
}
