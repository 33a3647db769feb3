package io.clusterecho.reporting.results;

import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;

import io.clusterecho.reporting.measurement.Counter;

import org.HdrHistogram.Histogram;

/**
 * The result of one fault, as {@code failover.json} has it. Times are in ns after the fault, null for what did not happen within
 * the limit of the cycle. Results of earlier versions lack some components, which are null then.
 *
 * @param number               from 1.
 * @param expectedOutageNs     longest outage expected; null if none can be stated.
 * @param startNs              when the fault was injected, in ns since the start of the schedule.
 * @param isValid              whether its outage counts: enough messages were answered before the fault, and the cycle was not
 *                             interrupted.
 * @param isRecovered          whether echoes resumed, all victims that were to return have caught up, and the backlog is gone.
 * @param problem              why it is invalid or did not recover, or empty.
 * @param isQuorumLost         whether the cluster had no quorum until the victims returned.
 * @param interrupted          whether it was cut short by a request to end the test.
 * @param outageNs             longest time without a scheduled echo; 0 if none reached the minimum gap (5 ms and ten message
 *                             intervals); up to the end of the cycle if echoes did not resume.
 * @param outageResolutionNs   maximum error of the outage in either direction: the interval between two messages if it was read
 *                             from the journal, else the interval between two polls of the running load.
 * @param echoesWithoutQuorum  echoes received while the cluster had no quorum; must be 0.
 * @param leaderBefore         member that led before the fault, -1 if none did.
 * @param leaderAfter          member that led at the end of the cycle, -1 if none did.
 * @param newLeaders           leaders that the client saw after the fault, in order.
 * @param second               null without a second fault.
 * @param healed               victims that refused their data, whose last write the fault had cut off, and copied that of the
 *                             others; null if none.
 * @param responseTimeNs       by the part of the cycle in which messages were due.
 * @param returnResponseTimeNs of the messages due from the return of the victims until they had caught up.
 * @param sessions             of earlier versions: when the sessions of the load were back.
 */
public record Cycle(
    @JsonProperty("cycle") int number, @JsonUnwrapped Hit hit, Expectation expectation, Long expectedOutageNs, long startNs,
    @JsonProperty("valid") boolean isValid, @JsonProperty("recovered") boolean isRecovered, String problem,
    @JsonProperty("quorumLost") boolean isQuorumLost, Boolean interrupted, long outageNs, Long outageResolutionNs,
    @JsonUnwrapped Moments moments, long echoesWithoutQuorum, Integer leaderBefore, Integer leaderAfter,
    List<Integer> newLeaders, Second second, List<Integer> healed, Map<String, PartTimes> responseTimeNs,
    PartTimes returnResponseTimeNs, Map<String, Long> sessions)
{
    /**
     * A fault, and whom it hit.
     *
     * @param fault   and its strength, as {@code --fault} takes it.
     * @param choice  with pick, what selected the victims.
     * @param pick    see choice.
     * @param victims member ids; empty if the fault was not injected.
     * @param effect  null in a stored result.
     */
    public record Hit(
        String fault, String choice, Integer pick, @JsonProperty("victim") List<Integer> victims,
        @JsonProperty(access = JsonProperty.Access.WRITE_ONLY) Effect effect)
    {
    }

    /** What a fault does to a victim. */
    public enum Effect
    {
        /** It kills the process, without a transfer of leadership. */
        KILLS,
        /** The victim acknowledges nothing until the fault is undone. */
        SILENCES,
        /** The victim may still acknowledge messages. */
        HINDERS
    }

    /**
     * The second fault of a cycle.
     *
     * @param afterNs    earliest time after the first fault, in ns.
     * @param injectedNs when it was injected, in ns after the first; null if it was not.
     */
    public record Second(@JsonUnwrapped Hit hit, long afterNs, Long injectedNs)
    {
    }

    /** When each phase was reached; null for phases that were not. */
    @JsonInclude(JsonInclude.Include.ALWAYS)
    public record Moments(
        Long lastEchoNs, Long failureDetectedNs, Long electionStartNs, Long electionEndNs, Long newLeaderKnownNs,
        Long sessionUsableNs, Long firstEchoNs, Long backlogDrainedNs, Long victimReturnedNs,
        Long victimInQuorumNs, Long victimCaughtUpNs)
    {
        public static Moments of(final Map<OutagePhase, Long> phases)
        {
            return new Moments(
                phases.get(OutagePhase.LAST_ECHO), phases.get(OutagePhase.FAILURE_DETECTED),
                phases.get(OutagePhase.ELECTION_START), phases.get(OutagePhase.ELECTION_END),
                phases.get(OutagePhase.NEW_LEADER_KNOWN), phases.get(OutagePhase.SESSION_USABLE),
                phases.get(OutagePhase.FIRST_ECHO), phases.get(OutagePhase.BACKLOG_DRAINED),
                phases.get(OutagePhase.VICTIM_RETURNED), phases.get(OutagePhase.VICTIM_IN_QUORUM),
                phases.get(OutagePhase.VICTIM_CAUGHT_UP));
        }
    }

    /** Response times of the messages due in a part of a cycle, in ns. */
    public record PartTimes(long count, long unanswered, @JsonUnwrapped Percentiles percentiles)
    {
        public static PartTimes of(final Histogram answered, final long unanswered)
        {
            return new PartTimes(answered.getTotalCount(), unanswered, Percentiles.of(answered));
        }
    }

    /** The phases after a fault, in their usual order. */
    public enum OutagePhase
    {
        /** Last echo before the longest gap; may lie before the fault. */
        LAST_ECHO(Source.ECHOES, Moments::lastEchoNs),
        /** A member other than the victims left its settled term and canvasses. */
        FAILURE_DETECTED(Source.COUNTERS, Moments::failureDetectedNs),
        /** A member other than the victims becomes a candidate or votes; any member if the quorum was lost. */
        ELECTION_START(Source.COUNTERS, Moments::electionStartNs),
        /** A member leads a settled term. */
        ELECTION_END(Source.COUNTERS, Moments::electionEndNs),
        /** The client learned of a new leader or opened a new session. */
        NEW_LEADER_KNOWN(Source.ECHOES, Moments::newLeaderKnownNs),
        /** The transport accepted the first message after that. */
        SESSION_USABLE(Source.ECHOES, Moments::sessionUsableNs),
        /** First echo after the longest gap. */
        FIRST_ECHO(Source.ECHOES, Moments::firstEchoNs),
        /** All messages that were due when echoes resumed are answered. */
        BACKLOG_DRAINED(Source.ECHOES, Moments::backlogDrainedNs),
        /** The victims were restarted, resumed or reconnected. */
        VICTIM_RETURNED(Source.POLLS, Moments::victimReturnedNs),
        /** The victims are in the settled term and have committed up to the leader's commit position when they returned. */
        VICTIM_IN_QUORUM(Source.POLLS, Moments::victimInQuorumNs),
        /** The victims have committed up to the leader's commit position when they were in the quorum. */
        VICTIM_CAUGHT_UP(Source.POLLS, Moments::victimCaughtUpNs);

        private final Source source;
        private final Function<Moments, Long> moment;

        OutagePhase(final Source source, final Function<Moments, Long> moment)
        {
            this.source = source;
            this.moment = moment;
        }

        /** Name in JSON, for instance {@code firstEchoNs}. */
        public String key()
        {
            return Counter.camelCase(name()) + "Ns";
        }

        /** Name in text and CSV, for instance {@code first echo}. */
        public String label()
        {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }

        public Source source()
        {
            return source;
        }
    }

    /** Source of the time of a phase, which determines its resolution. */
    public enum Source
    {
        /** Replies that the client received: as exact as the interval between messages. */
        ECHOES,
        /** Polls of the members' counters. */
        COUNTERS,
        /** Polls of the lab. */
        POLLS
    }

    /** The phases that were reached. */
    public Map<OutagePhase, Long> phases()
    {
        final Map<OutagePhase, Long> phases = new EnumMap<>(OutagePhase.class);
        Stream.of(OutagePhase.values()).forEach((phase) -> phases.put(phase, phase.moment.apply(moments)));
        phases.values().removeIf(Objects::isNull);
        return phases;
    }

    /** @return in ns after the fault, or -1. */
    public long phaseNs(final OutagePhase phase)
    {
        final Long timeNs = phase.moment.apply(moments);
        return null == timeNs ? -1 : timeNs;
    }

    /** @return in ns after the fault; 0 if no phase was reached. */
    public long lastPhaseNs()
    {
        return phases().values().stream().mapToLong(Long::longValue).reduce(0, Math::max);
    }

    public List<Integer> victims()
    {
        return hit.victims;
    }

    public boolean isInterrupted()
    {
        return Boolean.TRUE.equals(interrupted);
    }

    public boolean isProblematic()
    {
        return null != problem && !problem.isEmpty();
    }

    /** Whether the fault was injected: not if the cluster was not ready for it, or if it failed. */
    public boolean isInjected()
    {
        return !hit.victims.isEmpty();
    }

    public boolean isSecondInjected()
    {
        return null != second && null != second.injectedNs;
    }

    /** Whether the outage was longer than expected, by more than its resolution. */
    public boolean isBeyondExpected()
    {
        return null != expectedOutageNs &&
            outageNs - (null == outageResolutionNs ? 0 : outageResolutionNs) > expectedOutageNs;
    }

    /** Whether the members elected a leader though the fault left them leader and quorum. */
    public boolean isElectionUnexpected()
    {
        return (Expectation.LEADER_STAYS == expectation || Expectation.NO_CLIENTS == expectation) && isInjected() &&
            !newLeaders.isEmpty();
    }

    /**
     * Whether a victim that led before the fault leads again after it, though another was expected to: it was back before the
     * other members detected its failure. Not with a fault that leaves it running, such as a slow disk: that it still leads is no
     * return.
     */
    public boolean isSameLeader()
    {
        return Expectation.ONE_ELECTION == expectation && (Effect.KILLS == hit.effect || Effect.SILENCES == hit.effect) &&
            !isQuorumLost && isLeaderHit() && leaderBefore.equals(leaderAfter);
    }

    /** Whether the fault killed the leader, so that echoes must stop. */
    public boolean isLeaderKilled()
    {
        return Effect.KILLS == hit.effect && isLeaderHit();
    }

    private boolean isLeaderHit()
    {
        return null != leaderBefore && leaderBefore >= 0 && hit.victims.contains(leaderBefore);
    }

    /** The same cycle with another outage and other phases. */
    public Cycle with(final long newOutageNs, final long newResolutionNs, final Map<OutagePhase, Long> newPhases)
    {
        return new Cycle(
            number, hit, expectation, expectedOutageNs, startNs, isValid, isRecovered, problem, isQuorumLost, interrupted,
            newOutageNs, newResolutionNs, Moments.of(newPhases), echoesWithoutQuorum, leaderBefore, leaderAfter, newLeaders,
            second, healed, responseTimeNs, returnResponseTimeNs, sessions);
    }

    /** The same cycle with what is known once the test has ended. */
    public Cycle with(
        final Long newExpectedNs, final Map<String, PartTimes> newResponseTimes, final PartTimes newReturnTimes)
    {
        return new Cycle(
            number, hit, expectation, newExpectedNs, startNs, isValid, isRecovered, problem, isQuorumLost, interrupted, outageNs,
            outageResolutionNs, moments, echoesWithoutQuorum, leaderBefore, leaderAfter, newLeaders, second, healed,
            newResponseTimes, newReturnTimes, sessions);
    }
}
