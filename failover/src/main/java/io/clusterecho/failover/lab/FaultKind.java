package io.clusterecho.failover.lab;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.clusterecho.reporting.results.Cycle;
import io.clusterecho.reporting.results.Expectation;

/**
 * All valid cycles of a test with the same fault, alone or with another, and the same expectation.
 *
 * @param fault       that was injected, and whether another followed.
 * @param cycles      at least one, in order.
 * @param outages     of these cycles, in ns.
 * @param beyond      number of outages that were longer than expected.
 */
record FaultKind(String fault, Expectation expectation, List<Cycle> cycles, FailoverResult.Spread outages, long beyond)
{
    /** The kinds of a test, in the order of their first cycles. */
    static List<FaultKind> of(final FailoverResult result)
    {
        final Map<String, List<Cycle>> groups = new LinkedHashMap<>();
        result.cycles().stream().filter(Cycle::isValid).forEach((cycle) ->
            groups.computeIfAbsent(label(cycle) + " " + cycle.expectation(), (any) -> new ArrayList<>()).add(cycle));
        return groups.values().stream().map((group) -> new FaultKind(
            label(group.get(0)), group.get(0).expectation(), group,
            FailoverResult.Spread.of(group.stream().mapToLong(Cycle::outageNs).toArray()),
            group.stream().filter(Cycle::isBeyondExpected).count())).toList();
    }

    private static String label(final Cycle cycle)
    {
        return cycle.hit().fault() + (null == cycle.second() ? "" : " and another");
    }
}
