package io.clusterecho.failover.lab;

import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.stream.Stream;

import io.clusterecho.control.cluster.Retention;
import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.control.member.Deadline;
import io.clusterecho.control.member.ElectionWatch;
import io.clusterecho.reporting.results.Cycle;
import io.clusterecho.reporting.results.Expectation;
import io.clusterecho.settings.Quantity;

/**
 * One cycle of a failover test, as a sequence of waits. Each polls cluster and load until what it is named after has happened, up
 * to the limit of the cycle. A failure of a member or its host becomes part of the cycle's problem and is not thrown.
 * <pre>
 *   settled &lt;-> traffic -> (inject) -> effect -> return -> (undo) -> echoes -> members -> drained
 *                                      only without a quorum
 * </pre>
 * A second fault is injected and undone beside this, whatever has become of the first, and awaited before the echoes.
 * Not thread-safe. Times are in ns on the clock of load and cluster.
 */
final class FaultCycle
{
    private static final double TRAFFIC_SHARE = 0.8;
    private static final long TRAFFIC_NS = 1_000_000_000L;

    final CycleRecord record;

    private final FailoverLab lab;
    private final PlannedFault planned;
    private final ElectionWatch elections;

    private Victims victims;
    /** Of the second fault; null before it is injected. */
    private Victims second;
    /** Of the last poll. */
    private long nowNs;
    private long deadlineNs;
    private boolean isBegun;
    private boolean wasSettled;
    private boolean isEnding;
    /** Whether the first fault is in effect, if a quorum is lost by that. */
    private boolean mayReturn;
    /** Why the last poll failed, after a colon, or empty. */
    private String pollFailure = "";
    private long windowBeginNs;
    private long answeredBefore;
    private long snapshotPosition;
    private long returnedNs;
    private long echoesBackNs;
    private long caughtUpPosition = -1;
    private long returnPosition = -1;

    /** The cycle does not recover; the message is its problem. */
    private static final class Ended extends Exception
    {
        private Ended(final String problem)
        {
            super(problem);
        }
    }

    /** What a wait does at each poll; true once it need not wait any longer. */
    private interface Step
    {
        boolean poll() throws Ended;
    }

    /** A cycle, by its number from 1. Its victims are chosen when all members are in a settled term. */
    FaultCycle(final FailoverLab lab, final ElectionWatch elections, final int number)
    {
        this.lab = lab;
        this.elections = elections;
        planned = lab.plan.sequence().apply(number);
        victims = new Victims(planned.spec(), List.of(), lab);
        record = new CycleRecord(lab.load, number);
    }

    /** Run the cycle, once. */
    void run()
    {
        deadlineNs = lab.clock.nanoTime() + lab.plan.limitNs();
        try
        {
            do
            {
                await("not all members were in a settled term within " + limit() + ", so no fault was injected", this::isSettled);
                await(null, this::isTrafficOver);
            }
            while (!isInjected());
            if (record.isQuorumLost)
            {
                await(null, this::isInEffect);
            }
            mayReturn = true;
            await(null, () -> victims.isUndone);
            if (null != planned.second())
            {
                await("the second fault was not undone within " + limit(), this::isSecondUndone);
            }
            await("echoes did not resume within " + limit(), this::isEchoing);
            await("the victim did not catch up within " + limit(), this::isCaughtUp);
            await("the backlog did not drain within " + limit(), () -> lab.load.lastEchoDueNs() - echoesBackNs >= 0);
            record.reached(Cycle.OutagePhase.BACKLOG_DRAINED, nowNs);
            record.isRecovered = true;
        }
        catch (final Ended ex)
        {
            undo(ex.getMessage());
        }
    }

    /** @param otherwise the problem of a cycle that reaches its limit in this wait; null if the step judges that. */
    private void await(final String otherwise, final Step step) throws Ended
    {
        do
        {
            poll();
        }
        while (!isDone(otherwise, step));
    }

    /** Wait for the next poll; the first one of a cycle is at once. */
    private void poll() throws Ended
    {
        if (isBegun)
        {
            lab.clock.park(FailoverLab.POLL_INTERVAL_NS);
        }
        isBegun = true;
        nowNs = lab.clock.nanoTime();
        if (isInjected())
        {
            record.poll(nowNs);
        }
        if (lab.isEnding() && !record.isInterrupted)
        {
            record.isInterrupted = true;
            throw new Ended("interrupted before recovery");
        }
    }

    private boolean isDone(final String otherwise, final Step step) throws Ended
    {
        try
        {
            stepFaults();
            final boolean isDone = step.poll();
            if (!isDone && null != otherwise && isLate())
            {
                throw ended(otherwise);
            }
            pollFailure = "";
            return isDone;
        }
        catch (final ControlFailure ex)
        {
            if (isLate())
            {
                throw new Ended("no answer within " + limit() + ": " + ex.getMessage());
            }
            // The next poll may succeed.
            pollFailure = ": " + ex.getMessage();
            return false;
        }
        catch (final RuntimeException ex)
        {
            // Keep the cycle, whatever a member or its host did.
            throw new Ended(Victims.message(ex));
        }
    }

    private Ended ended(final String problem)
    {
        return new Ended(problem + pollFailure);
    }

    private boolean isLate()
    {
        return nowNs - deadlineNs >= 0;
    }

    /** End without a recovery, once a fault in effect is undone. */
    private void undo(final String problem)
    {
        record.problems.add(problem);
        isEnding = true;
        mayReturn = true;
        hits().filter((hit) -> !hit.isReturning).forEach((hit) -> hit.toReturn(nowNs));
        if (isInjected() && !victims.isUndone)
        {
            try
            {
                await(null, () -> victims.isUndone);
            }
            catch (final Ended ex)
            {
                undo(ex.getMessage());
            }
        }
    }

    boolean isInjected()
    {
        return !victims.injected.isEmpty();
    }

    /** Call it once the cycle has ended. */
    Cycle result(final long endNs)
    {
        lab.load.quorumLostNs(Long.MAX_VALUE);
        if (isInjected())
        {
            record.end(endNs, electionsSinceFault(), ids(Victims::memberIds));
        }
        else
        {
            record.faultNs = endNs;
        }
        final PlannedFault.Second next = planned.second();
        return record.result(
            lab.scheduleStartNs, planned.hit(isInjected() ? victims.memberIds() : List.of()),
            null == next ? null : new Cycle.Second(
            next.planned().hit(null == second ? List.of() : second.memberIds()), next.afterNs(),
            null == second ? null : Long.valueOf(second.injectedNs - record.faultNs)),
            ids((hit) -> hit.healed), lab.leaderId());
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

    private boolean isSettled() throws Ended
    {
        if (isLate() || !lab.cluster.isSettled())
        {
            return false;
        }
        if (!wasSettled)
        {
            takeSnapshot();
            wasSettled = true;
            deadlineNs = nowNs + lab.plan.limitNs();
        }

        record.leaderBefore = lab.leaderId();
        victims = new Victims(planned.spec(), planned.victims(lab), lab);
        if (victims.memberIds().isEmpty())
        {
            throw ended("no member matches --victim");
        }
        beginWindow();
        return true;
    }

    /** Take a snapshot on all members, from which the log is to grow, and purge what was before it, if the plan says so. */
    private void takeSnapshot() throws Ended
    {
        try
        {
            if (lab.plan.isPurging())
            {
                new Retention(lab.cluster, 1).run(Deadline.in(lab.plan.limitNs()), (purged) -> { });
            }
            else if (lab.plan.isSnapshotting())
            {
                lab.cluster.takeSnapshot(Deadline.in(lab.plan.limitNs()));
            }
            snapshotPosition = lab.plan.isSnapshotting() ? lab.commitPosition() : 0;
        }
        catch (final ControlFailure ex)
        {
            throw ended("the snapshot before the fault failed: " + ex.getMessage());
        }
    }

    private void beginWindow()
    {
        windowBeginNs = nowNs;
        answeredBefore = lab.load.answeredCount();
    }

    /**
     * Inject the fault after a second in which enough messages are answered: otherwise it cannot be seen in the replies. Not if
     * the leader has changed since the victims were chosen.
     */
    private boolean isTrafficOver() throws Ended
    {
        try
        {
            if (nowNs - windowBeginNs < TRAFFIC_NS)
            {
                return false;
            }
            if (lab.plan.logLengthBytes() > 0 && grownBytes() < lab.plan.logLengthBytes())
            {
                awaitGrowth();
                return false;
            }

            final long answered = lab.load.answeredCount() - answeredBefore;
            final double share = answered * 1e9 / (nowNs - windowBeginNs) / lab.ratePerSecond;
            record.isValid = share >= TRAFFIC_SHARE;
            if (!record.isValid && !isLate())
            {
                beginWindow();
                return false;
            }
            if (lab.leaderId() == record.leaderBefore)
            {
                if (!record.isValid)
                {
                    record.problems.add(String.format(
                        Locale.ROOT, "only %.0f%% of the target rate was answered in the second before the fault", 100 * share));
                }
                inject();
            }
            return true;
        }
        catch (final RuntimeException ex)
        {
            record.isValid = false;
            throw new Ended("the fault was not injected: " + Victims.message(ex));
        }
    }

    /** Length of the log since the snapshot, which a member that is started again must replay; without one of all of it. */
    private long grownBytes()
    {
        return lab.commitPosition() - snapshotPosition;
    }

    /** However long it takes, as long as messages are answered. */
    private void awaitGrowth() throws Ended
    {
        if (lab.load.answeredCount() > answeredBefore)
        {
            deadlineNs = nowNs + lab.plan.limitNs();
        }
        else if (isLate())
        {
            throw ended("the log grew by " + Math.max(0, grownBytes()) + " of " + lab.plan.logLengthBytes() +
                " bytes: no message was answered within " + limit());
        }
        beginWindow();
    }

    private void inject()
    {
        record.begin(nowNs + victims.prepare(), 1_000_000_000L / lab.ratePerSecond);
        deadlineNs = record.faultNs + lab.plan.limitNs();
        final int memberCount = lab.cluster.members().size();
        final int hitCount = victims.memberIds().size();
        record.expectation = planned.expectation(victims.memberIds().contains(record.leaderBefore), hitCount, memberCount);
        record.isQuorumLost = planned.spec().fault().isSilencing() && PlannedFault.isQuorumHit(hitCount, memberCount);
        victims.inject(record.faultNs);
    }

    /** Inject the second fault, and undo each one, if it is time to. */
    private void stepFaults()
    {
        final List<Victims> present = hits().toList();
        if (null == second && isInjected() && !isEnding && null != planned.second() &&
            nowNs - record.faultNs >= planned.second().afterNs())
        {
            injectSecond(planned.second().planned());
        }
        for (final Victims hit : present)
        {
            if ((mayReturn || hit == second) && !hit.isUndone && hit.canReturn(nowNs, isReturnDue(hit), record.problems))
            {
                bringBack(hit);
            }
        }
    }

    /** Waits for a member that the first fault does not affect. */
    private void injectSecond(final PlannedFault next)
    {
        final List<ClusterMember> members =
            next.victimsBeside(lab, victims.isUndone ? List.of() : victims.affectedIds());
        if (!members.isEmpty())
        {
            second = new Victims(next.spec(), members, lab);
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
    private boolean isInEffect()
    {
        final boolean isInEffect = victims.isInEffect();
        if (isInEffect)
        {
            lab.load.quorumLostNs(nowNs);
        }
        else if (isLate())
        {
            record.problems.add("the fault did not take effect within " + limit());
            victims.toReturn(nowNs);
        }
        return isInEffect || victims.isReturning;
    }

    private boolean isReturnDue(final Victims hit)
    {
        final long sinceFaultNs = nowNs - hit.injectedNs;
        return sinceFaultNs >= lab.plan.victimReturn().afterNs() && (
            !lab.plan.victimReturn().isOnceRecovered() || isSilenced() || isTrafficBack() ||
            sinceFaultNs >= lab.plan.limitNs() / 2);
    }

    private void bringBack(final Victims hit)
    {
        if (hit == victims)
        {
            lab.load.quorumLostNs(Long.MAX_VALUE);
        }
        try
        {
            onReturn();
        }
        finally
        {
            record.problems.addAll(hit.bringBack());
        }
    }

    private void onReturn()
    {
        returnedNs = nowNs;
        record.reached(Cycle.OutagePhase.VICTIM_RETURNED, nowNs);
        returnPosition = lab.commitPosition();
    }

    /** Undo what the cycle was not to, after it has ended; failures as a sentence for each victim concerned. */
    List<String> release()
    {
        return hits().filter((hit) -> !hit.isUndone).map(Victims::bringBack).flatMap(List::stream).toList();
    }

    private boolean isSecondUndone() throws Ended
    {
        restartGone();
        return null != second && second.isUndone;
    }

    private boolean isEchoing() throws Ended
    {
        restartGone();
        echoesBackNs = nowNs;
        return lab.load.lastEchoNs() - (isSilenced() ? returnedNs : record.faultNs) > 0 && isTrafficBack();
    }

    /** Whether echoes come again after a fault. Those in flight at it do not count: without a leader none follow them. */
    private boolean isTrafficBack()
    {
        return nowNs - record.faultNs > TRAFFIC_NS &&
            nowNs - lab.load.lastEchoNs() < TRAFFIC_NS / 10 + 3 * 1_000_000_000L / lab.ratePerSecond;
    }

    /**
     * Wait until all members are in one term and the victims have committed what the leader had when they returned, without which
     * they do not count for a majority; and then what it had by that time.
     */
    private boolean isCaughtUp() throws Ended
    {
        restartGone();
        if (caughtUpPosition < 0 && lab.cluster.isSettled() && victims.haveCommitted(returnPosition))
        {
            caughtUpPosition = lab.commitPosition();
            record.reached(Cycle.OutagePhase.VICTIM_IN_QUORUM, nowNs);
        }
        final boolean isCaughtUp = caughtUpPosition >= 0 && hits().allMatch((hit) -> hit.haveCommitted(caughtUpPosition));
        if (isCaughtUp)
        {
            record.reached(Cycle.OutagePhase.VICTIM_CAUGHT_UP, nowNs);
        }
        return isCaughtUp;
    }

    /** Start victims that have exited again, unless one did too often or the second fault is in effect. */
    private void restartGone() throws Ended
    {
        if (null != second && !second.injected.isEmpty() && !second.isUndone)
        {
            return;
        }
        final int restartCount = victims.restartCount();
        final OptionalInt first = victims.restartGone();
        if (planned.spec().fault().is(Fault.Trait.RETURNS_TWICE) && victims.restartCount() > restartCount)
        {
            // The first restart was part of the fault.
            onReturn();
        }
        final OptionalInt given = first.isPresent() || null == second ? first : second.restartGone();
        if (given.isPresent())
        {
            throw ended("member " + given.getAsInt() + " exited again after " + Victims.MAX_RESTARTS + " restarts");
        }
    }

    private String limit()
    {
        return "--limit " + Quantity.formatNs(lab.plan.limitNs());
    }

    /** Whether no client can have replies until the victims return. */
    private boolean isSilenced()
    {
        return record.isQuorumLost || Expectation.NO_CLIENTS == record.expectation || null != planned.second();
    }
}
