package io.clusterecho.control.member;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

import io.aeron.AeronCounters;
import io.aeron.cluster.ConsensusModule;
import io.aeron.cluster.ElectionState;
import io.aeron.cluster.service.Cluster;

import org.agrona.concurrent.status.CountersReader;

import io.clusterecho.media.counters.ServiceCounter;

/**
 * Counters of a running member at one moment, read from the driver's CnC file, mapped read-only, so the member is not
 * disturbed. Positions are in bytes of the log; unknown values are -1. The commit position is the one known to this member,
 * snapshots are those since it started, and the service has none before it has started.
 */
public record MemberCounters(
    String role,
    String electionState,
    String moduleState,
    long leadershipTermId,
    long commitPosition,
    long appendPosition,
    long snapshotCount,
    int sessionCount,
    Map<ServiceCounter, Long> service)
{
    /** @return null if the process has none yet. */
    static MemberCounters of(final CountersReader counters)
    {
        final CounterValues values = new CounterValues(counters);
        final long role = values.of(AeronCounters.CLUSTER_NODE_ROLE_TYPE_ID);
        final long electionState = values.of(AeronCounters.CLUSTER_ELECTION_STATE_TYPE_ID);
        final long moduleState = values.of(AeronCounters.CLUSTER_CONSENSUS_MODULE_STATE_TYPE_ID);
        if (role < 0 || electionState < 0 || moduleState < 0)
        {
            return null;
        }
        final Map<ServiceCounter, Long> service = new EnumMap<>(ServiceCounter.class);
        for (final ServiceCounter counter : ServiceCounter.values())
        {
            if (values.count(counter.typeId()) > 0)
            {
                service.put(counter, values.of(counter.typeId()));
            }
        }
        return new MemberCounters(
            nameOf(Cluster.Role.get(role)), nameOf(ElectionState.get(electionState)),
            nameOf(ConsensusModule.State.get(moduleState)),
            values.of(AeronCounters.CLUSTER_LEADERSHIP_TERM_ID_TYPE_ID),
            values.of(AeronCounters.CLUSTER_COMMIT_POSITION_TYPE_ID),
            values.of(AeronCounters.ARCHIVE_RECORDING_POSITION_TYPE_ID),
            values.of(AeronCounters.CLUSTER_SNAPSHOT_COUNTER_TYPE_ID),
            values.count(AeronCounters.CLUSTER_SESSION_TYPE_ID), Collections.unmodifiableMap(service));
    }

    /** Whether the member leads and no election is in progress. */
    public boolean isLeader()
    {
        return isSettled() && nameOf(Cluster.Role.LEADER).equals(role);
    }

    /** Whether the member asks for votes in an election, or is about to. */
    public boolean isCandidate()
    {
        return nameOf(ElectionState.NOMINATE).equals(electionState) ||
            nameOf(ElectionState.CANDIDATE_BALLOT).equals(electionState);
    }

    /** Whether the member leads or follows a leader; false during an election. */
    public boolean isSettled()
    {
        return nameOf(ElectionState.CLOSED).equals(electionState);
    }

    /** Whether the member is in a term or in an election, in words: {@code in term 3}, {@code in an election (canvass)}. */
    public String stateText()
    {
        return isSettled() ? "in term " + leadershipTermId : "in an election (" + electionState + ")";
    }

    /** A constant of Aeron's in words: {@code follower-ballot}. */
    static String nameOf(final Enum<?> value)
    {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
