package io.clusterecho.client.failover;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

import io.clusterecho.client.load.LoadAgent;
import io.clusterecho.client.record.Timeline;
import io.clusterecho.node.local.ClusterMember;
import io.clusterecho.node.local.Deadline;
import io.clusterecho.node.local.ElectionWatch;
import io.clusterecho.node.local.LocalCluster;
import io.clusterecho.node.local.LocalFailure;
import io.clusterecho.node.local.MemberCounters;

/**
 * Injects faults into a cluster, one cycle after the other, while an agent offers load on another thread,
 * and tells what each cycle came to. One thread calls {@link #execute()}; it may be interrupted to end after the present
 * cycle's steps.
 */
public final class FailoverLab
{
    private static final long POLL_NS = 20_000_000L;
    private static final long TRAFFIC_WINDOW_NS = 1_000_000_000L;
    private static final double TRAFFIC_SHARE = 0.8;

    private final FailoverPlan plan;
    private final LocalCluster cluster;
    private final LoadAgent agent;
    private final long scheduleStartNs;
    private final long ratePerSecond;
    private final Consumer<String> progress;
    private final Consumer<Cycle> evidence;
    private final SplittableRandom random;
    private int turn;

    /**
     * A lab that has not begun.
     *
     * @param plan            of the cycles.
     * @param cluster         which runs.
     * @param agent           which runs.
     * @param scheduleStartNs of the agent's schedule.
     * @param ratePerSecond   of the agent's schedule.
     * @param progress        told what happens, a line each.
     * @param evidence        given each cycle that did not recover, while things still are as they were.
     */
    public FailoverLab(
        final FailoverPlan plan,
        final LocalCluster cluster,
        final LoadAgent agent,
        final long scheduleStartNs,
        final long ratePerSecond,
        final Consumer<String> progress,
        final Consumer<Cycle> evidence)
    {
        this.plan = plan;
        this.cluster = cluster;
        this.agent = agent;
        this.scheduleStartNs = scheduleStartNs;
        this.ratePerSecond = ratePerSecond;
        this.progress = progress;
        this.evidence = evidence;
        random = new SplittableRandom(plan.seed());
    }

    /**
     * Run all cycles. A cycle that does not recover is a result, and ends the test when its victims cannot be brought back.
     *
     * @return the cycles that were run.
     */
    public List<Cycle> execute()
    {
        final List<Cycle> cycles = new ArrayList<>();
        try (ElectionWatch watch = cluster.watchElections())
        {
            final long beginNs = System.nanoTime();
            for (int number = 1; plan.isNext(number, System.nanoTime() - beginNs) && !Thread.currentThread().isInterrupted();
                number++)
            {
                LockSupport.parkNanos(plan.gapNs());
                final Cycle cycle = cycle(number, watch);
                cycles.add(cycle);
                progress.accept(FailoverText.line(cycle));
                if (!cycle.isRecovered())
                {
                    evidence.accept(cycle);
                    if (!recoverAll())
                    {
                        progress.accept("the cluster did not come back: the test ends here");
                        break;
                    }
                }
            }
        }

        if (!Thread.currentThread().isInterrupted())
        {
            // The last cycle's return to normal is a part of it.
            LockSupport.parkNanos(CycleTimeline.AFTER_NS);
        }
        return cycles;
    }

    private Cycle cycle(final int number, final ElectionWatch watch)
    {
        Fault fault = plan.faults().get(next(plan.faults().size(), number - 1));
        String who = plan.victims().get(next(plan.victims().size(), number - 1));
        while (plan.isRandom() && !FailoverPlan.isAllowed(fault, who))
        {
            fault = plan.faults().get(next(plan.faults().size(), number - 1));
            who = plan.victims().get(next(plan.victims().size(), number - 1));
        }
        return cycle(number, fault, who, watch);
    }

    private Cycle cycle(final int number, final Fault fault, final String who, final ElectionWatch watch)
    {
        String problem = prepare();
        final List<ClusterMember> victims = problem.isEmpty() ? victims(who) : List.of();
        if (problem.isEmpty() && victims.isEmpty())
        {
            problem = "no victim: there is no " + who;
        }
        if (!problem.isEmpty())
        {
            return notInjected(number, fault, problem);
        }

        final double flowing = awaitTraffic(System.nanoTime() + plan.limitNs());
        final boolean isValid = flowing >= TRAFFIC_SHARE;
        if (!isValid)
        {
            problem = String.format(
                java.util.Locale.ROOT, "only %.0f%% of the asked traffic flowed in the second before the fault", 100 * flowing);
        }

        final int firstEvent = agent.timeline().count();
        final long faultNs = System.nanoTime();
        try
        {
            victims.forEach((victim) -> fault.inject(victim, plan.script()));
        }
        catch (final LocalFailure ex)
        {
            progress.accept(ex.getMessage());
            return notInjected(number, fault, ex.getMessage());
        }
        final long deadlineNs = faultNs + plan.limitNs();
        final Map<Cycle.Phase, Long> phases = new EnumMap<>(Cycle.Phase.class);
        final boolean isQuorumLost = 2 * (cluster.members().size() - victims.size()) <= cluster.members().size();
        final boolean isReturning = plan.returnAfterNs() >= 0;

        final long echoesBefore = agent.echoesWithoutQuorum();
        if (isQuorumLost)
        {
            // A process takes a moment to die; what is due from then on nobody can have accepted.
            await(deadlineNs, () -> victims.stream().allMatch(fault::isInEffect));
            agent.quorumLostNs(System.nanoTime());
        }
        long returnedNs = -1;
        if (isReturning)
        {
            parkUntil(faultNs + plan.returnAfterNs());
        }
        agent.quorumLostNs(Long.MAX_VALUE);
        if (isReturning)
        {
            returnedNs = System.nanoTime();
            phases.put(Cycle.Phase.VICTIM_RETURNED, returnedNs - faultNs);
            problem += undo(fault, victims);
        }

        final long echoFromNs = isQuorumLost && isReturning ? returnedNs : faultNs;
        final boolean isEchoing = await(
            deadlineNs, () -> agent.lastEchoNs() - echoFromNs > 0 && isTrafficBack(faultNs));
        boolean isCaughtUp = true;
        if (isReturning)
        {
            isCaughtUp = awaitCaughtUp(victims, deadlineNs);
            if (isCaughtUp)
            {
                phases.put(Cycle.Phase.VICTIM_CAUGHT_UP, System.nanoTime() - faultNs);
            }
        }
        final boolean isDrained = isEchoing && await(deadlineNs, () -> isDrained(firstEvent));
        final boolean isRecovered = isEchoing && isCaughtUp && isDrained;
        if (!isRecovered)
        {
            problem = (problem.isEmpty() ? "" : problem + "; ") + (!isEchoing ? "no echoes again" :
                !isCaughtUp ? "the victim did not catch up" : "the backlog did not drain") + " within the limit";
        }

        final List<Integer> leaders = new ArrayList<>();
        final long endedOutageNs = readTimeline(firstEvent, faultNs, phases, leaders);
        // A gap is on the timeline once an echo has ended it.
        final long outageNs = isEchoing ? endedOutageNs : Math.max(endedOutageNs, System.nanoTime() - agent.lastEchoNs());
        final List<Integer> victimIds = victims.stream().map(ClusterMember::memberId).toList();
        readElection(watch.since(faultNs), faultNs, victimIds, isQuorumLost, phases);
        return new Cycle(
            number, fault, victimIds, faultNs - scheduleStartNs, isValid, isRecovered, problem, isQuorumLost, outageNs, phases,
            agent.echoesWithoutQuorum() - echoesBefore, leaders);
    }

    private String undo(final Fault fault, final List<ClusterMember> victims)
    {
        try
        {
            victims.forEach((victim) -> fault.undo(victim, plan.script()));
            return "";
        }
        catch (final LocalFailure ex)
        {
            progress.accept(ex.getMessage());
            return "the fault was not undone: " + ex.getMessage();
        }
    }

    /**
     * Wait for a second in which enough was answered: what follows a fault says nothing where little came before it.
     */
    private double awaitTraffic(final long deadlineNs)
    {
        double flowing;
        do
        {
            final long answeredBefore = agent.answeredCount();
            LockSupport.parkNanos(TRAFFIC_WINDOW_NS);
            flowing = (agent.answeredCount() - answeredBefore) / (TRAFFIC_WINDOW_NS / 1e9 * ratePerSecond);
        }
        while (flowing < TRAFFIC_SHARE && System.nanoTime() - deadlineNs < 0 && !Thread.currentThread().isInterrupted());
        return flowing;
    }

    private Cycle notInjected(final int number, final Fault fault, final String problem)
    {
        return new Cycle(
            number, fault, List.of(), System.nanoTime() - scheduleStartNs, false, false, problem, false, 0, Map.of(), 0,
            List.of());
    }

    /**
     * Before a fault: all members in one settled term, a snapshot if asked for.
     */
    private String prepare()
    {
        final long deadlineNs = System.nanoTime() + plan.limitNs();
        if (!await(deadlineNs, cluster::isWhole))
        {
            return "not all members were in a settled term before the fault";
        }
        if (plan.isSnapshotting())
        {
            try
            {
                cluster.snapshot(Deadline.in(plan.limitNs()));
            }
            catch (final LocalFailure ex)
            {
                return "no snapshot before the fault: " + ex.getMessage();
            }
        }

        return "";
    }

    private List<ClusterMember> victims(final String who)
    {
        final Optional<ClusterMember> leader = cluster.leader();
        final List<ClusterMember> followers = cluster.members().stream()
            .filter((member) -> leader.isPresent() && member.memberId() != leader.get().memberId()).toList();
        return switch (who)
        {
            case "leader" -> leader.stream().toList();
            case "follower" -> followers.isEmpty() ? List.of() : List.of(followers.get(random.nextInt(followers.size())));
            case "followers" -> followers;
            case "all" -> cluster.members();
            case "each" -> List.of(cluster.members().get(turn++ % cluster.members().size()));
            default -> cluster.members().stream().filter((member) -> who.equals(String.valueOf(member.memberId()))).toList();
        };
    }

    private boolean isTrafficBack(final long faultNs)
    {
        // Echoes that were on their way when the fault came are not a recovery: while a leader is dead, none follow them.
        final long nowNs = System.nanoTime();
        return nowNs - faultNs > TRAFFIC_WINDOW_NS &&
            nowNs - agent.lastEchoNs() < TRAFFIC_WINDOW_NS / 10 + 3 * 1_000_000_000L / ratePerSecond;
    }

    private boolean isDrained(final int firstEvent)
    {
        final Timeline timeline = agent.timeline();
        boolean isDrained = true;
        for (int place = firstEvent; place < timeline.count(); place++)
        {
            isDrained = switch (timeline.kind(place))
            {
                case ECHO_GAP -> false;
                case DRAINED -> true;
                default -> isDrained;
            };
        }

        return isDrained;
    }

    private boolean awaitCaughtUp(final List<ClusterMember> victims, final long deadlineNs)
    {
        if (!await(
            deadlineNs,
            () ->
            {
                for (final ClusterMember victim : victims)
                {
                    if (isGone(victim))
                    {
                        // A member that was stopped for over 10 s ends itself when it wakes.
                        Fault.restart(victim);
                    }
                }
                return cluster.isWhole();
            }))
        {
            return false;
        }

        final long leaderPosition = cluster.members().stream().map(ClusterMember::counters).flatMap(Optional::stream)
            .filter(MemberCounters::isLeader).mapToLong(MemberCounters::commitPosition).max().orElse(Long.MAX_VALUE);
        return await(
            deadlineNs,
            () -> victims.stream().allMatch((victim) ->
                victim.counters().map(MemberCounters::commitPosition).orElse(-1L) >= leaderPosition));
    }

    private static boolean isGone(final ClusterMember member)
    {
        try
        {
            return !member.isAlive();
        }
        catch (final LocalFailure ex)
        {
            // Its host does not answer yet, and nothing can be said of it.
            return false;
        }
    }

    private boolean recoverAll()
    {
        try
        {
            cluster.resume();
            cluster.start(Deadline.in(plan.limitNs()), (line) -> { });
            return true;
        }
        catch (final LocalFailure ex)
        {
            progress.accept(ex.getMessage());
            return false;
        }
    }

    private long readTimeline(
        final int firstEvent, final long faultNs, final Map<Cycle.Phase, Long> phases, final List<Integer> leaders)
    {
        final Timeline timeline = agent.timeline();
        int longest = -1;
        for (int place = firstEvent; place < timeline.count(); place++)
        {
            final long timeNs = timeline.timeNs(place) - faultNs;
            switch (timeline.kind(place))
            {
                case ECHO_GAP:
                    if (timeNs > 0 && (longest < 0 || lengthNs(timeline, place) > lengthNs(timeline, longest)))
                    {
                        longest = place;
                        phases.remove(Cycle.Phase.BACKLOG_DRAINED);
                    }
                    break;

                case NEW_LEADER:
                    leaders.add((int)timeline.value(place));
                    phases.putIfAbsent(Cycle.Phase.NEW_LEADER_KNOWN, timeNs);
                    break;

                case RECONNECTED:
                    phases.putIfAbsent(Cycle.Phase.NEW_LEADER_KNOWN, timeNs);
                    break;

                case SENDABLE:
                    if (phases.containsKey(Cycle.Phase.NEW_LEADER_KNOWN))
                    {
                        phases.putIfAbsent(Cycle.Phase.SESSION_USABLE, timeNs);
                    }
                    break;

                case DRAINED:
                    if (longest >= 0 && timeline.timeNs(place) - timeline.timeNs(longest) >= 0)
                    {
                        // Later ones are of shorter gaps.
                        phases.putIfAbsent(Cycle.Phase.BACKLOG_DRAINED, timeNs);
                    }
                    break;

                default:
                    break;
            }
        }

        if (longest < 0)
        {
            return 0;
        }

        phases.put(Cycle.Phase.LAST_ECHO, timeline.value(longest) - faultNs);
        phases.put(Cycle.Phase.FIRST_ECHO, timeline.timeNs(longest) - faultNs);
        return lengthNs(timeline, longest);
    }

    private static long lengthNs(final Timeline timeline, final int place)
    {
        return timeline.timeNs(place) - timeline.value(place);
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
        final Map<Cycle.Phase, Long> phases)
    {
        changes.stream()
            .filter(ElectionWatch.Change::isDetection)
            .filter((change) -> !victims.contains(change.memberId()))
            .mapToLong(ElectionWatch.Change::timeNs).min()
            .ifPresent((timeNs) -> phases.put(Cycle.Phase.FAILURE_DETECTED, timeNs - faultNs));
        changes.stream()
            .filter(ElectionWatch.Change::isBallot)
            .filter((change) -> isQuorumLost || !victims.contains(change.memberId()))
            .mapToLong(ElectionWatch.Change::timeNs).min()
            .ifPresent((timeNs) -> phases.put(Cycle.Phase.ELECTION_START, timeNs - faultNs));

        final Long begin = phases.getOrDefault(Cycle.Phase.FAILURE_DETECTED, phases.get(Cycle.Phase.ELECTION_START));
        if (null != begin)
        {
            changes.stream()
                .filter((change) -> change.timeNs() - faultNs >= begin && change.isSettled() && change.isLeader())
                .mapToLong(ElectionWatch.Change::timeNs).min()
                .ifPresent((timeNs) -> phases.put(Cycle.Phase.ELECTION_END, timeNs - faultNs));
        }
    }

    private int next(final int count, final int number)
    {
        return plan.isRandom() ? random.nextInt(count) : number % count;
    }

    private static void parkUntil(final long timeNs)
    {
        while (timeNs - System.nanoTime() > 0 && !Thread.currentThread().isInterrupted())
        {
            LockSupport.parkNanos(timeNs - System.nanoTime());
        }
    }

    private static boolean await(final long deadlineNs, final BooleanSupplier condition)
    {
        while (!condition.getAsBoolean())
        {
            if (System.nanoTime() - deadlineNs >= 0 || Thread.currentThread().isInterrupted())
            {
                return condition.getAsBoolean();
            }
            LockSupport.parkNanos(POLL_NS);
        }

        return true;
    }
}
