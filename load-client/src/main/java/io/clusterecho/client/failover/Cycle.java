package io.clusterecho.client.failover;

import java.util.List;
import java.util.Map;

/**
 * What one fault came to. All times are in ns after the fault was injected; -1 where it did not happen, or not within the
 * limit of the cycle.
 *
 * @param number                 from 1.
 * @param fault                  that was injected.
 * @param victims                member ids.
 * @param startNs                when the fault was injected, in ns since the start of the schedule.
 * @param isValid                whether enough traffic flowed before the fault for its outage to mean anything.
 * @param isRecovered            whether echoes flow again, all victims that were to return are back, and the backlog is gone.
 * @param problem                why it is not valid or not recovered, or empty.
 * @param isQuorumLost           whether too few members were left to acknowledge anything until the victims returned.
 * @param outageNs               longest time without an echo that the schedule asked for; 0 if none was longer than the
 *                               shortest gap that is told apart (5 ms, or ten messages); up to the end of the cycle when no
 *                               echo came again.
 * @param phases                 name of a phase to the time at which it was reached.
 * @param echoesWithoutQuorum    echoes that came while too few members were there; must be 0.
 * @param newLeaderMemberIds     members that the client saw leading after the fault, in order.
 */
public record Cycle(
    int number,
    Fault fault,
    List<Integer> victims,
    long startNs,
    boolean isValid,
    boolean isRecovered,
    String problem,
    boolean isQuorumLost,
    long outageNs,
    Map<Phase, Long> phases,
    long echoesWithoutQuorum,
    List<Integer> newLeaderMemberIds)
{
    /**
     * What happens after a fault, in the order in which it usually does.
     */
    public enum Phase
    {
        /** Last echo before the longest gap; may lie before the fault. */
        LAST_ECHO("lastEchoNs", "last echo"),
        /** A member other than the victims left its settled term, and asks the others where they are. */
        FAILURE_DETECTED("failureDetectedNs", "failure detected"),
        /** A member other than the victims stands for election, or votes; any member, where they were too few without. */
        ELECTION_START("electionStartNs", "election start"),
        /** A member leads a settled term. */
        ELECTION_END("electionEndNs", "election end"),
        /** The client was told of a new leader, or opened a new session. */
        NEW_LEADER_KNOWN("newLeaderKnownNs", "new leader known"),
        /** The first message after that was taken. */
        SESSION_USABLE("sessionUsableNs", "session usable"),
        /** First echo after the longest gap. */
        FIRST_ECHO("firstEchoNs", "first echo"),
        /** What had been due when echoes came again is answered. */
        BACKLOG_DRAINED("backlogDrainedNs", "backlog drained"),
        /** The victims were told to return. */
        VICTIM_RETURNED("victimReturnedNs", "victim returned"),
        /** The victims are in the settled term and hold the log up to where the leader was when they had joined. */
        VICTIM_CAUGHT_UP("victimCaughtUpNs", "victim caught up");

        private final String key;
        private final String label;

        Phase(final String key, final String label)
        {
            this.key = key;
            this.label = label;
        }

        /**
         * Name in JSON and CSV.
         *
         * @return for instance {@code firstEchoNs}.
         */
        public String key()
        {
            return key;
        }

        /**
         * Name for a person.
         *
         * @return for instance {@code first echo}.
         */
        public String label()
        {
            return label;
        }
    }

    /**
     * When the last phase was reached.
     *
     * @return in ns after the fault; 0 if none was.
     */
    public long lastPhaseNs()
    {
        return phases.values().stream().mapToLong(Long::longValue).reduce(0, Math::max);
    }

    /**
     * When a phase was reached.
     *
     * @param phase to look up.
     * @return in ns after the fault, or -1.
     */
    public long phaseNs(final Phase phase)
    {
        return phases.getOrDefault(phase, -1L);
    }
}
