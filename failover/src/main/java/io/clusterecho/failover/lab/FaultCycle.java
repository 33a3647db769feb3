package io.clusterecho.failover.lab;

import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.stream.Stream;

import io.clusterecho.client.load.LoadView;
import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.control.member.ElectionWatch;
import io.clusterecho.reporting.results.Cycle;
import io.clusterecho.reporting.results.Expectation;
import io.clusterecho.settings.Quantity;

/**
 * One cycle of a failover test as a state machine. {@link #step(long)} polls cluster and load once and takes at most one action.
 * It does not block, except in calls to members that are documented to. A failure of a member or its host becomes part of the
 * cycle's problem and is not thrown.
 * <pre>
 *   SETTLED &lt;-> TRAFFIC -> (inject) -> EFFECT -> RETURN -> (undo) -> ECHOES -> MEMBERS -> DRAINED -> ENDED
 *                                      only without a quorum
 * </pre>
 * Each state awaits what it is named after, up to the limit of the cycle. A second fault is injected and undone beside this,
 * whatever has become of the first, and awaited with the echoes.
 * Not thread-safe. Times are in ns on the clock of load and cluster.
 */
final class FaultCycle
{
    private static final double TRAFFIC_SHARE = 0.8;

    private enum State
    {
        SETTLED,
        TRAFFIC,
        EFFECT,
        RETURN,
        ECHOES,
        MEMBERS,
        DRAINED,
        ENDED
    }

    private final PlannedFault planned;
    private final FailoverPlan plan;
    private final LabCluster cluster;
    private final LoadView load;
    private final ElectionWatch elections;
    private final long scheduleStartNs;
    private final long ratePerSecond;
    private final TrafficWindow window;
    private final CycleRecord record;

    private State state = State.SETTLED;
    private Victims victims;
    /** Of the second fault; null before it is injected. */
    private Victims second;
    private long deadlineNs;
    private boolean isBegun;
    private boolean wasSettled;
    private boolean isSnapshotTaken;
    private long snapshotPosition;
    private boolean isEnding;
    /** Why the last poll failed, after a colon, or empty. */
    private String pollFailure = "";
    private long returnedNs;
    private long echoesBackNs;
    private long caughtUpPosition = -1;
    private long returnPosition = -1;

    /** @param planned its victims are chosen when all members are in a settled term. */
    FaultCycle(
        final int number,
        final PlannedFault planned,
        final FailoverPlan plan,
        final LabCluster cluster,
        final LoadView load,
        final ElectionWatch elections,
        final long scheduleStartNs,
        final long ratePerSecond)
    {
        this.planned = planned;
        this.plan = plan;
        this.cluster = cluster;
        this.load = load;
        this.elections = elections;
        this.scheduleStartNs = scheduleStartNs;
        this.ratePerSecond = ratePerSecond;
        victims = new Victims(planned.spec(), plan.script(), List.of(), cluster);
        window = new TrafficWindow(load, ratePerSecond);
        record = new CycleRecord(load, number);
    }

    /** @return false once the cycle has ended. */
    boolean step(final long nowNs)
    {
        if (!isBegun)
        {
            isBegun = true;
            deadlineNs = nowNs + plan.limitNs();
        }
        if (isInjected())
        {
            record.poll(nowNs);
        }

        try
        {
            stepSecond(nowNs);
            switch (state)
            {
                case SETTLED -> awaitSettled(nowNs);
                case TRAFFIC -> awaitTraffic(nowNs);
                case EFFECT -> awaitEffect(nowNs);
                case RETURN -> awaitReturn(nowNs);
                case ECHOES -> awaitEchoes(nowNs);
                case MEMBERS -> awaitMembers(nowNs);
                case DRAINED -> awaitDrained(nowNs);
                default ->
                {
                }
            }
            pollFailure = "";
        }
        catch (final ControlFailure ex)
        {
            onRefusal(nowNs, ex);
        }
        catch (final RuntimeException ex)
        {
            // Keep the cycle, whatever a member or its host did.
            onFailure(nowNs, ex);
        }

        return State.ENDED != state;
    }

    /** Undo a fault in effect, and end without waiting for recovery. */
    void interrupt(final long nowNs)
    {
        if (record.isInterrupted || State.ENDED == state)
        {
            return;
        }

        record.isInterrupted = true;
        if (!isInjected())
        {
            state = State.ENDED;
        }
        else
        {
            endUndone(nowNs, "interrupted before recovery");
        }
    }

    boolean isInjected()
    {
        return victims.isAnyInjected();
    }

    boolean isInterrupted()
    {
        return record.isInterrupted;
    }

    /** Call it once the cycle has ended. */
    Cycle result(final long nowNs)
    {
        load.quorumLostNs(Long.MAX_VALUE);
        if (isInjected())
        {
            record.end(nowNs, electionsSinceFault(), ids(Victims::memberIds));
        }
        else
        {
            record.faultNs = nowNs;
        }
        final PlannedFault.Second next = planned.second();
        return record.result(
            scheduleStartNs, planned.hit(isInjected() ? victims.memberIds() : List.of()),
            null == next ? null : new Cycle.Second(
            next.planned().hit(null == second ? List.of() : second.memberIds()), next.afterNs(),
            null == second ? null : Long.valueOf(second.injectedNs() - record.faultNs)),
            ids(Victims::healed), cluster.leaderId());
    }

    /** Victims of both faults. */
    private List<Integer> ids(final Function<Victims, List<Integer>> ofOne)
    {
        return hits().map(ofOne).flatMap(List::stream).toList();
    }

    private Stream<Victims> hits()
    {
        return null == second ? Stream.of(victims) : Stream.of(victims, second);
    }

    private List<ElectionWatch.Change> electionsSinceFault()
    {
        try
        {
            return elections.since(record.faultNs);
        }
        catch (final RuntimeException ex)
        {
            record.problems.add("the elections of the cycle are unknown: " + Victims.message(ex));
            return List.of();
        }
    }

    private void awaitSettled(final long nowNs)
    {
        if (nowNs - deadlineNs >= 0)
        {
            end("not all members were in a settled term within " + limit() + ", so no fault was injected");
            return;
        }
        if (!cluster.isSettled())
        {
            return;
        }
        if (plan.isSnapshotting() && !isSnapshotTaken)
        {
            try
            {
                takeSnapshot();
            }
            catch (final ControlFailure ex)
            {
                end("the snapshot before the fault failed: " + ex.getMessage());
                return;
            }
        }

        record.leaderBefore = cluster.leaderId();
        victims = new Victims(planned.spec(), plan.script(), planned.victims(cluster), cluster);
        if (victims.memberIds().isEmpty())
        {
            end("no member matches --victim");
            return;
        }
        if (!wasSettled)
        {
            wasSettled = true;
            deadlineNs = nowNs + plan.limitNs();
        }
        window.begin(nowNs);
        state = State.TRAFFIC;
    }

    /** Wait for a second in which enough messages are answered: otherwise the fault cannot be seen in the replies. */
    private void awaitTraffic(final long nowNs)
    {
        if (!window.isOver(nowNs))
        {
            return;
        }

        if (plan.logLengthBytes() > 0 && grownBytes() < plan.logLengthBytes())
        {
            awaitGrowth(nowNs);
            return;
        }

        final double flowing = window.share(nowNs);
        record.isValid = flowing >= TRAFFIC_SHARE;
        if (!record.isValid && nowNs - deadlineNs < 0)
        {
            window.begin(nowNs);
            return;
        }
        if (cluster.leaderId() != record.leaderBefore)
        {
            // The leader changed since the victims were chosen.
            state = State.SETTLED;
            return;
        }
        if (!record.isValid)
        {
            record.problems.add(String.format(
                Locale.ROOT, "only %.0f%% of the target rate was answered in the second before the fault", 100 * flowing));
        }
        inject(nowNs);
    }

    /** Take a snapshot on all members, from which the log is to grow, and purge what was before it if the plan says so. */
    private void takeSnapshot()
    {
        if (plan.isPurging())
        {
            cluster.retain(1, plan.limitNs());
        }
        else
        {
            cluster.snapshot(plan.limitNs());
        }
        snapshotPosition = cluster.commitPosition();
        isSnapshotTaken = true;
    }

    /** Length of the log since the snapshot, which a member that is started again must replay; without one of all of it. */
    private long grownBytes()
    {
        return cluster.commitPosition() - snapshotPosition;
    }

    /** However long it takes, as long as messages are answered. */
    private void awaitGrowth(final long nowNs)
    {
        if (window.hasReplies())
        {
            deadlineNs = nowNs + plan.limitNs();
        }
        else if (nowNs - deadlineNs >= 0)
        {
            end("the log grew by " + Math.max(0, grownBytes()) + " of " + plan.logLengthBytes() +
                " bytes: no message was answered within " + limit());
        }
        window.begin(nowNs);
    }

    private void inject(final long nowNs)
    {
        record.begin(nowNs + victims.prepare(), 1_000_000_000L / ratePerSecond);
        deadlineNs = record.faultNs + plan.limitNs();
        final int memberCount = cluster.members().size();
        final int hitCount = victims.memberIds().size();
        final boolean isQuorumHit = 2 * (memberCount - hitCount) <= memberCount;
        record.expectation = planned.expectation(victims.memberIds().contains(record.leaderBefore), hitCount, memberCount);
        record.isQuorumLost = fault().isSilencing() && isQuorumHit;
        victims.inject(record.faultNs);
        state = record.isQuorumLost ? State.EFFECT : State.RETURN;
    }

    /** Inject or undo the second fault if it is time to. It waits for a member that the first fault does not affect. */
    private void stepSecond(final long nowNs)
    {
        if (null == second)
        {
            if (isInjected() && !isEnding && null != planned.second() && nowNs - record.faultNs >= planned.second().afterNs())
            {
                injectSecond(nowNs, planned.second().planned());
            }
        }
        else if (!second.isUndone() && second.canReturn(
            nowNs, nowNs - second.injectedNs() >= plan.victimReturn().afterNs(), record.problems))
        {
            bringBack(second, nowNs);
        }
    }

    private void injectSecond(final long nowNs, final PlannedFault next)
    {
        final List<ClusterMember> members =
            next.victimsBeside(cluster, victims.isUndone() ? List.of() : victims.affectedIds());
        if (!members.isEmpty())
        {
            second = new Victims(next.spec(), plan.script(), members, cluster);
            try
            {
                second.inject(nowNs);
            }
            catch (final RuntimeException ex)
            {
                record.problems.add("the second fault was not injected: " + Victims.message(ex));
                second.toReturn(nowNs);
            }
        }
    }

    /** A process takes a moment to exit. Nothing that is due after that can have been acknowledged. */
    private void awaitEffect(final long nowNs)
    {
        if (victims.isInEffect())
        {
            load.quorumLostNs(nowNs);
            state = State.RETURN;
        }
        else if (nowNs - deadlineNs >= 0)
        {
            record.problems.add("the fault did not take effect within " + limit());
            victims.toReturn(nowNs);
            state = State.RETURN;
        }
    }

    private void awaitReturn(final long nowNs)
    {
        if (victims.canReturn(nowNs, isReturnDue(nowNs), record.problems))
        {
            load.quorumLostNs(Long.MAX_VALUE);
            state = isEnding ? State.ENDED : State.ECHOES;
            bringBack(victims, nowNs);
        }
    }

    private boolean isReturnDue(final long nowNs)
    {
        return nowNs - record.faultNs >= plan.victimReturn().afterNs() && (
            !plan.victimReturn().isOnceRecovered() || isSilenced() || window.isTrafficBack(nowNs, record.faultNs) ||
            nowNs - record.faultNs >= plan.limitNs() / 2);
    }

    private void bringBack(final Victims hit, final long nowNs)
    {
        try
        {
            onReturn(nowNs);
        }
        finally
        {
            record.problems.addAll(hit.bringBack());
        }
    }

    private void onReturn(final long nowNs)
    {
        returnedNs = nowNs;
        record.reached(Cycle.OutagePhase.VICTIM_RETURNED, nowNs);
        returnPosition = cluster.commitPosition();
    }

    /** Undo what the cycle was not to, after it has ended; failures as a sentence for each victim concerned. */
    List<String> release()
    {
        return hits().filter((hit) -> !hit.isUndone()).map(Victims::bringBack).flatMap(List::stream).toList();
    }

    private void awaitEchoes(final long nowNs)
    {
        if (victims.isUndone() && !restartGone(nowNs))
        {
            return;
        }
        if (null != planned.second() && (null == second || !second.isUndone()))
        {
            if (nowNs - deadlineNs >= 0)
            {
                end("the second fault was not undone within " + limit());
            }
            return;
        }
        final long fromNs = isSilenced() && victims.isUndone() ? returnedNs : record.faultNs;
        if (load.lastEchoNs() - fromNs > 0 && window.isTrafficBack(nowNs, record.faultNs))
        {
            echoesBackNs = nowNs;
            state = victims.isUndone() ? State.MEMBERS : State.DRAINED;
        }
        else if (nowNs - deadlineNs >= 0)
        {
            end("echoes did not resume within " + limit());
        }
    }

    /**
     * Wait until all members are in one term and the victims have committed what the leader had when they returned, without which
     * they do not count for a majority; and then what it had by that time.
     */
    private void awaitMembers(final long nowNs)
    {
        if (!restartGone(nowNs))
        {
            return;
        }
        if (caughtUpPosition < 0 && cluster.isSettled() && victims.haveCommitted(returnPosition))
        {
            caughtUpPosition = cluster.commitPosition();
            record.reached(Cycle.OutagePhase.VICTIM_IN_QUORUM, nowNs);
        }
        if (caughtUpPosition >= 0 && hits().allMatch((hit) -> hit.haveCommitted(caughtUpPosition)))
        {
            record.reached(Cycle.OutagePhase.VICTIM_CAUGHT_UP, nowNs);
            state = State.DRAINED;
        }
        else if (nowNs - deadlineNs >= 0)
        {
            end("the victim did not catch up within " + limit());
        }
    }

    /** @return false if a victim exited too often, which ends the cycle. */
    private boolean restartGone(final long nowNs)
    {
        if (null != second && second.isAway())
        {
            return true;
        }
        final int restartCount = victims.restartCount();
        final OptionalInt first = victims.restartGone();
        if (fault().is(Fault.Trait.RETURNS_TWICE) && victims.restartCount() > restartCount)
        {
            // The first restart was part of the fault.
            onReturn(nowNs);
        }
        final OptionalInt given = first.isPresent() || null == second ? first : second.restartGone();
        given.ifPresent((memberId) -> end("member " + memberId + " exited again after " + Victims.MAX_RESTARTS + " restarts"));
        return given.isEmpty();
    }

    private void awaitDrained(final long nowNs)
    {
        if (load.lastEchoDueNs() - echoesBackNs >= 0)
        {
            record.reached(Cycle.OutagePhase.BACKLOG_DRAINED, nowNs);
            record.isRecovered = true;
            state = State.ENDED;
        }
        else if (nowNs - deadlineNs >= 0)
        {
            end("the backlog did not drain within " + limit());
        }
    }

    private void onRefusal(final long nowNs, final ControlFailure ex)
    {
        if (State.TRAFFIC == state)
        {
            onFailure(nowNs, ex);
        }
        else if (nowNs - deadlineNs >= 0)
        {
            endUndone(nowNs, "no answer within " + limit() + ": " + ex.getMessage());
        }
        else
        {
            // The next poll may succeed.
            pollFailure = ": " + ex.getMessage();
        }
    }

    private void onFailure(final long nowNs, final RuntimeException ex)
    {
        final boolean isInjection = State.TRAFFIC == state;
        record.isValid = record.isValid && !isInjection;
        endUndone(nowNs, (isInjection ? "the fault was not injected: " : "") + Victims.message(ex));
    }

    private void endUndone(final long nowNs, final String problem)
    {
        record.problems.add(problem);
        isEnding = true;
        if (null != second && !second.isReturning())
        {
            second.toReturn(nowNs);
        }
        if (!isInjected() || victims.isUndone())
        {
            state = State.ENDED;
        }
        else
        {
            state = State.RETURN;
            if (!victims.isReturning())
            {
                victims.toReturn(nowNs);
            }
        }
    }

    private void end(final String problem)
    {
        record.problems.add(problem + pollFailure);
        state = State.ENDED;
    }

    private String limit()
    {
        return "--limit " + Quantity.formatNs(plan.limitNs());
    }

    /** Whether no client can have replies until the victims return. */
    private boolean isSilenced()
    {
        return record.isQuorumLost || Expectation.NO_CLIENTS == record.expectation || null != planned.second();
    }

    private Fault fault()
    {
        return planned.spec().fault();
    }
}
