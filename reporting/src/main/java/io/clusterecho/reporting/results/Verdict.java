package io.clusterecho.reporting.results;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import io.clusterecho.reporting.measurement.ClosedLoopResult;
import io.clusterecho.reporting.measurement.Counter;
import io.clusterecho.reporting.measurement.FanOutOutcome;
import io.clusterecho.reporting.measurement.FanOutOutcome.Receiver;
import io.clusterecho.reporting.measurement.LoadMeasurement;
import io.clusterecho.reporting.measurement.LoadOutcome;
import io.clusterecho.reporting.measurement.RunInterval;
import io.clusterecho.reporting.measurement.Time;
import io.clusterecho.settings.Quantity;
import io.clusterecho.text.Lines;

/**
 * Whether a run can be relied on, and why not. {@link #of(RunEvidence)} is the only place that judges a run: text, JSON, page,
 * JUnit and exit status all print its result. The verdict on several runs is made from theirs.
 *
 * @param reasons    why the run failed by our own rules (rate, losses, duplicates, corruption, accounting, evidence, faults);
 *                   empty if it is good.
 * @param violations of thresholds set by the user.
 * @param warnings   that a reader should know, even of a good run; the weightiest first.
 * @param partial    what was cut short, if anything; else empty.
 * @param isClientLimited whether the client itself is so much of the response times that they are not those of the cluster.
 */
public record Verdict(
    List<String> reasons, List<String> violations, List<String> warnings, String partial, boolean isClientLimited)
{
    /** The word for a run that is valid but measured its own client. */
    public static final String CLIENT_LIMITED = "CLIENT-LIMITED";

    /** Largest accepted shortfall of the achieved rate, as a share of the target rate. */
    public static final double RATE_TOLERANCE = 0.01;

    /** What the reason of a condition that failed begins with. */
    public static final String THRESHOLD_FAILED = "threshold failed: ";

    private static final String RATE_MISSED = "rate missed: ";
    private static final String SCHEDULE = "ended before its schedule";
    private static final long STALL_WARNING_NS = RunInterval.SHORTEST_STALL_NS;
    private static final long STALL_FAILURE_NS = 500_000_000L;
    private static final long ABSENCE_WARNING_NS = 1_000_000_000L;

    /** A verdict on something else than the response times of a load. */
    public Verdict(
        final List<String> reasons, final List<String> violations, final List<String> warnings, final String partial)
    {
        this(reasons, violations, warnings, partial, false);
    }

    /** The sentences of a verdict while it is made. */
    private record Findings(List<String> reasons, List<String> warnings)
    {
        void fail(final boolean isFailed, final String format, final Object... values)
        {
            if (isFailed)
            {
                reasons.add(Lines.text(format, values));
            }
        }

        void warn(final boolean isWarned, final String format, final Object... values)
        {
            if (isWarned)
            {
                warnings.add(Lines.text(format, values));
            }
        }

        void failIfAny(final long count, final String what)
        {
            fail(count > 0, "%d %s", count, what);
        }
    }

    public static Verdict of(final RunEvidence evidence)
    {
        final Findings found = new Findings(new ArrayList<>(evidence.problems()), new ArrayList<>());
        final ClientShare share = null == evidence.failover() ? evidence.clientShare() : null;
        if (null != share && ClientShare.Decision.BELOW != share.decision())
        {
            found.warnings.add(share.warning());
        }
        if (null != evidence.failover())
        {
            judgeFaults(evidence, found);
        }
        if (null != evidence.measurement())
        {
            judgeLoad(evidence, found);
        }
        found.fail(null == evidence.measurement() && !evidence.isPartial(), "nothing was measured");
        found.warnings.addAll(evidence.warnings());
        return new Verdict(
            List.copyOf(found.reasons),
            evidence.thresholds().stream().map((one) -> one.violation(evidence)).filter(Objects::nonNull).toList(),
            List.copyOf(found.warnings), evidence.isPartial() ? SCHEDULE : "",
            null != share && ClientShare.Decision.LIMITED == share.decision());
    }

    /** Judge a closed loop, with the problems of its evidence, a sentence each. */
    public static Verdict of(final ClosedLoopResult loop, final List<String> problems)
    {
        final Findings found = new Findings(new ArrayList<>(problems), new ArrayList<>());
        found.fail(null != loop.failure(), "%s", loop.failure());
        found.failIfAny(loop.lost(), "messages unanswered because their session was lost");
        found.failIfAny(loop.damaged(), "corrupt replies");
        found.warn(
            null == loop.failure() && loop.mostInFlight() < loop.concurrency(),
            "at most %,d messages were in flight at once, not %,d: the system or its transport took no more",
            loop.mostInFlight(), loop.concurrency());
        return ofRuns(found.reasons, found.warnings, loop.isPartial() ? "ended before its end" : "");
    }

    /**
     * Judge a result of several runs.
     *
     * @param reasons  why it failed: the reasons of its runs, and problems between them; a sentence each.
     */
    public static Verdict ofRuns(final List<String> reasons, final List<String> warnings, final String partial)
    {
        return new Verdict(List.copyOf(reasons), List.of(), List.copyOf(warnings), partial);
    }

    private static void judgeLoad(final RunEvidence evidence, final Findings found)
    {
        final LoadMeasurement measurement = evidence.measurement();
        final LoadOutcome outcome = measurement.outcome();
        final boolean isWithoutFaults = null == evidence.failover();
        final long scheduled = outcome.of(Counter.SCHEDULED);
        final long accounted = outcome.replied() + outcome.lost();
        found.fail(
            accounted != scheduled, "the accounts do not add up: scheduled=%d, accounted for=%d", scheduled, accounted);
        found.fail(0 == scheduled, "nothing was measured");
        if (isWithoutFaults)
        {
            judgeDelivery(evidence, outcome, found);
        }
        if (null != measurement.fanOut())
        {
            judgeCopies(measurement.fanOut(), scheduled, found);
        }
        found.failIfAny(outcome.of(Counter.DUPLICATES), "duplicate replies");
        found.failIfAny(outcome.of(Counter.OUT_OF_ORDER), "replies out of order");
        found.failIfAny(outcome.of(Counter.CORRUPT), "corrupt replies");
        if (0 == outcome.of(Counter.NEW_LEADERS) + outcome.of(Counter.RECONNECTS))
        {
            // Within one session and one leadership term nothing that was sent can go missing.
            found.failIfAny(
                outcome.of(Counter.GAPS),
                "requests rejected because an earlier one was missing, though neither leader nor session changed");
        }
        found.fail(
            outcome.of(Counter.FORGOTTEN) > 0, "ended early: the service misses %d messages that it had acknowledged, and " +
            "rejects all later ones of their client", outcome.of(Counter.FORGOTTEN));
        final long stallNs = Percentile.MAX.of(measurement.times().of(Time.STALL));
        found.fail(stallNs >= STALL_FAILURE_NS, "the client stalled for %s", Quantity.formatNs(stallNs));
        found.warn(
            stallNs >= STALL_WARNING_NS && stallNs < STALL_FAILURE_NS,
            "the client's machine was not quiet: the client stalled for up to %s", Quantity.formatNs(stallNs));
        judgeReturn(evidence, found);
        final long behindNs = behindNs(outcome.of(Counter.WARM_UP_SKIPPED), evidence.warmUpRatePerSecond());
        final boolean isTooFarBehind = isTooFarBehind(behindNs) && isWithoutFaults && null == evidence.overload();
        found.fail(isTooFarBehind, "%s", behindReason(behindNs));
        found.warn(!isTooFarBehind && behindNs >= STALL_WARNING_NS, "%s", behind(behindNs));
        if (isWithoutFaults)
        {
            if (null != evidence.steadyState() && evidence.steadyState().isDrifting())
            {
                found.warnings.add(evidence.steadyState().warning());
            }
            for (final MemberAbsence absence : evidence.absences())
            {
                // Without a member the others send, write and wait less: the numbers are those of a smaller cluster.
                found.fail(absence.isTooLong(), "%s", absence.text());
                found.warn(!absence.isTooLong() && absence.absentNs() >= ABSENCE_WARNING_NS, "%s", absence.text());
            }
            found.warn(
                outcome.of(Counter.NEW_LEADERS) > 0, "the leader changed %d time(s)", outcome.of(Counter.NEW_LEADERS));
        }
    }

    /** Each receiver must have every copy, once. */
    private static void judgeCopies(final FanOutOutcome fanOut, final long scheduled, final Findings found)
    {
        final List<Receiver> receivers = fanOut.receivers();
        for (int i = 0; i < receivers.size(); i++)
        {
            final long accounted = receivers.get(i).accounted();
            found.fail(
                accounted != scheduled, "the accounts of receiver %d do not add up: scheduled=%d, accounted for=%d", i,
                scheduled, accounted);
        }
        final long missing = fanOut.sum(Receiver::missing);
        found.fail(
            missing > 0, "%d of %d copies did not reach their receiver (%d of %d receivers)", missing,
            fanOut.sum(Receiver::scheduled), receivers.stream().filter((receiver) -> receiver.missing() > 0).count(),
            receivers.size());
        found.failIfAny(fanOut.sum(Receiver::duplicates), "duplicate copies");
        found.failIfAny(fanOut.sum(Receiver::corrupt), "corrupt copies");
    }

    /** A test that was cut short says nothing about the return. */
    private static void judgeReturn(final RunEvidence evidence, final Findings found)
    {
        final Overload overload = evidence.overload();
        if (null != overload)
        {
            found.fail(null != overload.failure() && !evidence.isPartial(), "%s", overload.failure());
            found.warn(null != overload.warning(), "%s", overload.warning());
        }
    }

    /** Without faults, every message must be answered and the target rate achieved. */
    private static void judgeDelivery(final RunEvidence evidence, final LoadOutcome outcome, final Findings found)
    {
        final long scheduled = outcome.of(Counter.SCHEDULED);
        found.fail(
            outcome.lost() > 0, "%d of %d messages without a reply (%d unanswered, %d never sent)", outcome.lost(), scheduled,
            outcome.of(Counter.UNANSWERED), outcome.of(Counter.NEVER_SENT));
        final double share = outcome.ratePerSecondAchieved() / evidence.ratePerSecondAsked();
        // Overload means to miss the rate; what counts is the return from it.
        found.fail(
            null == evidence.overload() && scheduled > 1 && share < 1 - RATE_TOLERANCE,
            RATE_MISSED + "%.0f of %d messages/s achieved (%.1f%%)", outcome.ratePerSecondAchieved(),
            evidence.ratePerSecondAsked(), 100 * share);
    }

    /** How far behind schedule a warm-up ended, by the messages that were skipped then. */
    public static long behindNs(final long skippedCount, final double ratePerSecond)
    {
        return (long)(skippedCount * 1e9 / ratePerSecond);
    }

    /** Whether a run began so far behind schedule that it did not measure its rate. */
    public static boolean isTooFarBehind(final long behindNs)
    {
        return behindNs >= STALL_FAILURE_NS;
    }

    /** The reason of a run that began so. */
    public static String behindReason(final long behindNs)
    {
        return RATE_MISSED + behind(behindNs);
    }

    private static String behind(final long behindNs)
    {
        return
            "the warm-up ended " + Quantity.formatNs(behindNs) + " behind schedule; messages due in that time were not sent";
    }

    private static void judgeFaults(final RunEvidence evidence, final Findings found)
    {
        final FailoverAccount failover = evidence.failover();
        for (final Cycle cycle : failover.cycles())
        {
            final String name = "cycle " + cycle.number() + ": ";
            found.fail(cycle.isProblematic() && !cycle.isInterrupted(), "%s%s", name, cycle.problem());
            found.warn(cycle.isProblematic() && cycle.isInterrupted(), "%s%s", name, cycle.problem());
            found.fail(
                cycle.echoesWithoutQuorum() > 0, "%s%d replies while there was no quorum", name, cycle.echoesWithoutQuorum());
            if (!cycle.isInterrupted())
            {
                judgeOutage(cycle, name, found);
            }
        }
        found.failIfAny(failover.acknowledgedLost(), "acknowledged messages were lost");
        found.failIfAny(failover.appliedTwice(), "messages were applied twice");
        if (failover.isExactlyOnce() && null != evidence.measurement())
        {
            found.failIfAny(evidence.measurement().outcome().lost(), "messages without a reply at the end");
        }
        found.fail(
            failover.findingCount() > 0, "the audit has %d finding(s); the first: %s", failover.findingCount(),
            failover.firstFinding());
        found.fail(
            !failover.isAudited() && !evidence.isPartial() && evidence.problems().isEmpty(),
            "the members' logs were not audited");
    }

    /** Warn of an outage that a failover does not explain. */
    private static void judgeOutage(final Cycle cycle, final String name, final Findings found)
    {
        found.warn(
            cycle.isLeaderKilled() && 0 == cycle.outageNs(), "%sthe leader was killed but there was no gap in the replies: the " +
            "outage of 0 is not that of a failover", name);
        found.warn(
            cycle.isElectionUnexpected(), "%sa leader was elected, though the fault left the leader a quorum: see the " +
            "members' logs for a stall of the old leader", name);
        final long returnedNs = cycle.phaseNs(Cycle.OutagePhase.VICTIM_RETURNED);
        found.warn(
            cycle.isSameLeader(), "%sthe leader returned %sbefore the others elected another, and leads again: the outage of " +
            "%s is that of a restart, not of a failover; return it later (--return-after) or shorten the timeouts (--timeouts)",
            name, returnedNs < 0 ? "" : Quantity.formatNs(returnedNs) + " after the fault, ",
            Quantity.formatNs(cycle.outageNs()));
        if (!cycle.isSameLeader() && cycle.isBeyondExpected())
        {
            found.warn(
                true, "%sthe outage of %s exceeds the %s expected (%s)%s", name, Quantity.formatNs(cycle.outageNs()),
                Quantity.formatNs(cycle.expectedOutageNs()), cycle.expectation(),
                cycle.longestPart().isEmpty() ? "" : "; its longest part: " + cycle.longestPart());
        }
    }

    /**
     * Whether the run is valid: it is complete, no message was lost, the rate was achieved and all thresholds are met. Its
     * response times may still be those of the client: {@link #isClientLimited()}.
     */
    public boolean isGood()
    {
        return reasons.isEmpty() && violations.isEmpty() && !isPartial();
    }

    /** Whether the run was cut short. It may also have failed. */
    public boolean isPartial()
    {
        return !partial.isEmpty();
    }

    /** Reasons, failed thresholds and what is missing: one sentence each. */
    public List<String> allReasons()
    {
        final List<String> all = new ArrayList<>(reasons);
        violations.forEach((violation) -> all.add(THRESHOLD_FAILED + violation));
        if (isPartial())
        {
            all.add("partial: " + partial);
        }

        return all;
    }

    /** The verdict in one word: GOOD, CLIENT-LIMITED, PARTIAL or FAILED. */
    public String label()
    {
        final String good = isClientLimited ? CLIENT_LIMITED : "GOOD";
        return isGood() ? good : reasons.isEmpty() && violations.isEmpty() ? "PARTIAL" : "FAILED";
    }

    /** Exit code of a process that ran this, one of {@link ExitCode}. */
    public int exitStatus()
    {
        if (isPartial())
        {
            return ExitCode.INTERRUPTED;
        }
        if (!reasons.isEmpty())
        {
            return ExitCode.RUN_FAILED;
        }

        return violations.isEmpty() ? ExitCode.GOOD : ExitCode.THRESHOLD_FAILED;
    }
}
