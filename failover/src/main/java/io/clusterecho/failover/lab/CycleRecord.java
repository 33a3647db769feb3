package io.clusterecho.failover.lab;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

import io.clusterecho.client.load.LoadView;
import io.clusterecho.client.load.LoadView.SessionEvent;
import io.clusterecho.control.member.ElectionWatch;
import io.clusterecho.reporting.results.Cycle;
import io.clusterecho.reporting.results.Expectation;

/**
 * What is known of a cycle, filled as it goes. Outage and phases are measured by polling the running load. Not thread-safe. Times
 * are in ns on the clock of the load.
 */
final class CycleRecord
{
    final List<String> problems = new ArrayList<>();
    int leaderBefore = FailoverLab.NONE;
    Expectation expectation = Expectation.ONE_ELECTION;
    boolean isValid;
    boolean isQuorumLost;
    boolean isRecovered;
    boolean isInterrupted;
    long faultNs;

    private final LoadView load;
    private final int number;
    private final Map<Cycle.OutagePhase, Long> phases = new EnumMap<>(Cycle.OutagePhase.class);
    private final List<Integer> leaders = new ArrayList<>();
    private long intervalNs;
    private int firstEvent;
    private long echoesBefore;
    private long lastPollNs;
    /** Begin of the time without an echo: the last echo, or the fault if there was none shortly before it. */
    private long silentSinceNs;
    private boolean isSinceEcho;
    private long outageNs;
    private long outageResolutionNs;

    CycleRecord(final LoadView load, final int number)
    {
        this.load = load;
        this.number = number;
        echoesBefore = load.echoesWithoutQuorum();
    }

    /** The fault comes at a time; the interval is that between two messages, in ns. */
    void begin(final long timeNs, final long messageIntervalNs)
    {
        faultNs = timeNs;
        intervalNs = messageIntervalNs;
        firstEvent = load.events().size();
        echoesBefore = load.echoesWithoutQuorum();
        lastPollNs = faultNs;
        isSinceEcho = FailoverHistory.isFlowing(load.lastEchoNs() - faultNs);
        silentSinceNs = isSinceEcho ? load.lastEchoNs() : faultNs;
    }

    void reached(final Cycle.OutagePhase phase, final long nowNs)
    {
        phases.put(phase, nowNs - faultNs);
    }

    /** Poll the newest echo: a gap ends between two polls. */
    void poll(final long nowNs)
    {
        final long echoNs = load.lastEchoNs();
        final long gapNs = echoNs - silentSinceNs;
        if (gapNs > outageNs && gapNs >= FailoverHistory.thresholdNs(Math.max(nowNs - lastPollNs, intervalNs)))
        {
            onGap(gapNs, nowNs);
            phases.put(Cycle.OutagePhase.FIRST_ECHO, echoNs - faultNs);
        }
        if (gapNs > 0)
        {
            silentSinceNs = echoNs;
            isSinceEcho = true;
        }
        lastPollNs = nowNs;
    }

    private void onGap(final long gapNs, final long nowNs)
    {
        outageNs = gapNs;
        outageResolutionNs = Math.max(1, nowNs - lastPollNs);
        phases.remove(Cycle.OutagePhase.LAST_ECHO);
        phases.remove(Cycle.OutagePhase.FIRST_ECHO);
        if (isSinceEcho)
        {
            phases.put(Cycle.OutagePhase.LAST_ECHO, silentSinceNs - faultNs);
        }
    }

    /** A cycle whose fault was injected has ended, with these changes of the members since and these victims. */
    void end(final long nowNs, final List<ElectionWatch.Change> changes, final List<Integer> victims)
    {
        readElection(changes, faultNs, victims, isQuorumLost, phases);
        if (nowNs - silentSinceNs > Math.max(outageNs, FailoverHistory.thresholdNs(intervalNs)))
        {
            // A gap that is still open.
            onGap(nowNs - silentSinceNs, nowNs);
        }
        readEvents();
    }

    /** The record as a result; no victims are healed if the list is empty. */
    Cycle result(
        final long scheduleStartNs, final Cycle.Hit hit, final Cycle.Second second, final List<Integer> healed,
        final int leaderAfter)
    {
        return new Cycle(
            number, hit, expectation, null, faultNs - scheduleStartNs, !hit.victims().isEmpty() && isValid && !isInterrupted,
            isRecovered, String.join("; ", problems), isQuorumLost, isInterrupted, outageNs, outageResolutionNs,
            Cycle.Moments.of(phases), load.echoesWithoutQuorum() - echoesBefore, leaderBefore, leaderAfter, leaders, second,
            healed.isEmpty() ? null : healed, null, null, null);
    }

    private void readEvents()
    {
        load.events().stream().skip(firstEvent).forEach((event) ->
        {
            final long timeNs = event.timeNs() - faultNs;
            if (SessionEvent.Kind.NEW_LEADER == event.kind())
            {
                leaders.add(event.memberId());
            }
            if (SessionEvent.Kind.SENDABLE != event.kind())
            {
                phases.putIfAbsent(Cycle.OutagePhase.NEW_LEADER_KNOWN, timeNs);
            }
            else if (phases.containsKey(Cycle.OutagePhase.NEW_LEADER_KNOWN))
            {
                phases.putIfAbsent(Cycle.OutagePhase.SESSION_USABLE, timeNs);
            }
        });
    }

    /**
     * Read the election phases from the changes since a fault. If all members are victims, no member can detect a failure; if
     * the quorum is lost, a victim may become a candidate once it is back.
     */
    static void readElection(
        final List<ElectionWatch.Change> changes, final long faultNs, final List<Integer> victims, final boolean isQuorumLost,
        final Map<Cycle.OutagePhase, Long> phases)
    {
        put(Cycle.OutagePhase.FAILURE_DETECTED, changes, faultNs, phases, (change) ->
            change.isDetection() && !victims.contains(change.memberId()));
        put(Cycle.OutagePhase.ELECTION_START, changes, faultNs, phases, (change) ->
            change.isBallot() && (isQuorumLost || !victims.contains(change.memberId())));
        final Long begin = phases.getOrDefault(Cycle.OutagePhase.FAILURE_DETECTED, phases.get(Cycle.OutagePhase.ELECTION_START));
        if (null != begin)
        {
            put(Cycle.OutagePhase.ELECTION_END, changes, faultNs, phases, (change) ->
                change.timeNs() - faultNs >= begin && change.isSettled() && change.isLeader());
        }
    }

    /** A phase is reached with the first change of a kind. */
    private static void put(
        final Cycle.OutagePhase phase, final List<ElectionWatch.Change> changes, final long faultNs,
        final Map<Cycle.OutagePhase, Long> phases, final Predicate<ElectionWatch.Change> isOfKind)
    {
        changes.stream().filter(isOfKind).mapToLong(ElectionWatch.Change::timeNs).min()
            .ifPresent((timeNs) -> phases.put(phase, timeNs - faultNs));
    }
}
