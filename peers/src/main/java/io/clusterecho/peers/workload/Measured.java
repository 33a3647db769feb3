package io.clusterecho.peers.workload;

import java.util.Map;

/**
 * What one run of a cell gave.
 *
 * @param cell    that was run.
 * @param round   from 1.
 * @param values  by metric, empty when there are none.
 * @param outcome {@code good}, or why the values cannot stand.
 */
record Measured(WorkloadCell cell, int round, Map<Workload.Metric, Double> values, String outcome)
{
    static final String GOOD = "good";
    static final String SERVER_OUT_OF_MEMORY = "server out of memory";
    static final String CLIENT_OUT_OF_MEMORY = "client out of memory";

    boolean isGood()
    {
        return GOOD.equals(outcome);
    }

    /**
     * Whether it says something of the system: it is good, or the system went as far as it could with a load that is beyond
     * what some bear on some machines.
     */
    boolean isFinding()
    {
        return isGood() || switch (cell.workload())
        {
            case SCHEDULED, RATE_SWEEP -> isShortfall(outcome);
            case MEMORY -> SERVER_OUT_OF_MEMORY.equals(outcome) || CLIENT_OUT_OF_MEMORY.equals(outcome);
            default -> false;
        };
    }

    /**
     * Whether a client's reason says that messages were too slow or too few, and not that something was wrong with them.
     */
    static boolean isShortfall(final String reason)
    {
        return reason.startsWith("rate missed: ") || reason.contains(" messages without a reply ");
    }
}
