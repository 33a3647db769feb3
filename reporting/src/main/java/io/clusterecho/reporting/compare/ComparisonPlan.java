package io.clusterecho.reporting.compare;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonIncludeProperties;

/**
 * Settings of a comparison.
 *
 * @param metrics        to compare, at least one.
 * @param minEffect      smallest change that matters, as a share of A's median, for instance 0.05.
 * @param alpha          accepted probability of a false alarm in any metric, for instance 0.05.
 * @param allowed        keys of conditions that may differ.
 * @param isFailedAllowed whether failed, partial and unfinished runs may be in a set.
 */
@JsonIncludeProperties({ "minEffect", "alpha" })
public record ComparisonPlan(
    List<Metric> metrics, double minEffect, double alpha, Set<String> allowed, boolean isFailedAllowed)
{
    /** The same with those metrics alone that enough messages of each run of some sets are beyond. */
    ComparisonPlan statedIn(final RunSet... sets)
    {
        return new ComparisonPlan(
            metrics.stream().filter((metric) -> Stream.of(sets).allMatch(metric::isStatedIn)).toList(), minEffect, alpha, allowed,
            isFailedAllowed);
    }

    /** The strictest level in the correction for several metrics. */
    double strictestAlpha()
    {
        return alpha / metrics.size();
    }
}
