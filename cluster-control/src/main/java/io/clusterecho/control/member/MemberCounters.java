package io.clusterecho.control.member;

import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Locale;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.stream.Stream;

import io.aeron.Aeron;
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
        final Values values = new Values(counters);
        final long role = values.of(AeronCounters.CLUSTER_NODE_ROLE_TYPE_ID);
        final long electionState = values.of(AeronCounters.CLUSTER_ELECTION_STATE_TYPE_ID);
        final long moduleState = values.of(AeronCounters.CLUSTER_CONSENSUS_MODULE_STATE_TYPE_ID);
        if (role < 0 || electionState < 0 || moduleState < 0)
        {
            return null;
        }
        final Map<ServiceCounter, Long> service = new EnumMap<>(ServiceCounter.class);
        Stream.of(ServiceCounter.values()).filter((counter) -> values.count(counter.typeId()) > 0)
            .forEach((counter) -> service.put(counter, values.of(counter.typeId())));
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

    /** Values of a driver's counters at one moment, by type. Of recordings, only the log's counts: snapshots are recorded too. */
    static final class Values
    {
        private static final String LOG_STREAM_ID = String.valueOf(ConsensusModule.Configuration.logStreamId());
        private static final int RECORDING_LABEL_STREAM_INDEX = 3;

        private final Map<Integer, LongSummaryStatistics> byType = new HashMap<>();

        Values(final CountersReader counters)
        {
            counters.forEach((id, typeId, key, label) ->
            {
                if (AeronCounters.ARCHIVE_RECORDING_POSITION_TYPE_ID != typeId || isLogRecording(label))
                {
                    byType.computeIfAbsent(typeId, (ignored) -> new LongSummaryStatistics())
                        .accept(counters.getCounterValue(id));
                }
            });
        }

        /** Value of the counter of a type, the highest of several; -1 if there is none. */
        long of(final int typeId)
        {
            return byType.containsKey(typeId) ? byType.get(typeId).getMax() : Aeron.NULL_VALUE;
        }

        int count(final int typeId)
        {
            return byType.containsKey(typeId) ? (int)byType.get(typeId).getCount() : 0;
        }

        /** Whether a recording is that of the log, by the label {@code rec-pos: recording-id session-id stream-id ...}. */
        static boolean isLogRecording(final String label)
        {
            final String[] words = label.split(" ");
            return words.length > RECORDING_LABEL_STREAM_INDEX && words[RECORDING_LABEL_STREAM_INDEX].equals(LOG_STREAM_ID);
        }
    }
}
