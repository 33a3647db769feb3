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
record Measured(Cell cell, int round, Map<Workload.Metric, Double> values, String outcome)
{
    static final String GOOD = "good";

    boolean isGood()
    {
        return GOOD.equals(outcome);
    }
}
