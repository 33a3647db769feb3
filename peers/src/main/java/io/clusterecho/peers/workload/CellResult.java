package io.clusterecho.peers.workload;

import java.util.List;
import java.util.Map;

import io.clusterecho.reporting.results.Verdict;

/**
 * The result of one run of a cell.
 *
 * @param values   by metric; may be empty.
 * @param outcome  {@code good} or {@code client-limited}, or why the values are invalid.
 * @param warmUpNs length of a warm-up that ended by itself, in ns; null for a fixed one, or if it is unknown.
 * @param warnings of its client, a sentence each.
 */
record CellResult(
    WorkloadCell cell, int round, Map<Workload.Metric, Double> values, String outcome, Double warmUpNs, List<String> warnings)
{
    static final String GOOD = "good";
    static final String SERVER_OUT_OF_MEMORY = "server out of memory";
    static final String CLIENT_OUT_OF_MEMORY = "client out of memory";
    static final String CLIENT_LIMITED = "client-limited";
    private static final String NOT_STEADY = "not steady: ";

    /** A run without warnings, whose warm-up had a fixed length or which had none. */
    CellResult(final WorkloadCell cell, final int round, final Map<Workload.Metric, Double> values, final String outcome)
    {
        this(cell, round, values, outcome, null, List.of());
    }

    /**
     * Outcome of a run that was good in itself.
     *
     * @param unsteady        what was not steady, or null.
     * @param isClientLimited whether the client itself is half of the 99th percentile or more.
     */
    static String ofGoodRun(final String unsteady, final boolean isClientLimited)
    {
        return null != unsteady ? NOT_STEADY + unsteady : isClientLimited ? CLIENT_LIMITED : GOOD;
    }

    /** Whether its values count. */
    boolean isGood()
    {
        return GOOD.equals(outcome) || isClientLimited();
    }

    /** Whether its values count, but show little of the system. */
    boolean isClientLimited()
    {
        return CLIENT_LIMITED.equals(outcome);
    }

    /** Whether only a steady state is missing, without which its values do not count. */
    boolean isUnsteady()
    {
        return outcome.startsWith(NOT_STEADY);
    }

    /**
     * Whether the run is a result for the system: it is good, or it shows that the system does not sustain a workload that is
     * beyond some systems on some machines.
     */
    boolean isFinding()
    {
        return isGood() || switch (cell.workload())
        {
            case SCHEDULED -> Verdict.isShortfall(outcome);
            case MEMORY -> SERVER_OUT_OF_MEMORY.equals(outcome) || CLIENT_OUT_OF_MEMORY.equals(outcome);
            default -> false;
        };
    }
}
