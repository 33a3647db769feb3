package io.clusterecho.reporting.results;

import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.reporting.document.Documents;

/** A cycle by the names of its fields in JSON: member 0 led and was killed, member 1 was elected within the bound. */
public final class CycleBuilder
{
    private final ObjectNode fields;

    public CycleBuilder(final int number)
    {
        this((ObjectNode)Documents.tree(Map.of(
            "cycle", number, "fault", "kill", "choice", "leader", "pick", 0, "expectation", Expectation.ONE_ELECTION,
            "valid", true, "recovered", true, "interrupted", false, "problem", "")));
        with("victim", List.of(0)).with("leaderBefore", 0).with("leaderAfter", 1).with("newLeaders", List.of(1))
            .with("expectedOutageNs", SampleEvidence.OUTAGE_BOUND_NS).with("outageNs", SampleEvidence.OUTAGE_BOUND_NS)
            .with("outageResolutionNs", 0);
    }

    private CycleBuilder(final ObjectNode fields)
    {
        this.fields = fields;
    }

    /** A copy to be modified. */
    public static CycleBuilder of(final Cycle cycle)
    {
        return new CycleBuilder((ObjectNode)Documents.tree(cycle));
    }

    public CycleBuilder with(final String field, final Object value)
    {
        fields.set(field, Documents.tree(value));
        return this;
    }

    public CycleBuilder with(final Map<Cycle.OutagePhase, Long> phases)
    {
        for (final Cycle.OutagePhase phase : Cycle.OutagePhase.values())
        {
            fields.put(phase.key(), phases.get(phase));
        }
        return this;
    }

    public Cycle cycle()
    {
        return Documents.bind(fields, Cycle.class);
    }
}
