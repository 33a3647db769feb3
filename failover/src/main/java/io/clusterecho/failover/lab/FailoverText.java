package io.clusterecho.failover.lab;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.clusterecho.control.member.MemberVersion;
import io.clusterecho.failover.audit.AuditReport;
import io.clusterecho.reporting.document.FailoverDocument;
import io.clusterecho.reporting.measurement.Counter;
import io.clusterecho.reporting.measurement.LoadOutcome;
import io.clusterecho.reporting.results.Cycle;
import io.clusterecho.reporting.results.Percentile;
import io.clusterecho.reporting.results.Verdict;
import io.clusterecho.settings.Quantity;
import io.clusterecho.text.Lines;
import io.clusterecho.text.TextTable;

/** A failover test as text, and its timelines as CSV. */
public final class FailoverText
{
    private static final int BAR_WIDTH = 40;

    /** A cycle in one line, as it ends: its outage is that of polls, before the journal is read. */
    public static String line(final Cycle cycle)
    {
        final String phases = cycle.phases().entrySet().stream()
            .filter((entry) -> entry.getValue() >= 0)
            .map((entry) -> entry.getKey().label() + " " + Quantity.formatNs(entry.getValue()))
            .collect(Collectors.joining(", "));
        return Lines.text(
            "cycle %d  %s member %s  %s (preliminary)  (%s)%s",
            cycle.number(), cycle.hit().fault(),
            cycle.victims().stream().map((id) -> id + role(cycle, id)).collect(Collectors.joining(" + ")) + second(cycle),
            0 == cycle.outageNs() ? "no outage" :
                "outage " + Quantity.formatNs(cycle.outageNs()) + " +- " + Quantity.formatNs(cycle.outageResolutionNs()),
            phases, (null == cycle.healed() ? "" : "  healed: member " + ids(cycle.healed())) +
            (cycle.problem().isEmpty() ? "" : "  ! " + cycle.problem()));
    }

    /** What became of the victims that refused their data. */
    static String healedText(final Cycle cycle)
    {
        return "cycle " + cycle.number() + ": member " + ids(cycle.healed()) +
            " refused its data, whose last write the full disk had cut off, and was healed";
    }

    private static String ids(final List<Integer> members)
    {
        return members.stream().map(String::valueOf).collect(Collectors.joining(", "));
    }

    private static String second(final Cycle cycle)
    {
        return !cycle.isSecondInjected() ? "" : ", after " + Quantity.formatNs(cycle.second().injectedNs()) + " " +
            cycle.second().hit().fault() + " member " +
            cycle.second().hit().victims().stream().map(String::valueOf).collect(Collectors.joining(" + "));
    }

    /** Leader or follower, in brackets; empty if none led before the fault. */
    private static String role(final Cycle cycle, final int memberId)
    {
        return cycle.leaderBefore() < 0 ? "" : memberId == cycle.leaderBefore() ? " (leader)" : " (follower)";
    }

    public static String text(final FailoverResult result, final Verdict verdict, final String resultFolder)
    {
        final FailoverDocument document = result.document(verdict, "", resultFolder);
        final StringBuilder text = new StringBuilder(verdict.heading(
            (null == result.rollout() ? "failover, " + result.cycles().size() + " cycles" :
            "rollout, " + result.cycles().size() + " of " + result.rollout().stepCount() + " steps") +
            ", " + document.delivery()));
        if (null != result.rollout())
        {
            rollout(text, result.rollout(), result.cycles());
        }
        final TextTable table = new TextTable().left("after the fault").right("cycles").right("min").right("median")
            .right("p90").right("max").right("+-");
        spread(table, "outage", document.outageNs(), document.outageResolutionNs());
        Stream.of(Cycle.OutagePhase.values()).filter((phase) -> Cycle.OutagePhase.LAST_ECHO != phase).forEach((phase) -> spread(
            table, phase.label(), document.phases().get(phase.key()), document.phaseResolutionNs().get(phase.key())));
        text.append(table.text());
        Lines.line(text, "the timeouts allow an outage of at most %s after SIGKILL of the leader",
            Quantity.formatNs(document.outageBoundNs()));
        Lines.line(text, "");
        kinds(text, document.kinds());
        if (!result.timelines().isEmpty())
        {
            stages(text, result.stages(), document.responseTimeNs().get(FailoverResult.OTHER));
        }
        bars(text, result);
        Lines.line(text, "");
        if (null != result.outcome())
        {
            outcome(text, result.outcome());
        }
        if (null != result.audit())
        {
            audit(text, document.proof(), result);
        }
        Lines.line(text, "");
        Lines.line(text, "results in %s", resultFolder);
        return text.toString();
    }

    /** The versions, a row for each step, and the sum of their outages. */
    private static void rollout(final StringBuilder text, final FailoverDocument.Rollout rollout, final List<Cycle> cycles)
    {
        Lines.line(text, "from %s", version(rollout.from()));
        Lines.line(text, "to   %s%s", version(rollout.to()), rollout.andBack() ? ", and back" : "");
        Lines.line(text, "");
        final TextTable table = new TextTable().right("step").right("member").left("role").left("version").left("aeron")
            .right("outage").right("caught up after").right("snapshot loaded in");
        for (final FailoverDocument.Step step : rollout.steps())
        {
            final Cycle cycle = cycles.get(step.cycle() - 1);
            table.row(
                step.cycle(), step.memberId(), step.leader() ? "leader" : "follower",
                null == step.running() ? "-" : step.running().version(), null == step.running() ? "-" : step.running().aeron(),
                Quantity.formatNs(cycle.outageNs()), Percentile.text(cycle.phases().get(Cycle.OutagePhase.VICTIM_CAUGHT_UP)),
                Percentile.text(step.snapshotLoadNs()));
        }
        text.append(table.text());
        Lines.line(text, "");
        Lines.line(text, "total of the outages: %s in %d of %d steps",
            Quantity.formatNs(rollout.outageNs()), rollout.steps().size(), rollout.stepCount());
        Lines.line(text, "");
    }

    private static String version(final FailoverDocument.Version version)
    {
        return new MemberVersion(version.version(), version.commit(), version.aeron()).text();
    }

    private static void kinds(final StringBuilder text, final List<FailoverDocument.Kind> kinds)
    {
        if (kinds.size() < 2)
        {
            return;
        }
        final TextTable table = new TextTable().left("outage by fault").left("expected").right("cycles").right("min")
            .right("median").right("max").right("beyond");
        kinds.forEach((kind) -> table.row(
            kind.fault(), kind.expectation(), kind.outageNs().count(), Quantity.formatNs(kind.outageNs().min()),
            Quantity.formatNs(kind.outageNs().median()), Quantity.formatNs(kind.outageNs().max()), kind.beyond()));
        text.append(table.text());
        Lines.line(text, "");
    }

    private static void bars(final StringBuilder text, final FailoverResult result)
    {
        final long longestNs =
            Math.max(1, result.cycles().stream().mapToLong(Cycle::outageNs).max().orElse(0));
        for (final Cycle cycle : result.cycles())
        {
            Lines.line(text, "  %3d |%-" + BAR_WIDTH + "s %s +- %s%s", cycle.number(),
                "#".repeat((int)(cycle.outageNs() * BAR_WIDTH / longestNs)), Quantity.formatNs(cycle.outageNs()),
                Quantity.formatNs(cycle.outageResolutionNs()), cycle.isValid() ? "" : "  invalid");
        }
    }

    private static void outcome(final StringBuilder text, final LoadOutcome outcome)
    {
        Lines.line(text, "messages   scheduled %,d, answered %,d, late %,d, unanswered %,d, never sent %,d",
            outcome.of(Counter.SCHEDULED), outcome.of(Counter.ANSWERED), outcome.of(Counter.LATE), outcome.of(Counter.UNANSWERED),
            outcome.of(Counter.NEVER_SENT));
        Lines.line(text,
            "delivery   resent %,d, repeated replies %,d, gaps %,d, reconnects %,d, new leaders %,d, waits at the bound %,d",
            outcome.of(Counter.RESENT), outcome.of(Counter.REPEATED), outcome.of(Counter.GAPS), outcome.of(Counter.RECONNECTS),
            outcome.of(Counter.NEW_LEADERS), outcome.of(Counter.BOUND_WAITS));
    }

    private static void audit(final StringBuilder text, final FailoverDocument.Proof proof, final FailoverResult result)
    {
        final AuditReport audit = result.audit();
        Lines.line(text, "proof      acknowledged %,d, %,d of them lost%s, %s twice %,d; unanswered: %,d in the log, %,d lost",
            proof.acknowledged(), proof.acknowledgedLost(), null == proof.acknowledgedPurged() ? "" : Lines.text(
            result.isOwnService() ? ", not known, purged %,d" : ", purged and only counted by a snapshot %,d",
            proof.acknowledgedPurged()), result.isOwnService() ? "committed" : "applied", proof.appliedTwice(),
            proof.unansweredInLog(), proof.unansweredLost());
        Lines.line(text, "audit      %s", audit.isClean() ? "clean" : audit.findingCount() + " finding(s)");
        audit.findings().forEach((finding) -> Lines.line(text, "           %s", finding.text()));
        audit.notes().forEach((note) -> Lines.line(text, "           note: %s", note));
    }

    private static void stages(
        final StringBuilder text, final Map<CycleTimeline.Part, CycleTimeline.PartTimes> stages, final Cycle.PartTimes other)
    {
        final TextTable table = new TextTable().left("response time of messages due").right("answered").right("p50").right("p90")
            .right("p99").right("max").right("unanswered");
        stages.forEach((stage, times) -> table.row(stage.label(),
            times.responseTimes().getTotalCount(), Percentile.P50.text(times.responseTimes()),
            Percentile.P90.text(times.responseTimes()), Percentile.P99.text(times.responseTimes()),
            Percentile.MAX.text(times.responseTimes()), times.unanswered()));
        if (null != other)
        {
            table.row("at other times", other.count(), "-", "-", "-", "-", other.unanswered());
        }
        text.append(table.text());
        Lines.line(text, "");
    }

    private static void spread(
        final TextTable table, final String name, final FailoverDocument.Spread spread, final long resolutionNs)
    {
        if (spread.count() > 0)
        {
            table.row(name, spread.count(), Quantity.formatNs(spread.min()),
                Quantity.formatNs(spread.median()), Quantity.formatNs(spread.p90()), Quantity.formatNs(spread.max()),
                Quantity.formatNs(resolutionNs));
        }
    }

    /** A header and a row for each slice of each timeline, times in ms after the fault. */
    static String timelinesCsv(final List<CycleTimeline> timelines)
    {
        final StringBuilder text = new StringBuilder(
            "cycle,begin_ms,end_ms,due,answered,unanswered,response_p50_us,response_p99_us,response_max_us\n");
        for (final CycleTimeline timeline : timelines)
        {
            for (final CycleTimeline.Slice slice : timeline.slices())
            {
                text.append(Lines.text(
                    "%d,%.3f,%.3f,%d,%d,%d", timeline.cycle().number(), slice.beginNs() / 1e6,
                    slice.endNs() / 1e6, slice.due(), slice.answered(), slice.unanswered()));
                for (final long timeNs : new long[]{ slice.p50Ns(), slice.p99Ns(), slice.maxNs() })
                {
                    text.append(timeNs < 0 ? "," : Lines.text(",%.1f", timeNs / 1e3));
                }
                text.append('\n');
            }
        }

        return text.toString();
    }
}
