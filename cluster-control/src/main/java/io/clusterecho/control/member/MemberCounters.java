package io.clusterecho.control.member;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

import io.aeron.Aeron;
import io.aeron.AeronCounters;
import io.aeron.cluster.ConsensusModule;
import io.aeron.cluster.ElectionState;
import io.aeron.cluster.service.Cluster;

import org.agrona.concurrent.status.CountersReader;

import io.clusterecho.media.counters.ServiceCounter;

/**
 * Counters of a running member at one moment. Read from the driver's CnC file, mapped read-only, so the member is not
 * disturbed. Positions are in bytes of the log; unknown values are -1.
 *
 * @param electionState    {@code CLOSED} when no election is in progress.
 * @param commitPosition   of the log, as known to this member.
 * @param appendPosition   of this member's log.
 * @param snapshotCount    snapshots taken since the member started.
 * @param service          counters of the echo service, empty before it has started.
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
    private static final int LOG_STREAM_ID = ConsensusModule.Configuration.logStreamId();
    private static final int RECORDING_LABEL_STREAM_INDEX = 3;

    /** @return null if the process has none yet. */
    static MemberCounters of(final CountersReader counters)
    {
        return new Collector().collect(counters);
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

    /**
     * Whether the recording with a counter is that of the log; snapshots are recorded as well. A label is
     * {@code rec-pos: recording-id session-id stream-id channel ...}.
     */
    static boolean isLogRecording(final String label)
    {
        final String[] words = label.split(" ");
        return words.length > RECORDING_LABEL_STREAM_INDEX &&
            words[RECORDING_LABEL_STREAM_INDEX].equals(String.valueOf(LOG_STREAM_ID));
    }

    private static String nameOf(final Enum<?> value)
    {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static final class Collector
    {
        private long role = Aeron.NULL_VALUE;
        private long electionState = Aeron.NULL_VALUE;
        private long moduleState = Aeron.NULL_VALUE;
        private long leadershipTermId = Aeron.NULL_VALUE;
        private long commitPosition = Aeron.NULL_VALUE;
        private long appendPosition = Aeron.NULL_VALUE;
        private long snapshotCount = Aeron.NULL_VALUE;
        private int sessionCount;
        private final Map<ServiceCounter, Long> service = new EnumMap<>(ServiceCounter.class);

        MemberCounters collect(final CountersReader counters)
        {
            counters.forEach((id, typeId, key, label) -> onCounter(typeId, label, counters.getCounterValue(id)));
            if (role < 0 || electionState < 0 || moduleState < 0)
            {
                return null;
            }

            return new MemberCounters(
                nameOf(Cluster.Role.get(role)), nameOf(ElectionState.get(electionState)),
                nameOf(ConsensusModule.State.get(moduleState)), leadershipTermId, commitPosition, appendPosition,
                snapshotCount, sessionCount, Collections.unmodifiableMap(service));
        }

        private void onCounter(final int typeId, final String label, final long value)
        {
            switch (typeId)
            {
                case AeronCounters.CLUSTER_NODE_ROLE_TYPE_ID -> role = value;
                case AeronCounters.CLUSTER_ELECTION_STATE_TYPE_ID -> electionState = value;
                case AeronCounters.CLUSTER_CONSENSUS_MODULE_STATE_TYPE_ID -> moduleState = value;
                case AeronCounters.CLUSTER_LEADERSHIP_TERM_ID_TYPE_ID -> leadershipTermId = value;
                case AeronCounters.CLUSTER_COMMIT_POSITION_TYPE_ID -> commitPosition = value;
                case AeronCounters.ARCHIVE_RECORDING_POSITION_TYPE_ID -> onRecording(label, value);
                case AeronCounters.CLUSTER_SNAPSHOT_COUNTER_TYPE_ID -> snapshotCount = value;
                case AeronCounters.CLUSTER_SESSION_TYPE_ID -> sessionCount++;
                default -> onServiceCounter(typeId, value);
            }
        }

        private void onServiceCounter(final int typeId, final long value)
        {
            for (final ServiceCounter counter : ServiceCounter.values())
            {
                if (counter.typeId() == typeId)
                {
                    service.put(counter, value);
                }
            }
        }

        private void onRecording(final String label, final long value)
        {
            if (isLogRecording(label))
            {
                appendPosition = Math.max(appendPosition, value);
            }
        }
    }
}
