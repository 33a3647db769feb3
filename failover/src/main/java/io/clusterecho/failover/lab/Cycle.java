package io.clusterecho.failover.lab;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.clusterecho.control.member.ElectionWatch;

/**
 * What became of one fault. All times are in ns after the fault was injected; -1 where it did not happen, or not within the
 * limit of the cycle.
 *
 * @param number              from 1.
 * @param fault               that was injected.
 * @param victims             member ids; empty if the fault was not injected.
 * @param startNs             when the fault was injected, in ns since the start of the schedule.
 * @param isValid             whether its outage means anything: enough traffic flowed before the fault, and it was not cut
 *                            short.
 * @param isRecovered         whether echoes flow again, all victims that were to return are back, and the backlog is gone.
 * @param isInterrupted       whether it was cut short because the test was to end.
 * @param problem             why it is not valid or not recovered, or empty.
 * @param isQuorumLost        whether too few members were left to acknowledge anything until the victims returned.
 * @param outageNs            longest time without an echo that the schedule asked for; 0 if none was longer than the shortest
 *                            gap that counts (5 ms, or ten messages); up to the end of the cycle when no echo came again.
 * @param outageResolutionNs  by which the outage may be off in either direction: the distance of two messages where it was
 *                            read from the journal, else of two looks at the running load.
 * @param phases              that were reached, and when.
 * @param echoesWithoutQuorum echoes that came while too few members were there; must be 0.
 * @param leaderBefore        member that led before the fault, or -1 if none did.
 * @param leaderAfter         member that led at the end of the cycle, or -1 if none did.
 * @param newLeaderMemberIds  members that the client saw leading after the fault, in order.
 */
public record Cycle(
    int number,
    Fault fault,
    List<Integer> victims,
    long startNs,
    boolean isValid,
    boolean isRecovered,
    boolean isInterrupted,
    String problem,
    boolean isQuorumLost,
    long outageNs,
    long outageResolutionNs,
    Map<OutagePhase, Long> phases,
    long echoesWithoutQuorum,
    int leaderBefore,
    int leaderAfter,
    List<Integer> newLeaderMemberIds)
{
    /**
     * What happens after a fault, in the order in which it usually does.
     */
    public enum OutagePhase
    {
        /** Last echo before the longest gap; may lie before the fault. */
        LAST_ECHO("lastEchoNs", "last echo", Source.ECHOES),
        /** A member other than the victims left its settled term, and asks the others where they are. */
        FAILURE_DETECTED("failureDetectedNs", "failure detected", Source.COUNTERS),
        /** A member other than the victims stands for election, or votes; any member, where they were too few without. */
        ELECTION_START("electionStartNs", "election start", Source.COUNTERS),
        /** A member leads a settled term. */
        ELECTION_END("electionEndNs", "election end", Source.COUNTERS),
        /** The client learnt of a new leader, or opened a new session. */
        NEW_LEADER_KNOWN("newLeaderKnownNs", "new leader known", Source.ECHOES),
        /** The first message after that was taken. */
        SESSION_USABLE("sessionUsableNs", "session usable", Source.ECHOES),
        /** First echo after the longest gap. */
        FIRST_ECHO("firstEchoNs", "first echo", Source.ECHOES),
        /** What had been due when echoes came again is answered. */
        BACKLOG_DRAINED("backlogDrainedNs", "backlog drained", Source.ECHOES),
        /** The victims were restarted, continued or reached again. */
        VICTIM_RETURNED("victimReturnedNs", "victim returned", Source.LOOKS),
        /** The victims are in the settled term and hold the log up to where the leader was when they had joined. */
        VICTIM_CAUGHT_UP("victimCaughtUpNs", "victim caught up", Source.LOOKS);

        private final String key;
        private final String label;
        private final Source source;

        OutagePhase(final String key, final String label, final Source source)
        {
            this.key = key;
            this.label = label;
            this.source = source;
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

    /** Where the time of a phase comes from, which decides how exact it is. */
    private enum Source
    {
        /** What the client received: as exact as the distance of messages. */
        ECHOES,
        /** Looks at the counters of members. */
        COUNTERS,
        /** Looks of the lab. */
        LOOKS
    }

    /**
     * By how much the time of a phase may be off.
     *
     * @param phase to look up.
     * @return in ns, in either direction.
     */
    public long resolutionNs(final OutagePhase phase)
    {
        return switch (phase.source)
        {
            case ECHOES -> outageResolutionNs;
            case COUNTERS -> ElectionWatch.LOOK_INTERVAL_NS;
            case LOOKS -> FailoverLab.LOOK_INTERVAL_NS;
        };
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
    public long phaseNs(final OutagePhase phase)
    {
        return phases.getOrDefault(phase, -1L);
    }

    /**
     * Whether the fault was injected.
     *
     * @return false if the cluster was not ready for it, or it failed.
     */
    public boolean isInjected()
    {
        return !victims.isEmpty();
    }

    /**
     * Whether a victim that led before the fault leads again after it, though the others could have elected one of them.
     *
     * @return true for a leader that was back before the others had missed it.
     */
    public boolean isSameLeader()
    {
        return !isQuorumLost && leaderBefore >= 0 && leaderBefore == leaderAfter && victims.contains(leaderBefore);
    }

    /**
     * Whether a member that led was killed by the fault: echoes must stop then.
     *
     * @return false for faults that let it hand over, and for those that leave its process alive.
     */
    public boolean isLeaderKilled()
    {
        return (Fault.KILL == fault || Fault.WIPE == fault) && leaderBefore >= 0 && victims.contains(leaderBefore);
    }

    /**
     * The same cycle with what the journal says of echoes.
     *
     * @param newOutageNs     longest time without an echo.
     * @param newResolutionNs by which that may be off in either direction.
     * @param echoPhases      those of last echo, first echo and drained backlog that were reached.
     */
    Cycle withEchoes(final long newOutageNs, final long newResolutionNs, final Map<OutagePhase, Long> echoPhases)
    {
        final Map<OutagePhase, Long> newPhases = new EnumMap<>(OutagePhase.class);
        newPhases.putAll(phases);
        newPhases.keySet().removeAll(Set.of(OutagePhase.LAST_ECHO, OutagePhase.FIRST_ECHO, OutagePhase.BACKLOG_DRAINED));
        newPhases.putAll(echoPhases);
        return new Cycle(
            number, fault, victims, startNs, isValid, isRecovered, isInterrupted, problem, isQuorumLost, newOutageNs,
            newResolutionNs, newPhases, echoesWithoutQuorum, leaderBefore, leaderAfter, newLeaderMemberIds);
    }
}
