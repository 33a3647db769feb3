package io.clusterecho.failover.lab;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.clusterecho.control.member.ElectionWatch;
import io.clusterecho.settings.Quantity;

/**
 * The result of one fault. All times are in ns after the fault was injected, -1 for what did not happen within the limit of the
 * cycle.
 *
 * @param number              from 1.
 * @param planned             fault that was to be injected.
 * @param victims             member ids; empty if the fault was not injected.
 * @param expectation         of its outage, stated before the fault was injected.
 * @param startNs             when the fault was injected, in ns since the start of the schedule.
 * @param isValid             whether its outage counts: enough messages were answered before the fault, and the cycle was not
 *                            interrupted.
 * @param isRecovered         whether echoes resumed, all victims that were to return have caught up, and the backlog is gone.
 * @param isInterrupted       whether it was cut short by a request to end the test.
 * @param problem             why it is invalid or did not recover, or empty.
 * @param isQuorumLost        whether the cluster had no quorum until the victims returned.
 * @param outageNs            longest time without a scheduled echo; 0 if none reached the minimum gap (5 ms and ten message
 *                            intervals); up to the end of the cycle if echoes did not resume.
 * @param outageResolutionNs  maximum error of the outage in either direction: the interval between two messages if it was read
 *                            from the journal, else the interval between two polls of the running load.
 * @param phases              phases that were reached, and when.
 * @param echoesWithoutQuorum echoes received while the cluster had no quorum; must be 0.
 * @param leaderBefore        member that led before the fault, -1 if none did.
 * @param leaderAfter         member that led at the end of the cycle, -1 if none did.
 * @param newLeaderMemberIds  leaders that the client saw after the fault, in order.
 * @param secondHit           of the second fault, null if it was not injected.
 * @param healed              victims that refused their data, whose last write the fault had cut off, and copied that of the
 *                            others.
 */
public record Cycle(
    int number,
    PlannedFault planned,
    List<Integer> victims,
    Expectation expectation,
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
    List<Integer> newLeaderMemberIds,
    SecondHit secondHit,
    List<Integer> healed)
{
    /**
     * What a second fault did.
     *
     * @param victims member ids, at least one.
     * @param afterNs when it was injected, in ns after the first.
     */
    public record SecondHit(List<Integer> victims, long afterNs)
    {
    }

    /** The phases after a fault, in their usual order. */
    public enum OutagePhase
    {
        /** Last echo before the longest gap; may lie before the fault. */
        LAST_ECHO("lastEchoNs", "last echo", Source.ECHOES),
        /** A member other than the victims left its settled term and canvasses. */
        FAILURE_DETECTED("failureDetectedNs", "failure detected", Source.COUNTERS),
        /** A member other than the victims becomes a candidate or votes; any member if the quorum was lost. */
        ELECTION_START("electionStartNs", "election start", Source.COUNTERS),
        /** A member leads a settled term. */
        ELECTION_END("electionEndNs", "election end", Source.COUNTERS),
        /** The client learned of a new leader or opened a new session. */
        NEW_LEADER_KNOWN("newLeaderKnownNs", "new leader known", Source.ECHOES),
        /** The transport accepted the first message after that. */
        SESSION_USABLE("sessionUsableNs", "session usable", Source.ECHOES),
        /** First echo after the longest gap. */
        FIRST_ECHO("firstEchoNs", "first echo", Source.ECHOES),
        /** All messages that were due when echoes resumed are answered. */
        BACKLOG_DRAINED("backlogDrainedNs", "backlog drained", Source.ECHOES),
        /** The victims were restarted, resumed or reconnected. */
        VICTIM_RETURNED("victimReturnedNs", "victim returned", Source.POLLS),
        /** The victims are in the settled term and have committed up to the leader's commit position when they returned. */
        VICTIM_IN_QUORUM("victimInQuorumNs", "victim in quorum", Source.POLLS),
        /** The victims have committed up to the leader's commit position when they were in the quorum. */
        VICTIM_CAUGHT_UP("victimCaughtUpNs", "victim caught up", Source.POLLS);

        private final String key;
        private final String label;
        private final Source source;

        OutagePhase(final String key, final String label, final Source source)
        {
            this.key = key;
            this.label = label;
            this.source = source;
        }

        /** Name in JSON, for instance {@code firstEchoNs}. */
        public String key()
        {
            return key;
        }

        /** Name in text and CSV, for instance {@code first echo}. */
        public String label()
        {
            return label;
        }
    }

    /** Source of the time of a phase, which determines its resolution. */
    private enum Source
    {
        /** Replies that the client received: as exact as the interval between messages. */
        ECHOES,
        /** Polls of the members' counters. */
        COUNTERS,
        /** Polls of the lab. */
        POLLS
    }

    /**
     * Maximum error of the time of a phase.
     *
     * @return in ns, in either direction.
     */
    public long resolutionNs(final OutagePhase phase)
    {
        return switch (phase.source)
        {
            case ECHOES -> outageResolutionNs;
            case COUNTERS -> ElectionWatch.LOOK_INTERVAL_NS;
            case POLLS -> FailoverLab.POLL_INTERVAL_NS;
        };
    }

    /** The fault, and its strength. */
    public FaultSpec fault()
    {
        return planned.spec();
    }

    /** Whether the members elected a leader though the fault left them leader and quorum. */
    public boolean isElectionUnexpected()
    {
        return (Expectation.LEADER_STAYS == expectation || Expectation.NO_CLIENTS == expectation) && isInjected() &&
            !newLeaderMemberIds.isEmpty();
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
     * The longest part of the time from the fault to the first echo, as far as its begin and end are known.
     *
     * @return name and length, as in {@code election, 2.10 s}; empty if no part is known.
     */
    public String longestPart()
    {
        final long detectedNs = phaseNs(OutagePhase.FAILURE_DETECTED);
        final long electedNs = phaseNs(OutagePhase.ELECTION_END);
        final Map<String, Long> partsNs = new LinkedHashMap<>();
        partsNs.put("detection", detectedNs);
        partsNs.put("election", detectedNs < 0 ? -1 : electedNs - detectedNs);
        partsNs.put("session recovery", electedNs < 0 ? -1 : phaseNs(OutagePhase.FIRST_ECHO) - electedNs);
        return partsNs.entrySet().stream().filter((part) -> part.getValue() > 0).max(Map.Entry.comparingByValue())
            .map((part) -> part.getKey() + ", " + Quantity.formatNs(part.getValue())).orElse("");
    }

    /**
     * When a phase was reached.
     *
     * @return in ns after the fault, or -1.
     */
    public long phaseNs(final OutagePhase phase)
    {
        return phases.getOrDefault(phase, -1L);
    }

    /** Whether the fault was injected: not if the cluster was not ready for it, or if it failed. */
    public boolean isInjected()
    {
        return !victims.isEmpty();
    }

    /**
     * Whether a victim that led before the fault leads again after it, though another was expected to: it was back before the
     * other members detected its failure. Not with a fault that leaves it running, such as a slow disk: that it still leads is no
     * return.
     */
    public boolean isSameLeader()
    {
        return Expectation.ONE_ELECTION == expectation && fault().fault().isSilencing() && !isQuorumLost &&
            leaderBefore >= 0 && leaderBefore == leaderAfter && victims.contains(leaderBefore);
    }

    /**
     * Whether the fault killed the leader, so that echoes must stop. False for faults that let the leader hand over or leave its
     * process alive.
     */
    public boolean isLeaderKilled()
    {
        return EnumSet.of(Fault.KILL, Fault.KILL_AGAIN, Fault.KILL_IN_SNAPSHOT, Fault.KILL_IN_ELECTION, Fault.WIPE)
            .contains(fault().fault()) && leaderBefore >= 0 && victims.contains(leaderBefore);
    }

    /**
     * The same cycle with the outage and the echo phases from the journal.
     *
     * @param newOutageNs     longest time without an echo.
     * @param newResolutionNs maximum error of that in either direction.
     * @param echoPhases      last echo, first echo and backlog drained, as far as reached.
     */
    Cycle withEchoes(final long newOutageNs, final long newResolutionNs, final Map<OutagePhase, Long> echoPhases)
    {
        final Map<OutagePhase, Long> newPhases = new EnumMap<>(OutagePhase.class);
        newPhases.putAll(phases);
        newPhases.keySet().removeAll(Set.of(OutagePhase.LAST_ECHO, OutagePhase.FIRST_ECHO, OutagePhase.BACKLOG_DRAINED));
        newPhases.putAll(echoPhases);
        return new Cycle(
            number, planned, victims, expectation, startNs, isValid, isRecovered, isInterrupted, problem, isQuorumLost,
            newOutageNs, newResolutionNs, newPhases, echoesWithoutQuorum, leaderBefore, leaderAfter, newLeaderMemberIds,
            secondHit, healed);
    }
}
