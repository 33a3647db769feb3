package io.clusterecho.client.baseline;

/**
 * The least that a replicated round trip can take on a machine, from what was measured there without a cluster.
 * {@code docs/FLOOR.md} derives it.
 * <pre>
 *   client ──▶ leader ──▶ follower                     one way each
 *                         write, sync                  at file sync levels 1 and 2; the leader's runs beside it
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
     * @param responseTimeNs of a datagram there and back, counted from when it was due: client and leader, in ns.
     * @param serviceTimeNs  of a datagram there and back, counted from when it was sent: leader and follower, in ns.
     * @param syncNs         of one page, in ns; 0 where nothing is synced before an answer.
     * @param memberCount    of the cluster; a single member waits for no other.
     * @return the sum of what lies on the critical path, in ns.
     * @throws IllegalArgumentException for a negative time, or no member.
     */
    public static long ns(final long responseTimeNs, final long serviceTimeNs, final long syncNs, final int memberCount)
    {
        if (responseTimeNs < 0 || serviceTimeNs < 0 || syncNs < 0 || memberCount < 1)
        {
            throw new IllegalArgumentException(
                "responseTimeNs=" + responseTimeNs + ", serviceTimeNs=" + serviceTimeNs + ", syncNs=" + syncNs +
                ", memberCount=" + memberCount + ": times from 0 and members from 1 are needed");
        }

        return responseTimeNs + (1 == memberCount ? 0 : serviceTimeNs) + syncNs;
    }
}
