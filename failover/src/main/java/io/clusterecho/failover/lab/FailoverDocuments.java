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
import io.clusterecho.reporting.results.Cycle;
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
            phases.put(phase.key(), result.phase(phase));
            resolutions.put(phase.key(), result.resolutionNs(phase));
        }

        return new FailoverDocument(
            DocumentKind.FAILOVER.format(), StoredVerdict.of(verdict),
            result.isExactlyOnce() ? "exactly-once" : "at-most-once", FailoverDocument.Load.of(result.outcome()),
            proof(result), audit(result.audit()), result.bounds().electionNs(), result.outageResolutionNs(),
            result.outages(), result.kinds(), phases, resolutions, FailoverResult.stored(result.stages()),
            result.cycles(), rollout(result), null, commandLine, resultFolder);
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
}
