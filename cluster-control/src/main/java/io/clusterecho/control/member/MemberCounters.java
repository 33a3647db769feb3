package io.clusterecho.control.member;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

import io.aeron.Aeron;
import io.aeron.AeronCounters;
import io.aeron.cluster.ConsensusModule;
import io.aeron.cluster.ElectionState;
import io.aeron.cluster.service.Cluster;

import org.agrona.concurrent.status.CountersReader;

import io.clusterecho.media.counters.DriverCounters;
import io.clusterecho.media.counters.ServiceCounter;

/**
 * What the counters of a running member say at one moment. Read from the driver's CnC file, which is mapped for reading only:
 * the member does not notice. Positions are in bytes of the log; what is not known is -1.
 *
 * @param role             of the member.
 * @param electionState    {@code CLOSED} when it takes part in a settled term.
 * @param moduleState      of the consensus module.
 * @param leadershipTermId that the member is in.
 * @param commitPosition   up to which a majority holds the log.
 * @param appendPosition   up to which this member has recorded the log.
 * @param snapshotCount    snapshots taken since the member began.
 * @param sessionCount     sessions that are open.
 * @param service          counters of the echo service, none until it has begun.
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

    /**
     * Read the counters of a member.
     *
     * @param member to read.
     * @param pid    of its process, empty if it does not run.
     * @return what they say, or empty if the member does not run or is not that far yet.
     */
    public static Optional<MemberCounters> read(final LocalMember member, final OptionalLong pid)
    {
        final Optional<DriverCounters> found =
            pid.isPresent() ? DriverCounters.map(member.aeronDir(), pid.getAsLong()) : Optional.empty();
        if (found.isEmpty())
        {
            return Optional.empty();
        }

        try (DriverCounters counters = found.get())
        {
            return Optional.ofNullable(new Collector().collect(counters.reader()));
        }
    }

    /**
     * Whether the member leads.
     *
     * @return true if it does, in a settled term.
     */
    public boolean isLeader()
    {
        return isSettled() && nameOf(Cluster.Role.LEADER).equals(role);
    }

    /**
     * Whether the member takes part in a settled term: it leads, or follows a leader.
     *
     * @return false during an election.
     */
    public boolean isSettled()
    {
        return nameOf(ElectionState.CLOSED).equals(electionState);
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
                case AeronCounters.CLUSTER_NODE_ROLE_TYPE_ID:
                    role = value;
                    break;

                case AeronCounters.CLUSTER_ELECTION_STATE_TYPE_ID:
                    electionState = value;
                    break;

                case AeronCounters.CLUSTER_CONSENSUS_MODULE_STATE_TYPE_ID:
                    moduleState = value;
                    break;

                case AeronCounters.CLUSTER_LEADERSHIP_TERM_ID_TYPE_ID:
                    leadershipTermId = value;
                    break;

                case AeronCounters.CLUSTER_COMMIT_POSITION_TYPE_ID:
                    commitPosition = value;
                    break;

                case AeronCounters.ARCHIVE_RECORDING_POSITION_TYPE_ID:
                    onRecording(label, value);
                    break;

                case AeronCounters.CLUSTER_SNAPSHOT_COUNTER_TYPE_ID:
                    snapshotCount = value;
                    break;

                case AeronCounters.CLUSTER_SESSION_TYPE_ID:
                    sessionCount++;
                    break;

                default:
                    onServiceCounter(typeId, value);
                    break;
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

        /**
         * A label is {@code rec-pos: recording-id session-id stream-id channel ...}; snapshots are recorded as well.
         */
        private void onRecording(final String label, final long value)
        {
            final String[] words = label.split(" ");
            if (words.length > RECORDING_LABEL_STREAM_INDEX &&
                words[RECORDING_LABEL_STREAM_INDEX].equals(String.valueOf(LOG_STREAM_ID)))
            {
                appendPosition = Math.max(appendPosition, value);
            }
        }
    }
}
