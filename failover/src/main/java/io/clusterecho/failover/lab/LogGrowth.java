package io.clusterecho.failover.lab;

/**
 * The log between the snapshot before a fault and the fault, which a member that is started again must replay. Not thread-safe.
 */
final class LogGrowth
{
    private final FailoverPlan plan;
    private final LabCluster cluster;
    private long beginPosition;

    /** Growth from the beginning of the log. */
    LogGrowth(final FailoverPlan plan, final LabCluster cluster)
    {
        this.plan = plan;
        this.cluster = cluster;
    }

    /** Take a snapshot on all members, from which the growth counts now, and purge what was before it if the plan says so. */
    void begin()
    {
        if (plan.isPurging())
        {
            cluster.retain(1, plan.limitNs());
        }
        else
        {
            cluster.snapshot(plan.limitNs());
        }
        beginPosition = cluster.commitPosition();
    }

    /** Whether the log has grown by the length of the plan. */
    boolean isEnough()
    {
        return 0 == plan.logLengthBytes() || cluster.commitPosition() - beginPosition >= plan.logLengthBytes();
    }

    @Override
    public String toString()
    {
        final long lengthBytes = Math.max(0, cluster.commitPosition() - beginPosition);
        return "the log grew by " + lengthBytes + " of " + plan.logLengthBytes() + " bytes";
    }
}
