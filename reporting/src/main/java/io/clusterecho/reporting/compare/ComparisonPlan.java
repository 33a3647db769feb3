package io.clusterecho.reporting.compare;

import java.util.List;
import java.util.Set;

/**
 * Settings of a comparison.
 *
 * @param metrics        to compare, at least one.
 * @param minEffect      smallest change that matters, as a share of A's median, for instance 0.05.
 * @param alpha          accepted probability of a false alarm in any metric, for instance 0.05.
 * @param allowed        keys of conditions that may differ.
 * @param isFailedAllowed whether failed, partial and unfinished runs may be in a set.
 */
public record ComparisonPlan(
    List<Metric> metrics, double minEffect, double alpha, Set<String> allowed, boolean isFailedAllowed)
{
    ComparisonPlan with(final List<Metric> others)
    {
        return new ComparisonPlan(others, minEffect, alpha, allowed, isFailedAllowed);
    }
}
