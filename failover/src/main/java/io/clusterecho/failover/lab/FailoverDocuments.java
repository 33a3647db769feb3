package io.clusterecho.failover.lab;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.clusterecho.control.member.MemberVersion;
import io.clusterecho.failover.audit.AuditReport;
import io.clusterecho.failover.audit.AuditFinding;
import io.clusterecho.failover.audit.JournalAudit;
import io.clusterecho.reporting.document.FailoverDocument;
import io.clusterecho.reporting.document.StoredVerdict;
import io.clusterecho.reporting.results.DocumentKind;
import io.clusterecho.reporting.results.Verdict;

/** Makes the JSON document of a failover test. */
final class FailoverDocuments
{
    private FailoverDocuments()
    {
    }

    /**
     * Make the document.
     *
     * @param result       as far as it is known.
     */
    static FailoverDocument of(
        final FailoverResult result, final Verdict verdict, final String commandLine, final String resultFolder)
    {
        final Map<String, FailoverDocument.Spread> phases = new LinkedHashMap<>();
        final Map<String, Long> resolutions = new LinkedHashMap<>();
        for (final Cycle.OutagePhase phase : Cycle.OutagePhase.values())
        {
            phases.put(phase.key(), spread(result.phase(phase)));
            resolutions.put(phase.key(), result.resolutionNs(phase));
        }

        return new FailoverDocument(
            DocumentKind.FAILOVER.format(), StoredVerdict.of(verdict),
            result.isExactlyOnce() ? "exactly-once" : "at-most-once", FailoverDocument.Load.of(result.outcome()),
            proof(result), audit(result.audit()), result.bounds().electionNs(), result.outageResolutionNs(),
            spread(result.outages()), kinds(result), phases, resolutions, stages(result.stages()),
            result.cycles().stream().map((cycle) -> cycle(cycle, result)).toList(), rollout(result),
            null, commandLine, resultFolder);
    }

    private static FailoverDocument.Proof proof(final FailoverResult result)
    {
        if (null == result.audit())
        {
            // What the client noticed is known without the logs.
            final long lost = result.acknowledgedLost();
            return new FailoverDocument.Proof(null, 0 == lost ? null : lost, null, null, null);
        }

        final JournalAudit journal = result.audit().journal();
        return new FailoverDocument.Proof(
            journal.acknowledged(), result.acknowledgedLost(), result.appliedTwice(), journal.unansweredInLog(),
            journal.unansweredInTail() + journal.unansweredLost());
    }

    private static FailoverDocument.Audit audit(final AuditReport audit)
    {
        return null == audit ? new FailoverDocument.Audit(null, List.of()) :
            new FailoverDocument.Audit(audit.isClean(), audit.findings().stream().map(AuditFinding::text).toList());
    }

    private static FailoverDocument.Spread spread(final FailoverResult.Spread spread)
    {
        return new FailoverDocument.Spread(spread.count(), spread.min(), spread.median(), spread.p90(), spread.max());
    }

    private static Map<String, FailoverDocument.StageTimes> stages(
        final Map<CycleTimeline.Part, CycleTimeline.PartTimes> stages)
    {
        final Map<String, FailoverDocument.StageTimes> all = new LinkedHashMap<>();
        stages.forEach((stage, times) ->
            all.put(stage.key(), FailoverDocument.StageTimes.of(times.responseTimes(), times.unanswered())));
        return all;
    }

    private static List<FailoverDocument.Kind> kinds(final FailoverResult result)
    {
        return FaultKind.of(result).stream().map((kind) -> new FailoverDocument.Kind(
            kind.fault(), kind.expectation().toString(), spread(kind.outages()), kind.beyond())).toList();
    }

    private static FailoverDocument.Cycle cycle(final Cycle cycle, final FailoverResult result)
    {
        final Map<Cycle.OutagePhase, Long> phases = cycle.phases();
        return new FailoverDocument.Cycle(
            cycle.number(), cycle.fault().toString(), cycle.planned().victim(), cycle.planned().pick(), cycle.victims(),
            cycle.expectation().toString(), expectedNs(cycle, result), cycle.startNs(), cycle.isValid(), cycle.isRecovered(),
            cycle.problem(), cycle.isQuorumLost(), cycle.isInterrupted(), cycle.outageNs(), cycle.outageResolutionNs(),
            new FailoverDocument.Phases(
                phases.get(Cycle.OutagePhase.LAST_ECHO), phases.get(Cycle.OutagePhase.FAILURE_DETECTED),
                phases.get(Cycle.OutagePhase.ELECTION_START), phases.get(Cycle.OutagePhase.ELECTION_END),
                phases.get(Cycle.OutagePhase.NEW_LEADER_KNOWN), phases.get(Cycle.OutagePhase.SESSION_USABLE),
                phases.get(Cycle.OutagePhase.FIRST_ECHO), phases.get(Cycle.OutagePhase.BACKLOG_DRAINED),
                phases.get(Cycle.OutagePhase.VICTIM_RETURNED), phases.get(Cycle.OutagePhase.VICTIM_IN_QUORUM),
                phases.get(Cycle.OutagePhase.VICTIM_CAUGHT_UP)),
            cycle.echoesWithoutQuorum(), cycle.leaderBefore(), cycle.leaderAfter(), cycle.newLeaderMemberIds(), second(cycle),
            cycle.healed().isEmpty() ? null : cycle.healed(),
            result.timelines().stream().filter((timeline) -> timeline.cycle() == cycle).findFirst()
                .map((timeline) -> stages(timeline.stages())).orElse(null),
            result.timelines().stream().filter((timeline) -> timeline.cycle() == cycle).findFirst()
                .map(CycleTimeline::returning)
                .map((times) -> FailoverDocument.StageTimes.of(times.responseTimes(), times.unanswered())).orElse(null),
            sessions(result.returns().get(cycle.number())));
    }

    private static FailoverDocument.Sessions sessions(final SessionReturns.Returns returns)
    {
        return null == returns ? null : new FailoverDocument.Sessions(
            returns.count(), returns.missing(), returns.firstNs(), returns.medianNs(), returns.lastNs());
    }

    private static FailoverDocument.Rollout rollout(final FailoverResult result)
    {
        if (null == result.rollout())
        {
            return null;
        }

        final RolloutPlan plan = result.rollout().plan();
        return new FailoverDocument.Rollout(
            version(plan.from().version()), version(plan.to().version()), plan.isAndBack(), plan.stepCount(),
            result.rollout().outageNs(result.cycles()),
            result.rollout().steps().stream().map((step) -> new FailoverDocument.Step(
                step.cycle(), step.memberId(), step.isLeader(), version(step.before()), version(step.after()),
                null == step.running() ? null : version(step.running()),
                step.snapshotLoadNs() < 0 ? null : step.snapshotLoadNs())).toList());
    }

    private static FailoverDocument.Version version(final MemberVersion version)
    {
        return new FailoverDocument.Version(version.version(), version.commit(), version.aeron());
    }

    private static FailoverDocument.Second second(final Cycle cycle)
    {
        final PlannedFault.Second second = cycle.planned().second();
        return null == second ? null : new FailoverDocument.Second(
            second.planned().spec().toString(), second.planned().victim(), second.planned().pick(), second.afterNs(),
            null == cycle.secondHit() ? List.of() : cycle.secondHit().victims(),
            null == cycle.secondHit() ? null : cycle.secondHit().afterNs());
    }

    private static Long expectedNs(final Cycle cycle, final FailoverResult result)
    {
        final long expectedNs = result.bounds().expectedNs(cycle);
        return expectedNs < 0 ? null : expectedNs;
    }
}
