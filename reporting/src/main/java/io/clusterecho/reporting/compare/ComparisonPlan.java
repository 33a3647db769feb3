package io.clusterecho.reporting.compare;

import java.util.List;
import java.util.Set;

/**
 * How sets are compared.
 *
 * @param metrics        to look at, at least one.
 * @param minEffect      share of A's median by which that of B must differ to matter, as 0.05.
 * @param alpha          probability that is accepted of calling any metric changed where nothing has, as 0.05.
 * @param allowed        keys of conditions that may differ.
 * @param isFailedAllowed whether failed, partial and unfinished runs may be in a set.
 */
public record ComparisonPlan(
    List<Metric> metrics, double minEffect, double alpha, Set<String> allowed, boolean isFailedAllowed)
{
}
