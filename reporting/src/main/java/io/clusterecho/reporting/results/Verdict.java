package io.clusterecho.reporting.results;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.clusterecho.reporting.measurement.ClosedLoopResult;
import io.clusterecho.reporting.measurement.Counter;
import io.clusterecho.reporting.measurement.FanOutOutcome;
import io.clusterecho.reporting.measurement.FanOutOutcome.Receiver;
import io.clusterecho.reporting.measurement.LoadMeasurement;
import io.clusterecho.reporting.measurement.LoadOutcome;
import io.clusterecho.reporting.measurement.RunInterval;
import io.clusterecho.reporting.measurement.Time;
import io.clusterecho.reporting.results.Reason.Kind;
import io.clusterecho.settings.Quantity;
import io.clusterecho.text.Lines;

/**
 * Whether a run can be relied on, and why not. {@link #of(RunEvidence)} is the only place that judges a run: text, JSON, page,
 * JUnit and exit status all print its result. The verdict on several runs is made from theirs.
 *
 * @param failures   why the run failed by our own rules (rate, losses, duplicates, corruption, accounting, evidence, faults),
 *                   and the thresholds of the user that failed; empty if it is good.
 * @param warnings   that a reader should know, even of a good run; the weightiest first.
 * @param partial    what was cut short, if anything; else empty.
 * @param isClientLimited whether the client itself is so much of the response times that they are not those of the cluster.
 */
public record Verdict(List<Reason> failures, List<String> warnings, String partial, boolean isClientLimited)
{
    /** The word for a run that is valid but measured its own client. */
    public static final String CLIENT_LIMITED = "CLIENT-LIMITED";

    /** Largest accepted shortfall of the achieved rate, as a share of the target rate. */
    public static final double RATE_TOLERANCE = 0.01;

    private static final long STALL_FAILURE_NS = 500_000_000L;
    /** One of so many: more than are in flight when the next fault follows. */
    private static final long LEAST_UNANSWERED = 200;
    private static final long ABSENCE_WARNING_NS = 1_000_000_000L;

    /** A verdict in sentences, such as that on several runs, which failed by their reasons or by problems between them. */
    public Verdict(final List<String> reasons, final List<String> warnings, final String partial)
    {
        this(
            reasons.stream().map((reason) -> Reason.of(Kind.PROBLEM, reason)).toList(), List.copyOf(warnings), partial, false);
    }

    /** What a verdict is made from. */
    private record Findings(List<Reason> reasons, Map<Kind, List<String>> warnings)
    {
        private Findings(final List<String> problems)
        {
            this(new ArrayList<>(), new EnumMap<>(Kind.class));
            problems.forEach((problem) -> reasons.add(Reason.of(Kind.PROBLEM, problem)));
        }

        void fail(final boolean isFailed, final Kind kind, final Object... values)
        {
            if (isFailed)
            {
                reasons.add(Reason.of(kind, values));
            }
        }

        void warn(final boolean isWarned, final Kind kind, final String format, final Object... values)
        {
            if (isWarned)
            {
                warnings.computeIfAbsent(kind, (first) -> new ArrayList<>()).add(Lines.text(format, values));
            }
        }

        void failIfAny(final long count, final Kind kind)
        {
            fail(count > 0, kind, count);
        }

        Verdict verdict(final String partial, final boolean isClientLimited)
        {
            return new Verdict(
                reasons.stream().sorted(Comparator.comparing(Reason::kind)).toList(),
                warnings.values().stream().flatMap(List::stream).toList(), partial, isClientLimited);
        }
    }

    public static Verdict of(final RunEvidence evidence)
    {
        final Findings found = new Findings(evidence.problems());
        final ClientShare share = null == evidence.failover() ? evidence.clientShare() : null;
        if (null != share && ClientShare.Decision.BELOW != share.decision())
        {
            found.warn(true, Kind.STALL, "%s", share.warning());
        }
        if (null != evidence.failover())
        {
            judgeFaults(evidence, found);
        }
        if (null != evidence.measurement())
        {
            judgeLoad(evidence, found);
        }
        found.fail(null == evidence.measurement() && !evidence.isPartial(), Kind.NOTHING_MEASURED);
        evidence.warnings().forEach((warning) -> found.warn(true, Kind.NOTE, "%s", warning));
        for (final Threshold threshold : evidence.thresholds())
        {
            final String violation = threshold.violation(evidence);
            found.fail(null != violation, Kind.THRESHOLD, threshold.text(), violation);
        }
        final boolean isLimited = null != share && ClientShare.Decision.LIMITED == share.decision();
        return found.verdict(evidence.isPartial() ? "ended before its schedule" : "", isLimited);
    }

    /** Judge a closed loop, with the problems of its evidence, a sentence each. */
    public static Verdict of(final ClosedLoopResult loop, final List<String> problems)
    {
        final Findings found = new Findings(problems);
        found.fail(null != loop.failure(), Kind.PROBLEM, loop.failure());
        found.failIfAny(loop.lost(), Kind.SESSION_LOST);
        found.failIfAny(loop.damaged(), Kind.CORRUPT);
        found.warn(
            null == loop.failure() && loop.mostInFlight() < loop.concurrency(), Kind.NOTE,
            "at most %,d messages were in flight at once, not %,d: the system or its transport took no more",
            loop.mostInFlight(), loop.concurrency());
        return found.verdict(loop.isPartial() ? "ended before its end" : "", false);
    }

    private static void judgeLoad(final RunEvidence evidence, final Findings found)
    {
        final LoadMeasurement measurement = evidence.measurement();
        final LoadOutcome outcome = measurement.outcome();
        final boolean isWithoutFaults = null == evidence.failover();
        final long scheduled = outcome.of(Counter.SCHEDULED);
        final long accounted = outcome.replied() + outcome.lost();
        found.fail(accounted != scheduled, Kind.ACCOUNTS, scheduled, accounted);
        found.fail(0 == scheduled, Kind.NOTHING_MEASURED);
        if (isWithoutFaults)
        {
            judgeDelivery(evidence, outcome, found);
        }
        if (null != measurement.fanOut())
        {
            judgeCopies(measurement.fanOut(), scheduled, found);
        }
        found.failIfAny(outcome.of(Counter.DUPLICATES), Kind.DUPLICATES);
        found.failIfAny(outcome.of(Counter.OUT_OF_ORDER), Kind.OUT_OF_ORDER);
        found.failIfAny(outcome.of(Counter.CORRUPT),
            0 == outcome.of(Counter.ANSWERED_ALL) && !evidence.isOwnService() ? Kind.OTHER_SERVICE : Kind.CORRUPT);
        if (0 == outcome.of(Counter.NEW_LEADERS) + outcome.of(Counter.RECONNECTS))
        {
            // Within one session and one leadership term nothing that was sent can go missing.
            found.failIfAny(outcome.of(Counter.GAPS), Kind.GAPS);
        }
        found.failIfAny(outcome.of(Counter.FORGOTTEN), Kind.FORGOTTEN);
        final long stallNs = Percentile.MAX.of(measurement.times().of(Time.STALL));
        found.fail(stallNs >= STALL_FAILURE_NS, Kind.STALL, Quantity.formatNs(stallNs));
        found.warn(
            stallNs >= RunInterval.SHORTEST_STALL_NS && stallNs < STALL_FAILURE_NS, Kind.STALL,
            "the client's machine was not quiet: the client stalled for up to %s", Quantity.formatNs(stallNs));
        final Overload overload = evidence.overload();
        if (null != overload)
        {
            // A test that was cut short says nothing about the return.
            found.fail(null != overload.failure() && !evidence.isPartial(), Kind.NOT_RETURNED, overload.failure());
            found.warn(null != overload.warning(), Kind.NOT_RETURNED, "%s", overload.warning());
        }
        final long behindNs = (long)(outcome.of(Counter.WARM_UP_SKIPPED) * 1e9 / evidence.warmUpRatePerSecond());
        final boolean isTooFarBehind = behindNs >= STALL_FAILURE_NS && isWithoutFaults && null == overload;
        final String behind =
            "the warm-up ended " + Quantity.formatNs(behindNs) + " behind schedule; messages due in that time were not sent";
        found.fail(isTooFarBehind, Kind.BEHIND_SCHEDULE, behind);
        found.warn(!isTooFarBehind && behindNs >= RunInterval.SHORTEST_STALL_NS, Kind.BEHIND_SCHEDULE, "%s", behind);
        if (isWithoutFaults)
        {
            final String drift = null == evidence.steadyState() ? null : evidence.steadyState().warning();
            found.warn(null != drift, Kind.RATE_MISSED, "%s", drift);
            for (final MemberAbsence absence : evidence.absences())
            {
                // Without a member the others send, write and wait less: the numbers are those of a smaller cluster.
                found.fail(absence.isTooLong(), Kind.ABSENCE, absence.text());
                found.warn(
                    !absence.isTooLong() && absence.absentNs() >= ABSENCE_WARNING_NS, Kind.ABSENCE, "%s", absence.text());
            }
            found.warn(
                outcome.of(Counter.NEW_LEADERS) > 0, Kind.ELECTION, "the leader changed %d time(s)",
                outcome.of(Counter.NEW_LEADERS));
        }
    }

    /** Each receiver must have every copy, once. */
    private static void judgeCopies(final FanOutOutcome fanOut, final long scheduled, final Findings found)
    {
        final List<Receiver> receivers = fanOut.receivers();
        for (int i = 0; i < receivers.size(); i++)
        {
            final long accounted = receivers.get(i).accounted();
            found.fail(accounted != scheduled, Kind.RECEIVER_ACCOUNTS, i, scheduled, accounted);
        }
        final long missing = fanOut.sum(Receiver::missing);
        found.fail(
            missing > 0, Kind.COPIES_MISSING, missing, fanOut.sum(Receiver::scheduled),
            receivers.stream().filter((receiver) -> receiver.missing() > 0).count(), receivers.size());
        found.failIfAny(fanOut.sum(Receiver::duplicates), Kind.COPIES_DUPLICATE);
        found.failIfAny(fanOut.sum(Receiver::corrupt), Kind.COPIES_CORRUPT);
    }

    /** Without faults, every message must be answered and the target rate achieved. */
    private static void judgeDelivery(final RunEvidence evidence, final LoadOutcome outcome, final Findings found)
    {
        final long scheduled = outcome.of(Counter.SCHEDULED);
        found.fail(
            outcome.lost() > 0, Kind.NO_REPLY, outcome.lost(), scheduled, outcome.of(Counter.UNANSWERED),
            outcome.of(Counter.NEVER_SENT));
        found.warn(
            evidence.isOwnService() && outcome.of(Counter.UNANSWERED) > 0 && outcome.of(Counter.EVENTS) > 0, Kind.NO_REPLY,
            "%,d messages answered no request that was sent in their session: check decode", outcome.of(Counter.EVENTS));
        final double share = outcome.ratePerSecondAchieved() / evidence.ratePerSecondAsked();
        // Overload means to miss the rate; what counts is the return from it.
        found.fail(
            null == evidence.overload() && scheduled > 1 && share < 1 - RATE_TOLERANCE, Kind.RATE_MISSED,
            outcome.ratePerSecondAchieved(), evidence.ratePerSecondAsked(), 100 * share);
    }

    private static void judgeFaults(final RunEvidence evidence, final Findings found)
    {
        final FailoverAccount failover = evidence.failover();
        for (final Cycle cycle : failover.cycles())
        {
            final String name = "cycle " + cycle.number() + ": ";
            found.fail(cycle.isProblematic() && !cycle.isInterrupted(), Kind.CYCLE, cycle.number(), cycle.problem());
            found.warn(cycle.isProblematic() && cycle.isInterrupted(), Kind.CYCLE, "%s%s", name, cycle.problem());
            found.fail(
                cycle.echoesWithoutQuorum() > 0, Kind.REPLIES_WITHOUT_QUORUM, cycle.number(), cycle.echoesWithoutQuorum());
            if (!cycle.isInterrupted())
            {
                judgeOutage(cycle, name, found);
            }
        }
        found.failIfAny(failover.acknowledgedLost(), Kind.ACKNOWLEDGED_LOST);
        found.failIfAny(failover.appliedTwice(), Kind.APPLIED_TWICE);
        if (failover.isExactlyOnce() && null != evidence.measurement())
        {
            found.failIfAny(evidence.measurement().outcome().lost(), Kind.NO_REPLY_AT_END);
        }
        final Cycle.PartTimes after = failover.afterReturn();
        found.warn(
            null != after && after.unanswered() * LEAST_UNANSWERED > after.count() + after.unanswered(), Kind.NO_REPLY,
            "%,d of %,d messages that were due once all members were back got no reply, without a fault: does the service " +
            "answer each?", null == after ? 0 : after.unanswered(), null == after ? 0 : after.count() + after.unanswered());
        found.warn(
            failover.lostElsewhere() > 0 && failover.cycles().stream().allMatch(Cycle::isValid), Kind.NO_REPLY,
            "%,d messages that were due around no fault got no reply: there was a loss or an election that no fault explains",
            failover.lostElsewhere());
        found.fail(failover.findingCount() > 0, Kind.AUDIT, failover.findingCount(), failover.firstFinding());
        found.fail(!failover.isAudited() && !evidence.isPartial() && evidence.problems().isEmpty(), Kind.NOT_AUDITED);
    }

    /** Warn of an outage that a failover does not explain. */
    private static void judgeOutage(final Cycle cycle, final String name, final Findings found)
    {
        found.warn(
            cycle.isLeaderKilled() && 0 == cycle.outageNs(), Kind.CYCLE, "%sthe leader was killed but there was no gap in the " +
            "replies: the outage of 0 is not that of a failover", name);
        found.warn(
            cycle.isElectionUnexpected(), Kind.ELECTION, "%sa leader was elected, though the fault left the leader a quorum: " +
            "see the members' logs for a stall of the old leader", name);
        final long returnedNs = cycle.phaseNs(Cycle.OutagePhase.VICTIM_RETURNED);
        found.warn(
            cycle.isSameLeader(), Kind.CYCLE, "%sthe leader returned %sbefore the others elected another, and leads again: the " +
            "outage of %s is that of a restart, not of a failover; return it later (--return-after) or shorten the timeouts " +
            "(--timeouts)", name, returnedNs < 0 ? "" : Quantity.formatNs(returnedNs) + " after the fault, ",
            Quantity.formatNs(cycle.outageNs()));
        if (!cycle.isSameLeader() && cycle.isBeyondExpected())
        {
            found.warn(
                true, Kind.CYCLE, "%sthe outage of %s exceeds the %s expected (%s)", name, Quantity.formatNs(cycle.outageNs()),
                Quantity.formatNs(cycle.expectedOutageNs()), cycle.expectation());
        }
    }

    /** Why it failed by our own rules: a sentence each. */
    public List<String> reasons()
    {
        return failures.stream().filter((reason) -> Kind.THRESHOLD != reason.kind()).map(Reason::text).toList();
    }

    /** Reasons, failed thresholds and what is missing. */
    public List<Reason> all()
    {
        return Stream.concat(
            failures.stream(), isPartial() ? Stream.of(Reason.of(Kind.PARTIAL, partial)) : Stream.empty()).toList();
    }

    public List<String> allReasons()
    {
        return all().stream().map(Reason::text).toList();
    }

    /**
     * Whether the run is valid: it is complete, no message was lost, the rate was achieved and all thresholds are met. Its
     * response times may still be those of the client: {@link #isClientLimited()}.
     */
    public boolean isGood()
    {
        return failures.isEmpty() && !isPartial();
    }

    /** Whether the run was cut short. It may also have failed. */
    public boolean isPartial()
    {
        return !partial.isEmpty();
    }

    /** The verdict in one word: GOOD, CLIENT-LIMITED, PARTIAL or FAILED. */
    public String label()
    {
        return !failures.isEmpty() ? "FAILED" : isPartial() ? "PARTIAL" : isClientLimited ? CLIENT_LIMITED : "GOOD";
    }

    /** Begin of a text: its word with the name of the result, a line for each reason and warning, and a blank one. */
    public String heading(final String name)
    {
        final StringBuilder text = new StringBuilder(512);
        Lines.line(text, "%s  %s", label(), name);
        allReasons().forEach((reason) -> Lines.line(text, "  ! %s", reason));
        warnings.forEach((warning) -> Lines.line(text, "  ~ %s", warning));
        Lines.line(text, "");
        return text.toString();
    }

    /** Exit code of a process that ran this, one of {@link ExitCode}. */
    public int exitStatus()
    {
        return isPartial() ? ExitCode.INTERRUPTED : !reasons().isEmpty() ? ExitCode.RUN_FAILED :
            failures.isEmpty() ? ExitCode.GOOD : ExitCode.THRESHOLD_FAILED;
    }
}
