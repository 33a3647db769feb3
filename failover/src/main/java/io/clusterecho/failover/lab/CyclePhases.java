package io.clusterecho.failover.lab;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import io.clusterecho.client.load.LoadView;
import io.clusterecho.client.record.Timeline;
import io.clusterecho.control.member.ElectionWatch;

/**
 * What is seen of a cycle from its fault on: the outage as far as looks at the running load can tell, and when which phase was
 * reached. For one thread. Times are in ns on the clock of the load.
 */
final class CyclePhases
{
    private final LoadView load;
    private final long faultNs;
    private final long distanceNs;
    private final int firstEvent;
    private final int droppedBefore;
    private final long echoesBefore;
    private final Map<Cycle.OutagePhase, Long> phases = new EnumMap<>(Cycle.OutagePhase.class);
    private final List<Integer> leaders = new ArrayList<>();
    private long lastLookNs;
    /** Since when no echo came: the last one, or the fault if none had come for a while. */
    private long silentSinceNs;
    private boolean isSinceEcho;
    private long outageNs;
    private long outageResolutionNs;

    /**
     * Nothing seen yet.
     *
     * @param load       which runs.
     * @param faultNs    now.
     * @param distanceNs of two messages.
     */
    CyclePhases(final LoadView load, final long faultNs, final long distanceNs)
    {
        this.load = load;
        this.faultNs = faultNs;
        this.distanceNs = distanceNs;
        firstEvent = load.timeline().count();
        droppedBefore = load.timeline().droppedCount();
        echoesBefore = load.echoesWithoutQuorum();
        lastLookNs = faultNs;
        isSinceEcho = EchoGaps.isFlowing(load.lastEchoNs() - faultNs);
        silentSinceNs = isSinceEcho ? load.lastEchoNs() : faultNs;
    }

    /**
     * A phase is reached.
     */
    void reached(final Cycle.OutagePhase phase, final long nowNs)
    {
        phases.put(phase, nowNs - faultNs);
    }

    /**
     * Look at the newest echo: the end of a gap lies between two looks.
     */
    void look(final long nowNs)
    {
        final long echoNs = load.lastEchoNs();
        final long gapNs = echoNs - silentSinceNs;
        if (gapNs > outageNs && gapNs >= EchoGaps.thresholdNs(Math.max(nowNs - lastLookNs, distanceNs)))
        {
            onGap(gapNs, nowNs);
            phases.put(Cycle.OutagePhase.FIRST_ECHO, echoNs - faultNs);
        }
        if (gapNs > 0)
        {
            silentSinceNs = echoNs;
            isSinceEcho = true;
        }
        lastLookNs = nowNs;
    }

    private void onGap(final long gapNs, final long nowNs)
    {
        outageNs = gapNs;
        outageResolutionNs = Math.max(1, nowNs - lastLookNs);
        phases.remove(Cycle.OutagePhase.LAST_ECHO);
        phases.remove(Cycle.OutagePhase.FIRST_ECHO);
        if (isSinceEcho)
        {
            phases.put(Cycle.OutagePhase.LAST_ECHO, silentSinceNs - faultNs);
        }
    }

    /**
     * The cycle is over.
     *
     * @param nowNs        time of the call.
     * @param changes      of elections since the fault.
     * @param victims      member ids.
     * @param isQuorumLost whether too few members were left.
     * @return what is not known, or empty.
     */
    String end(
        final long nowNs, final List<ElectionWatch.Change> changes, final List<Integer> victims, final boolean isQuorumLost)
    {
        readElection(changes, faultNs, victims, isQuorumLost, phases);
        if (nowNs - silentSinceNs > Math.max(outageNs, EchoGaps.thresholdNs(distanceNs)))
        {
            // A gap that no echo has ended.
            onGap(nowNs - silentSinceNs, nowNs);
        }
        return readEvents();
    }

    long outageNs()
    {
        return outageNs;
    }

    long outageResolutionNs()
    {
        return outageResolutionNs;
    }

    Map<Cycle.OutagePhase, Long> phases()
    {
        return phases;
    }

    /**
     * Members that the client saw leading, in order; once the cycle is over.
     */
    List<Integer> leaders()
    {
        return leaders;
    }

    long echoesWithoutQuorum()
    {
        return load.echoesWithoutQuorum() - echoesBefore;
    }

    private String readEvents()
    {
        final Timeline timeline = load.timeline();
        for (int place = firstEvent; place < timeline.count(); place++)
        {
            final long timeNs = timeline.timeNs(place) - faultNs;
            switch (timeline.kind(place))
            {
                case NEW_LEADER ->
                {
                    leaders.add((int)timeline.value(place));
                    phases.putIfAbsent(Cycle.OutagePhase.NEW_LEADER_KNOWN, timeNs);
                }

                case RECONNECTED -> phases.putIfAbsent(Cycle.OutagePhase.NEW_LEADER_KNOWN, timeNs);

                case SENDABLE ->
                {
                    if (phases.containsKey(Cycle.OutagePhase.NEW_LEADER_KNOWN))
                    {
                        phases.putIfAbsent(Cycle.OutagePhase.SESSION_USABLE, timeNs);
                    }
                }

                default ->
                {
                }
            }
        }

        final int dropped = timeline.droppedCount() - droppedBefore;
        return 0 == dropped ? "" : dropped + " events of sessions found no room, so that what the client saw is not known";
    }

    /**
     * Read phases of the election off the changes since a fault. Where all are victims there is nobody to detect anything,
     * and where too few are left a victim may stand for election once it is back.
     */
    static void readElection(
        final List<ElectionWatch.Change> changes,
        final long faultNs,
        final List<Integer> victims,
        final boolean isQuorumLost,
        final Map<Cycle.OutagePhase, Long> phases)
    {
        changes.stream()
            .filter(ElectionWatch.Change::isDetection)
            .filter((change) -> !victims.contains(change.memberId()))
            .mapToLong(ElectionWatch.Change::timeNs).min()
            .ifPresent((timeNs) -> phases.put(Cycle.OutagePhase.FAILURE_DETECTED, timeNs - faultNs));
        changes.stream()
            .filter(ElectionWatch.Change::isBallot)
            .filter((change) -> isQuorumLost || !victims.contains(change.memberId()))
            .mapToLong(ElectionWatch.Change::timeNs).min()
            .ifPresent((timeNs) -> phases.put(Cycle.OutagePhase.ELECTION_START, timeNs - faultNs));

        final Long begin = phases.getOrDefault(Cycle.OutagePhase.FAILURE_DETECTED, phases.get(Cycle.OutagePhase.ELECTION_START));
        if (null != begin)
        {
            changes.stream()
                .filter((change) -> change.timeNs() - faultNs >= begin && change.isSettled() && change.isLeader())
                .mapToLong(ElectionWatch.Change::timeNs).min()
                .ifPresent((timeNs) -> phases.put(Cycle.OutagePhase.ELECTION_END, timeNs - faultNs));
        }
    }
}
