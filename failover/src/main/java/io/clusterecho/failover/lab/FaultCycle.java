package io.clusterecho.failover.lab;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;

import io.clusterecho.client.load.LoadView;
import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.control.member.ElectionWatch;
import io.clusterecho.control.member.MemberCounters;

/**
 * One cycle of a failover test as a state machine. {@link #step(long)} looks once at cluster and load and does at most one
 * thing; it does not wait, but for calls to members that say that they do. No failure of a member or its host leaves it: each
 * becomes part of the cycle's problem.
 * <pre>
 *   AWAIT_WHOLE &lt;-> AWAIT_TRAFFIC -> (inject) -> AWAIT_EFFECT -> AWAIT_RETURN -> AWAIT_EXIT -> (undo)
 *        |                             |             too few members left only                  |
 *        v                             v                                                        v
 *      ENDED: not injected           ENDED    ENDED &lt;- AWAIT_DRAINED &lt;- AWAIT_MEMBERS &lt;- AWAIT_ECHOES
 * </pre>
 * For one thread. Times are in ns on the clock of load and cluster.
 */
final class FaultCycle
{
    private static final long TRAFFIC_WINDOW_NS = 1_000_000_000L;
    private static final double TRAFFIC_SHARE = 0.8;
    private static final long EXIT_TIMEOUT_NS = 30_000_000_000L;
    private static final long KILL_TIMEOUT_NS = 10_000_000_000L;
    private static final int NOBODY = -1;

    /** What is waited for. */
    private enum State
    {
        AWAIT_WHOLE,
        AWAIT_TRAFFIC,
        AWAIT_EFFECT,
        AWAIT_RETURN,
        AWAIT_EXIT,
        AWAIT_ECHOES,
        AWAIT_MEMBERS,
        AWAIT_DRAINED,
        ENDED
    }

    private final int number;
    private final Fault fault;
    private final FailoverPlan plan;
    private final LabCluster cluster;
    private final LoadView load;
    private final ElectionWatch elections;
    private final long scheduleStartNs;
    private final long ratePerSecond;
    private final Function<LabCluster, List<ClusterMember>> choice;
    private final List<String> problems = new ArrayList<>();

    private State state = State.AWAIT_WHOLE;
    private Victims victims;
    private long deadlineNs;
    private long windowBeginNs;
    private long windowAnswered;
    private boolean isBegun;
    private boolean wasWhole;
    private boolean isSnapshotTaken;
    private boolean isValid;
    private boolean isQuorumLost;
    private boolean isUndone;
    private boolean isKilledForGood;
    private boolean isRecovered;
    private boolean isInterrupted;
    private boolean isEnding;
    /** What stood in the way of the last look, after a colon, or empty. */
    private String lookFailure = "";
    private int leaderBefore = NOBODY;
    private long faultNs;
    private long exitDeadlineNs;
    private long returnedNs;
    private long echoesBackNs;
    private long caughtUpPosition = -1;
    private CyclePhases seen;

    /**
     * A cycle that has not begun.
     *
     * @param number          from 1.
     * @param fault           to inject.
     * @param choice          of the victims, once the cluster is whole.
     * @param plan            of the test.
     * @param cluster         which runs.
     * @param load            which runs.
     * @param elections       as they are noted.
     * @param scheduleStartNs of the load.
     * @param ratePerSecond   of the load.
     */
    FaultCycle(
        final int number,
        final Fault fault,
        final Function<LabCluster, List<ClusterMember>> choice,
        final FailoverPlan plan,
        final LabCluster cluster,
        final LoadView load,
        final ElectionWatch elections,
        final long scheduleStartNs,
        final long ratePerSecond)
    {
        this.number = number;
        this.fault = fault;
        this.choice = choice;
        this.plan = plan;
        this.cluster = cluster;
        this.load = load;
        this.elections = elections;
        this.scheduleStartNs = scheduleStartNs;
        this.ratePerSecond = ratePerSecond;
        victims = new Victims(fault, plan.script(), List.of());
    }

    /**
     * Look once, and go on where what was waited for is there.
     *
     * @param nowNs time of the look.
     * @return false once the cycle has ended.
     */
    boolean step(final long nowNs)
    {
        if (!isBegun)
        {
            isBegun = true;
            deadlineNs = nowNs + plan.limitNs();
        }
        if (isInjected())
        {
            seen.look(nowNs);
        }

        try
        {
            switch (state)
            {
                case AWAIT_WHOLE -> awaitWhole(nowNs);
                case AWAIT_TRAFFIC -> awaitTraffic(nowNs);
                case AWAIT_EFFECT -> awaitEffect(nowNs);
                case AWAIT_RETURN -> awaitReturn(nowNs);
                case AWAIT_EXIT -> awaitExit(nowNs);
                case AWAIT_ECHOES -> awaitEchoes(nowNs);
                case AWAIT_MEMBERS -> awaitMembers(nowNs);
                case AWAIT_DRAINED -> awaitDrained(nowNs);
                default ->
                {
                }
            }
            lookFailure = "";
        }
        catch (final ControlFailure ex)
        {
            onRefusal(nowNs, ex);
        }
        catch (final RuntimeException ex)
        {
            // Whatever a member or its host did: the cycle is worth keeping.
            onFailure(nowNs, ex);
        }

        return State.ENDED != state;
    }

    /**
     * End soon: a fault that is in effect is undone, and what follows it is not waited for.
     *
     * @param nowNs time of the call.
     */
    void interrupt(final long nowNs)
    {
        if (isInterrupted || State.ENDED == state)
        {
            return;
        }

        isInterrupted = true;
        if (!isInjected())
        {
            state = State.ENDED;
        }
        else
        {
            endUndone(nowNs, "interrupted before it had recovered");
        }
    }

    /**
     * Whether the fault was injected.
     */
    boolean isInjected()
    {
        return victims.isAnyInjected();
    }

    /**
     * Whether it was cut short.
     */
    boolean isInterrupted()
    {
        return isInterrupted;
    }

    /**
     * What became of it, once it has ended.
     *
     * @param nowNs time of the call.
     */
    Cycle result(final long nowNs)
    {
        load.quorumLostNs(Long.MAX_VALUE);
        if (!isInjected())
        {
            return new Cycle(
                number, fault, List.of(), nowNs - scheduleStartNs, false, false, isInterrupted, problem(), false, 0, 0,
                Map.of(), 0, leaderBefore, leaderNow(), List.of());
        }

        final List<Integer> victimIds = victims.memberIds();
        final String unknown = seen.end(nowNs, electionsSinceFault(), victimIds, isQuorumLost);
        if (!unknown.isEmpty())
        {
            problems.add(unknown);
        }
        return new Cycle(
            number, fault, victimIds, faultNs - scheduleStartNs, isValid && !isInterrupted, isRecovered, isInterrupted,
            problem(), isQuorumLost, seen.outageNs(), seen.outageResolutionNs(), seen.phases(), seen.echoesWithoutQuorum(),
            leaderBefore, leaderNow(), seen.leaders());
    }

    private List<ElectionWatch.Change> electionsSinceFault()
    {
        try
        {
            return elections.since(faultNs);
        }
        catch (final RuntimeException ex)
        {
            problems.add("the elections of the cycle are not known: " + Victims.message(ex));
            return List.of();
        }
    }

    private void awaitWhole(final long nowNs)
    {
        if (nowNs - deadlineNs >= 0)
        {
            end("not all members were in a settled term before the fault");
            return;
        }
        if (!cluster.isWhole())
        {
            return;
        }
        if (plan.isSnapshotting() && !isSnapshotTaken)
        {
            try
            {
                cluster.snapshot(plan.limitNs());
                isSnapshotTaken = true;
            }
            catch (final ControlFailure ex)
            {
                end("no snapshot before the fault: " + ex.getMessage());
                return;
            }
        }

        leaderBefore = leaderNow();
        victims = new Victims(fault, plan.script(), choice.apply(cluster));
        if (victims.memberIds().isEmpty())
        {
            end("there is no such victim");
            return;
        }
        if (!wasWhole)
        {
            wasWhole = true;
            deadlineNs = nowNs + plan.limitNs();
        }
        beginWindow(nowNs);
        state = State.AWAIT_TRAFFIC;
    }

    /**
     * Wait for a second in which enough was answered: what follows a fault says nothing where little came before it.
     */
    private void awaitTraffic(final long nowNs)
    {
        if (nowNs - windowBeginNs < TRAFFIC_WINDOW_NS)
        {
            return;
        }

        final double flowing = (load.answeredCount() - windowAnswered) * 1e9 / (nowNs - windowBeginNs) / ratePerSecond;
        isValid = flowing >= TRAFFIC_SHARE;
        if (!isValid && nowNs - deadlineNs < 0)
        {
            beginWindow(nowNs);
            return;
        }
        if (leaderNow() != leaderBefore)
        {
            // An election since: the victims were chosen by who led before it.
            state = State.AWAIT_WHOLE;
            return;
        }
        if (!isValid)
        {
            problems.add(String.format(
                Locale.ROOT, "only %.0f%% of the asked traffic flowed in the second before the fault", 100 * flowing));
        }
        inject(nowNs);
    }

    private void beginWindow(final long nowNs)
    {
        windowBeginNs = nowNs;
        windowAnswered = load.answeredCount();
    }

    private void inject(final long nowNs)
    {
        faultNs = nowNs;
        seen = new CyclePhases(load, faultNs, 1_000_000_000L / ratePerSecond);
        deadlineNs = faultNs + plan.limitNs();
        isQuorumLost = 2 * (cluster.members().size() - victims.memberIds().size()) <= cluster.members().size();
        victims.inject();
        state = isQuorumLost ? State.AWAIT_EFFECT : State.AWAIT_RETURN;
    }

    /**
     * A process takes a moment to die; what is due from then on nobody can have accepted.
     */
    private void awaitEffect(final long nowNs)
    {
        if (victims.isInEffect())
        {
            load.quorumLostNs(nowNs);
            state = State.AWAIT_RETURN;
        }
        else if (nowNs - deadlineNs >= 0)
        {
            problems.add("the fault was not in effect within the limit");
            toReturn(nowNs);
        }
    }

    private void awaitReturn(final long nowNs)
    {
        final boolean isTime = nowNs - faultNs >= plan.victimReturn().afterNs();
        final boolean isDue = switch (plan.victimReturn().kind())
        {
            case AFTER -> isTime;
            case RECOVERED -> isTime && (isQuorumLost || isTrafficBack(nowNs) || nowNs - faultNs >= plan.limitNs() / 2);
            case NEVER -> false;
        };
        if (isDue)
        {
            toReturn(nowNs);
        }
        else if (!plan.victimReturn().isWithinCycle())
        {
            state = State.AWAIT_ECHOES;
        }
    }

    private void toReturn(final long nowNs)
    {
        exitDeadlineNs = nowNs + EXIT_TIMEOUT_NS;
        state = State.AWAIT_EXIT;
    }

    private void awaitExit(final long nowNs)
    {
        final List<ClusterMember> running = victims.stillToEnd();
        if (!running.isEmpty() && nowNs - exitDeadlineNs < 0)
        {
            return;
        }
        if (!running.isEmpty() && !isKilledForGood)
        {
            problems.add("member " + running.get(0).memberId() + " did not end within 30 s of its fault, and was killed");
            isKilledForGood = true;
            exitDeadlineNs = nowNs + KILL_TIMEOUT_NS;
            problems.addAll(Victims.kill(running));
            return;
        }

        undo(nowNs);
    }

    private void undo(final long nowNs)
    {
        load.quorumLostNs(Long.MAX_VALUE);
        isUndone = true;
        returnedNs = nowNs;
        seen.reached(Cycle.OutagePhase.VICTIM_RETURNED, nowNs);
        problems.addAll(victims.bringBack());
        state = isEnding ? State.ENDED : State.AWAIT_ECHOES;
    }

    /**
     * Undo a fault whose victims were not to return within the cycle, once the cycle has ended.
     *
     * @return why that failed, a sentence for each victim of which it did.
     */
    List<String> release()
    {
        return isUndone ? List.of() : victims.bringBack();
    }

    private void awaitEchoes(final long nowNs)
    {
        if (isUndone && !restartGone())
        {
            return;
        }
        final long fromNs = isQuorumLost && isUndone ? returnedNs : faultNs;
        if (load.lastEchoNs() - fromNs > 0 && isTrafficBack(nowNs))
        {
            echoesBackNs = nowNs;
            state = isUndone ? State.AWAIT_MEMBERS : State.AWAIT_DRAINED;
        }
        else if (nowNs - deadlineNs >= 0)
        {
            end("no echoes again within the limit");
        }
    }

    /**
     * All members in one term, and the victims as far as the leader was then.
     */
    private void awaitMembers(final long nowNs)
    {
        if (caughtUpPosition < 0 && !restartGone())
        {
            return;
        }
        if (caughtUpPosition < 0 && cluster.isWhole())
        {
            caughtUpPosition = cluster.members().stream().map(ClusterMember::counters).flatMap(Optional::stream)
                .filter(MemberCounters::isLeader).mapToLong(MemberCounters::commitPosition).max().orElse(-1);
        }
        if (caughtUpPosition >= 0 && victims.haveCommitted(caughtUpPosition))
        {
            seen.reached(Cycle.OutagePhase.VICTIM_CAUGHT_UP, nowNs);
            state = State.AWAIT_DRAINED;
        }
        else if (nowNs - deadlineNs >= 0)
        {
            end("the victim did not catch up within the limit");
        }
    }

    /**
     * @return false if a victim ended so often that the cycle has ended.
     */
    private boolean restartGone()
    {
        final OptionalInt given = victims.restartGone();
        given.ifPresent((memberId) -> end("member " + memberId + " ended again after " + Victims.MAX_RESTARTS + " restarts"));
        return given.isEmpty();
    }

    private void awaitDrained(final long nowNs)
    {
        if (load.lastEchoDueNs() - echoesBackNs >= 0)
        {
            isRecovered = true;
            state = State.ENDED;
        }
        else if (nowNs - deadlineNs >= 0)
        {
            end("the backlog did not drain within the limit");
        }
    }

    private void onRefusal(final long nowNs, final ControlFailure ex)
    {
        if (State.AWAIT_TRAFFIC == state)
        {
            onFailure(nowNs, ex);
        }
        else if (nowNs - deadlineNs >= 0)
        {
            endUndone(nowNs, "no answer within the limit: " + ex.getMessage());
        }
        else
        {
            // The next look may find what this one did not.
            lookFailure = ": " + ex.getMessage();
        }
    }

    private void onFailure(final long nowNs, final RuntimeException ex)
    {
        final boolean isInjection = State.AWAIT_TRAFFIC == state;
        isValid = isValid && !isInjection;
        endUndone(nowNs, (isInjection ? "the fault was not injected: " : "") + Victims.message(ex));
    }

    /**
     * End as soon as a fault that is in effect is undone.
     */
    private void endUndone(final long nowNs, final String problem)
    {
        problems.add(problem);
        isEnding = true;
        if (!isInjected() || isUndone)
        {
            state = State.ENDED;
        }
        else if (State.AWAIT_EXIT != state)
        {
            toReturn(nowNs);
        }
    }

    private void end(final String problem)
    {
        problems.add(problem + lookFailure);
        state = State.ENDED;
    }

    private String problem()
    {
        return String.join("; ", problems);
    }

    private boolean isTrafficBack(final long nowNs)
    {
        // Echoes that were on their way when the fault came are not a recovery: while a leader is dead, none follow them.
        return nowNs - faultNs > TRAFFIC_WINDOW_NS &&
            nowNs - load.lastEchoNs() < TRAFFIC_WINDOW_NS / 10 + 3 * 1_000_000_000L / ratePerSecond;
    }

    private int leaderNow()
    {
        try
        {
            return cluster.leader().map(ClusterMember::memberId).orElse(NOBODY);
        }
        catch (final RuntimeException ex)
        {
            return NOBODY;
        }
    }
}
