package io.clusterecho.reporting.trend;

import java.util.List;
import java.util.Set;

import io.clusterecho.reporting.compare.ComparisonPlan;
import io.clusterecho.reporting.compare.Metric;

/**
 * Settings of a record over time.
 *
 * @param metrics         of the series, at least one.
 * @param minEffect       smallest change that matters to the gate, as a share of the level.
 * @param alpha           accepted probability of a false alarm of the gate, over all that it judges.
 * @param allowed         keys of conditions that may differ within a series.
 * @param isFailedAllowed whether failed and partial results are points, and whether the gate ignores those without a document.
 * @param isGate          whether the newest point is judged.
 */
public record TrendPlan(
    List<Metric> metrics, double minEffect, double alpha, Set<String> allowed, boolean isFailedAllowed, boolean isGate)
{
    /** Accepted probability that a series without a change has any. */
    public static final double CHANGE_ALPHA = 0.05;

    ComparisonPlan comparison()
    {
        return new ComparisonPlan(metrics, minEffect, alpha, allowed, isFailedAllowed);
    }
}
