package io.clusterecho.failover.lab;

import io.clusterecho.reporting.results.Cycle;

/**
 * How long an outage may be, by the timeouts of the tested cluster.
 *
 * @param heartbeatNs after which a leader without a sign of life is replaced, in ns.
 * @param electionNs  longest time without a leader after SIGKILL of the leader, in ns.
 */
record OutageBounds(long heartbeatNs, long electionNs)
{
    /** A restarted member needs as long until it takes part in an election, on a machine that starts several at once. */
    static final long START_NS = 5_000_000_000L;

    /** The longest outage expected, in ns; null if none can be stated, because victims that the quorum needs did not return. */
    Long expectedNs(final Cycle cycle)
    {
        return switch (cycle.expectation())
        {
            case LEADER_STAYS -> heartbeatNs;
            case ONE_ELECTION -> electionNs;
            case TWO_ELECTIONS -> 2 * electionNs;
            case NO_CLIENTS -> sinceReturn(cycle, heartbeatNs);
            case NO_QUORUM -> sinceReturn(cycle, START_NS + electionNs);
        };
    }

    private static Long sinceReturn(final Cycle cycle, final long boundNs)
    {
        final long returnedNs = cycle.phaseNs(Cycle.OutagePhase.VICTIM_RETURNED);
        return returnedNs < 0 ? null : Long.valueOf(returnedNs + boundNs);
    }
}
