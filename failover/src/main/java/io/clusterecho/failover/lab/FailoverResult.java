package io.clusterecho.failover.lab;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

import io.clusterecho.control.member.ElectionWatch;
import io.clusterecho.failover.audit.AuditReport;
import io.clusterecho.reporting.document.FailoverDocument;
import io.clusterecho.reporting.document.StoredVerdict;
import io.clusterecho.reporting.measurement.Counter;
import io.clusterecho.reporting.measurement.LoadOutcome;
import io.clusterecho.reporting.results.Cycle;
import io.clusterecho.reporting.results.DocumentKind;
import io.clusterecho.reporting.results.FailoverAccount;
import io.clusterecho.reporting.results.Verdict;

/**
 * The result of a failover test, as far as it is known.
 *
 * @param cycles        that were run; completed by what the other components know of them.
 * @param timelines     of the cycles whose fault was injected, in order; empty until they are made.
 * @param outcome       of the load over all cycles; null until it ends.
 * @param isExactlyOnce whether the client resent unacknowledged messages.
 * @param isOwnService  whether the messages were those of another service than the echo.
 * @param audit         of the members' logs; null until it is done.
 * @param bounds        of outages, by the timeouts of the cluster.
 * @param rollout       whose steps the cycles are; null for other tests.
 */
public record FailoverResult(
    List<Cycle> cycles, List<CycleTimeline> timelines, LoadOutcome outcome, boolean isExactlyOnce, boolean isOwnService,
    AuditReport audit, Bounds bounds, FailoverDocument.Rollout rollout)
{
    /** Key of the messages in no part. */
    static final String OTHER = "other";

    public FailoverResult
    {
        cycles = cycles.stream().map((cycle) ->
        {
            final Optional<CycleTimeline> timeline =
                timelines.stream().filter((one) -> one.cycle().number() == cycle.number()).findFirst();
            return cycle.with(
                bounds.expectedNs(cycle), timeline.map((one) -> stored(one.stages())).orElse(null),
                timeline.map(CycleTimeline::returning).map(CycleTimeline.PartTimes::stored).orElse(null));
        }).toList();
    }

    /** Outages by fault and expectation, in the order of their first cycles. */
    private static List<FailoverDocument.Kind> kinds(final List<Cycle> valid)
    {
        final Map<String, List<Cycle>> groups = valid.stream().collect(Collectors.groupingBy(
            (cycle) -> kind(cycle) + " " + cycle.expectation(), LinkedHashMap::new, Collectors.toList()));
        return groups.values().stream().map((group) -> new FailoverDocument.Kind(
            kind(group.get(0)), group.get(0).expectation().toString(),
            FailoverDocument.Spread.of(group.stream().mapToLong(Cycle::outageNs)),
            group.stream().filter(Cycle::isBeyondExpected).count())).toList();
    }

    private static String kind(final Cycle cycle)
    {
        return cycle.hit().fault() + (null == cycle.second() ? "" : " and another");
    }

    /** Response times of all valid cycles together, by the part in which messages were due; without parts in which none was. */
    public Map<CycleTimeline.Part, CycleTimeline.PartTimes> stages()
    {
        final Map<CycleTimeline.Part, CycleTimeline.PartTimes> sums = new EnumMap<>(CycleTimeline.Part.class);
        timelines.stream().filter((timeline) -> timeline.cycle().isValid()).forEach((timeline) ->
            timeline.stages().forEach((stage, times) -> sums.merge(stage, times, CycleTimeline.PartTimes::plus)));
        return sums;
    }

    /** As in JSON, with the measured messages that were due in no part of a valid cycle, whose response times are not kept. */
    private Map<String, Cycle.PartTimes> groups()
    {
        final Map<String, Cycle.PartTimes> groups = stored(stages());
        if (null != outcome && !timelines.isEmpty())
        {
            final long answered = outcome.replied() - groups.values().stream().mapToLong(Cycle.PartTimes::count).sum();
            final long unanswered = outcome.lost() - groups.values().stream().mapToLong(Cycle.PartTimes::unanswered).sum();
            groups.put(OTHER, new Cycle.PartTimes(answered, unanswered, null));
        }
        return groups;
    }

    /** Maximum error of the time at which a cycle reached a phase, in ns, in either direction. */
    private static long resolutionNs(final Cycle cycle, final Cycle.OutagePhase phase)
    {
        return switch (phase.source())
        {
            case ECHOES -> cycle.outageResolutionNs();
            case COUNTERS -> ElectionWatch.LOOK_INTERVAL_NS;
            case POLLS -> FailoverLab.POLL_INTERVAL_NS;
        };
    }

    /** Acknowledged messages that are not in the log of the majority, or that the service requested again. */
    public long acknowledgedLost()
    {
        return Math.max(
            null == audit ? 0 : audit.journal().acknowledgedLost(), null == outcome ? 0 : outcome.of(Counter.FORGOTTEN));
    }

    /** Messages that were applied more than once; of another service than the echo those that were committed more than once. */
    public long appliedTwice()
    {
        final long noticed = null == outcome || isOwnService ? 0 : outcome.of(Counter.DUPLICATES);
        return Math.max(null == audit ? 0 : audit.journal().appliedTwice(), noticed);
    }

    FailoverDocument document(final Verdict verdict, final String commandLine, final String resultFolder)
    {
        final List<Cycle> valid = cycles.stream().filter(Cycle::isValid).toList();
        final Map<String, FailoverDocument.Spread> phases = new LinkedHashMap<>();
        final Map<String, Long> resolutions = new LinkedHashMap<>();
        for (final Cycle.OutagePhase phase : Cycle.OutagePhase.values())
        {
            final List<Cycle> reached = valid.stream().filter((cycle) -> cycle.phases().containsKey(phase)).toList();
            phases.put(
                phase.key(), FailoverDocument.Spread.of(reached.stream().mapToLong((cycle) -> cycle.phaseNs(phase))));
            resolutions.put(
                phase.key(), reached.stream().mapToLong((cycle) -> resolutionNs(cycle, phase)).max().orElse(0));
        }

        return new FailoverDocument(
            DocumentKind.FAILOVER.format(), StoredVerdict.of(verdict), isExactlyOnce ? "exactly-once" : "at-most-once",
            FailoverDocument.Load.of(outcome), proof(),
            null == audit ? new FailoverDocument.Audit(null, List.of(), null) :
            new FailoverDocument.Audit(
            audit.isClean(), audit.findings().stream().map(AuditReport.Finding::text).toList(), audit.notes()),
            bounds.electionNs(), valid.stream().mapToLong(Cycle::outageResolutionNs).max().orElse(0),
            FailoverDocument.Spread.of(valid.stream().mapToLong(Cycle::outageNs)), kinds(valid), phases, resolutions,
            groups(), cycles, rollout, null, commandLine, resultFolder);
    }

    private FailoverDocument.Proof proof()
    {
        if (null == audit)
        {
            // What the client noticed is known without the logs.
            return new FailoverDocument.Proof(null, 0 == acknowledgedLost() ? null : acknowledgedLost(), null, null, null, null);
        }

        final AuditReport.Journal journal = audit.journal();
        return new FailoverDocument.Proof(
            journal.acknowledged(), acknowledgedLost(), 0 == journal.acknowledgedPurged() ? null : journal.acknowledgedPurged(),
            appliedTwice(), journal.unansweredInLog(), journal.unansweredInTail() + journal.unansweredLost());
    }

    /** The numbers that decide the verdict. */
    public FailoverAccount account()
    {
        final Map<String, Cycle.PartTimes> groups = groups();
        return new FailoverAccount(
            isExactlyOnce, cycles, cycles.stream().filter(Cycle::isValid).map(Cycle::outageNs).toList(),
            // The audit has a finding for what was committed twice.
            null != audit, acknowledgedLost(), isOwnService ? 0 : appliedTwice(),
            groups.get(CycleTimeline.Part.AFTER.key()), groups.containsKey(OTHER) ? groups.get(OTHER).unanswered() : 0,
            null == audit ? 0 : audit.findingCount(), null == audit || audit.isClean() ? "" : audit.findings().get(0).text());
    }

    /** As in JSON, by the names of the parts. */
    private static Map<String, Cycle.PartTimes> stored(final Map<CycleTimeline.Part, CycleTimeline.PartTimes> parts)
    {
        final Map<String, Cycle.PartTimes> all = new LinkedHashMap<>();
        parts.forEach((part, times) -> all.put(part.key(), times.stored()));
        return all;
    }

    /**
     * How long an outage may be, by the timeouts of the tested cluster.
     *
     * @param heartbeatNs after which a leader without a sign of life is replaced, in ns.
     * @param electionNs  longest time without a leader after SIGKILL of the leader, in ns.
     */
    record Bounds(long heartbeatNs, long electionNs)
    {
        /** A restarted member needs as long until it takes part in an election, on a machine that starts several at once. */
        static final long START_NS = 5_000_000_000L;

        /** The longest outage expected, in ns; null if victims that the quorum needs did not return. */
        Long expectedNs(final Cycle cycle)
        {
            return switch (cycle.expectation())
            {
                case LEADER_STAYS -> heartbeatNs;
                case ONE_ELECTION -> electionNs;
                case TWO_ELECTIONS -> 2 * electionNs;
                case NO_CLIENTS -> sinceReturn(cycle, heartbeatNs);
                case NO_QUORUM -> sinceReturn(cycle, START_NS + electionNs);
            };
        }

        private static Long sinceReturn(final Cycle cycle, final long boundNs)
        {
            final long returnedNs = cycle.phaseNs(Cycle.OutagePhase.VICTIM_RETURNED);
            return returnedNs < 0 ? null : Long.valueOf(returnedNs + boundNs);
        }
    }
}
