package io.clusterecho.reporting.results;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import io.clusterecho.reporting.measurement.ClosedLoopResult;
import io.clusterecho.reporting.measurement.Counter;
import io.clusterecho.reporting.measurement.FanOutOutcome;
import io.clusterecho.reporting.measurement.FanOutOutcome.Receiver;
import io.clusterecho.reporting.measurement.LoadMeasurement;
import io.clusterecho.reporting.measurement.LoadOutcome;
import io.clusterecho.reporting.measurement.RunInterval;
import io.clusterecho.reporting.measurement.Time;
import io.clusterecho.settings.Quantity;

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
    private static final String WITHOUT_REPLY = " messages without a reply ";
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

    public static Verdict of(final RunEvidence evidence)
    {
        final List<String> reasons = new ArrayList<>(evidence.problems());
        final List<String> warnings = new ArrayList<>();
        final ClientShare share = null == evidence.failover() ? evidence.clientShare() : null;
        if (null != share && ClientShare.Decision.BELOW != share.decision())
        {
            warnings.add(share.warning());
        }
        if (null != evidence.failover())
        {
            judgeFaults(evidence, reasons, warnings);
        }
        if (null != evidence.measurement())
        {
            judgeLoad(evidence, reasons, warnings);
        }
        else if (!evidence.isPartial())
        {
            reasons.add("nothing was measured");
        }
        warnings.addAll(evidence.warnings());

        final List<String> violations = new ArrayList<>();
        for (final Threshold threshold : evidence.thresholds())
        {
            final String violation = threshold.violation(evidence);
            if (null != violation)
            {
                violations.add(violation);
            }
        }

        return new Verdict(
            List.copyOf(reasons), List.copyOf(violations), List.copyOf(warnings), evidence.isPartial() ? SCHEDULE : "",
            null != share && ClientShare.Decision.LIMITED == share.decision());
    }

    /** Judge a closed loop, with the problems of its evidence, a sentence each. */
    public static Verdict of(final ClosedLoopResult loop, final List<String> problems)
    {
        final List<String> reasons = new ArrayList<>(problems);
        if (null != loop.failure())
        {
            reasons.add(loop.failure());
        }
        addIfAny(reasons, loop.lost(), "messages unanswered because their session was lost");
        addIfAny(reasons, loop.damaged(), "corrupt replies");
        final boolean isAsAsked = null != loop.failure() || loop.mostInFlight() >= loop.concurrency();
        final List<String> warnings = isAsAsked ? List.of() : List.of(String.format(
            Locale.ROOT, "at most %,d messages were in flight at once, not %,d: the system or its transport took no more",
            loop.mostInFlight(), loop.concurrency()));
        return new Verdict(List.copyOf(reasons), List.of(), warnings, loop.isPartial() ? "ended before its end" : "");
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

    private static void judgeLoad(final RunEvidence evidence, final List<String> reasons, final List<String> warnings)
    {
        final LoadMeasurement measurement = evidence.measurement();
        final LoadOutcome outcome = measurement.outcome();
        final long accounted = outcome.replied() + outcome.lost();
        if (accounted != outcome.of(Counter.SCHEDULED))
        {
            reasons.add("the accounts do not add up: scheduled=" + outcome.of(Counter.SCHEDULED) +
                ", accounted for=" + accounted);
        }
        if (0 == outcome.of(Counter.SCHEDULED))
        {
            reasons.add("nothing was measured");
        }
        if (null == evidence.failover())
        {
            judgeDelivery(evidence, outcome, reasons);
        }
        if (null != measurement.fanOut())
        {
            judgeCopies(measurement.fanOut(), outcome.of(Counter.SCHEDULED), reasons);
        }
        addIfAny(reasons, outcome.of(Counter.DUPLICATES), "duplicate replies");
        addIfAny(reasons, outcome.of(Counter.OUT_OF_ORDER), "replies out of order");
        addIfAny(reasons, outcome.of(Counter.CORRUPT), "corrupt replies");
        if (0 == outcome.of(Counter.NEW_LEADERS) + outcome.of(Counter.RECONNECTS))
        {
            // Within one session and one leadership term nothing that was sent can go missing.
            addIfAny(
                reasons, outcome.of(Counter.GAPS),
                "requests rejected because an earlier one was missing, though neither leader nor session changed");
        }
        if (outcome.of(Counter.FORGOTTEN) > 0)
        {
            reasons.add(
                "ended early: the service misses " + outcome.of(Counter.FORGOTTEN) +
                " messages that it had acknowledged, and rejects " +
                "all later ones of their client");
        }

        final long stallNs = Percentile.MAX.of(measurement.times().of(Time.STALL));
        if (stallNs >= STALL_FAILURE_NS)
        {
            reasons.add("the client stalled for " + Quantity.formatNs(stallNs));
        }
        else if (stallNs >= STALL_WARNING_NS)
        {
            warnings.add("the client's machine was not quiet: the client stalled for up to " + Quantity.formatNs(stallNs));
        }
        judgeReturn(evidence, reasons, warnings);
        final long behindNs = behindNs(outcome.of(Counter.WARM_UP_SKIPPED), evidence.warmUpRatePerSecond());
        if (isTooFarBehind(behindNs) && null == evidence.failover() && null == evidence.overload())
        {
            reasons.add(behindReason(behindNs));
        }
        else if (behindNs >= STALL_WARNING_NS)
        {
            warnings.add(behind(behindNs));
        }
        if (null == evidence.failover() && null != evidence.steadyState() && evidence.steadyState().isDrifting())
        {
            warnings.add(evidence.steadyState().warning());
        }
        if (null == evidence.failover())
        {
            judgeMembers(evidence.absences(), reasons, warnings);
        }
        if (null == evidence.failover() && outcome.of(Counter.NEW_LEADERS) > 0)
        {
            warnings.add("the leader changed " + outcome.of(Counter.NEW_LEADERS) + " time(s)");
        }
    }

    /** Each receiver must have every copy, once. */
    private static void judgeCopies(final FanOutOutcome fanOut, final long scheduled, final List<String> reasons)
    {
        final List<Receiver> receivers = fanOut.receivers();
        for (int i = 0; i < receivers.size(); i++)
        {
            if (receivers.get(i).accounted() != scheduled)
            {
                reasons.add(
                    "the accounts of receiver " + i + " do not add up: scheduled=" + scheduled + ", accounted for=" +
                    receivers.get(i).accounted());
            }
        }
        final long missing = fanOut.sum(Receiver::missing);
        if (missing > 0)
        {
            reasons.add(
                missing + " of " + fanOut.sum(Receiver::scheduled) + " copies did not reach their receiver (" +
                receivers.stream().filter((receiver) -> receiver.missing() > 0).count() + " of " + receivers.size() +
                " receivers)");
        }
        addIfAny(reasons, fanOut.sum(Receiver::duplicates), "duplicate copies");
        addIfAny(reasons, fanOut.sum(Receiver::corrupt), "corrupt copies");
    }

    /** A test that was cut short says nothing about the return. */
    private static void judgeReturn(final RunEvidence evidence, final List<String> reasons, final List<String> warnings)
    {
        final Overload overload = evidence.overload();
        if (null != overload && null != overload.failure() && !evidence.isPartial())
        {
            reasons.add(overload.failure());
        }
        if (null != overload && null != overload.warning())
        {
            warnings.add(overload.warning());
        }
    }

    /** Without a member the others send, write and wait less: the numbers are those of a smaller cluster. */
    private static void judgeMembers(
        final List<MemberAbsence> absences, final List<String> reasons, final List<String> warnings)
    {
        for (final MemberAbsence absence : absences)
        {
            if (absence.isTooLong())
            {
                reasons.add(absence.text());
            }
            else if (absence.absentNs() >= ABSENCE_WARNING_NS)
            {
                warnings.add(absence.text());
            }
        }
    }

    /** Without faults, every message must be answered and the target rate achieved. */
    private static void judgeDelivery(final RunEvidence evidence, final LoadOutcome outcome, final List<String> reasons)
    {
        if (outcome.lost() > 0)
        {
            reasons.add(
                outcome.lost() + " of " + outcome.of(Counter.SCHEDULED) + WITHOUT_REPLY + "(" + outcome.of(Counter.UNANSWERED) +
                " unanswered, " + outcome.of(Counter.NEVER_SENT) + " never sent)");
        }
        if (null != evidence.overload())
        {
            // Overload means to miss the rate; what counts is the return from it.
            return;
        }
        final double share = outcome.ratePerSecondAchieved() / evidence.ratePerSecondAsked();
        if (outcome.of(Counter.SCHEDULED) > 1 && share < 1 - RATE_TOLERANCE)
        {
            reasons.add(String.format(
                Locale.ROOT, RATE_MISSED + "%.0f of %d messages/s achieved (%.1f%%)",
                outcome.ratePerSecondAchieved(), evidence.ratePerSecondAsked(), 100 * share));
        }
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

    private static void judgeFaults(final RunEvidence evidence, final List<String> reasons, final List<String> warnings)
    {
        final FailoverAccount failover = evidence.failover();
        for (final Cycle cycle : failover.cycles())
        {
            if (cycle.isProblematic())
            {
                (cycle.isInterrupted() ? warnings : reasons).add("cycle " + cycle.number() + ": " + cycle.problem());
            }
            if (cycle.echoesWithoutQuorum() > 0)
            {
                reasons.add(
                    "cycle " + cycle.number() + ": " + cycle.echoesWithoutQuorum() + " replies while there was no quorum");
            }
            slowness(cycle, warnings);
        }
        if (failover.acknowledgedLost() > 0)
        {
            reasons.add(failover.acknowledgedLost() + " acknowledged messages were lost");
        }
        if (failover.appliedTwice() > 0)
        {
            reasons.add(failover.appliedTwice() + " messages were applied twice");
        }
        if (failover.isExactlyOnce() && null != evidence.measurement() && evidence.measurement().outcome().lost() > 0)
        {
            reasons.add(evidence.measurement().outcome().lost() + " messages without a reply at the end");
        }
        if (failover.findingCount() > 0)
        {
            reasons.add("the audit has " + failover.findingCount() + " finding(s); the first: " + failover.firstFinding());
        }
        if (!failover.isAudited() && !evidence.isPartial() && evidence.problems().isEmpty())
        {
            reasons.add("the members' logs were not audited");
        }
    }

    /** Warn of an outage that a failover does not explain. */
    private static void slowness(final Cycle cycle, final List<String> warnings)
    {
        if (cycle.isInterrupted())
        {
            return;
        }
        if (cycle.isLeaderKilled() && 0 == cycle.outageNs())
        {
            warnings.add(
                "cycle " + cycle.number() + ": the leader was killed but there was no gap in the replies: the outage of 0 is " +
                "not that of a failover");
        }
        if (cycle.isElectionUnexpected())
        {
            warnings.add(
                "cycle " + cycle.number() + ": a leader was elected, though the fault left the leader a quorum: see the " +
                "members' logs for a stall of the old leader");
        }

        final long returnedNs = cycle.phaseNs(Cycle.OutagePhase.VICTIM_RETURNED);
        if (cycle.isSameLeader())
        {
            warnings.add(
                "cycle " + cycle.number() + ": the leader returned " +
                (returnedNs < 0 ? "" : Quantity.formatNs(returnedNs) + " after the fault, ") +
                "before the others elected another, and leads again: the outage of " +
                Quantity.formatNs(cycle.outageNs()) + " is that of a restart, not of a failover; return it later " +
                "(--return-after) or shorten the timeouts (--timeouts)");
        }
        else if (cycle.isBeyondExpected())
        {
            warnings.add(
                "cycle " + cycle.number() + ": the outage of " + Quantity.formatNs(cycle.outageNs()) + " exceeds the " +
                Quantity.formatNs(cycle.expectedOutageNs()) + " expected (" + cycle.expectation() + ")" +
                (cycle.longestPart().isEmpty() ? "" : "; its longest part: " + cycle.longestPart()));
        }
    }

    /** Whether one of {@link #reasons()}, also of a stored result, means too slow or too few messages, and not wrong ones. */
    public static boolean isShortfall(final String reason)
    {
        return isRateMissed(reason) || reason.contains(WITHOUT_REPLY);
    }

    /** Whether one of {@link #reasons()}, also of a stored result, means that system or client missed the rate. */
    public static boolean isRateMissed(final String reason)
    {
        return reason.startsWith(RATE_MISSED);
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

    private static void addIfAny(final List<String> reasons, final long count, final String what)
    {
        if (count > 0)
        {
            reasons.add(count + " " + what);
        }
    }
}
