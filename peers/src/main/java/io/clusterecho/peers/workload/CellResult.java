package io.clusterecho.peers.workload;

import java.util.Map;

import io.clusterecho.reporting.results.Verdict;

/**
 * The result of one run of a cell.
 *
 * @param cell    that was run.
 * @param round   from 1.
 * @param values  by metric; may be empty.
 * @param outcome {@code good}, or why the values are invalid.
 */
record CellResult(WorkloadCell cell, int round, Map<Workload.Metric, Double> values, String outcome)
{
    static final String GOOD = "good";
    static final String SERVER_OUT_OF_MEMORY = "server out of memory";
    static final String CLIENT_OUT_OF_MEMORY = "client out of memory";

    /**
     * Outcome of a run that was good in itself.
     *
     * @param unsteady what was not steady when its warm-up met its bound, or null.
     */
    static String ofGoodRun(final String unsteady)
    {
        return null == unsteady ? GOOD : "not steady: " + unsteady;
    }

    boolean isGood()
    {
        return GOOD.equals(outcome);
    }

    /**
     * Whether the run is a result for the system: it is good, or it shows that the system does not sustain a workload that is
     * beyond some systems on some machines.
     */
    boolean isFinding()
    {
        return isGood() || switch (cell.workload())
        {
            case SCHEDULED, RATE_SWEEP -> Verdict.isShortfall(outcome);
            case MEMORY -> SERVER_OUT_OF_MEMORY.equals(outcome) || CLIENT_OUT_OF_MEMORY.equals(outcome);
            default -> false;
        };
    }
}
