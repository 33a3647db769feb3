package io.clusterecho.failover.lab;

import java.util.List;
import java.util.Locale;

import io.clusterecho.control.member.MemberVersion;
import io.clusterecho.reporting.document.FailoverDocument;
import io.clusterecho.reporting.results.Cycle;
import io.clusterecho.settings.Quantity;
import io.clusterecho.text.TextTable;

/** What a rollout has done: the steps that were begun, in order. */
public record RolloutResult(RolloutPlan plan, List<Step> steps)
{
    /**
     * One member that was started from another jar.
     *
     * @param running        version that it has written into its output since, null if none.
     * @param snapshotLoadNs time in which its service loaded the snapshot of the version before, in ns; -1 if it loaded none.
     */
    public record Step(
        int cycle, int memberId, boolean isLeader, MemberVersion before, MemberVersion after, MemberVersion running,
        long snapshotLoadNs)
    {
        private FailoverDocument.Step document()
        {
            return new FailoverDocument.Step(
                cycle, memberId, isLeader, version(before), version(after), null == running ? null : version(running),
                snapshotLoadNs < 0 ? null : snapshotLoadNs);
        }
    }

    /** Sum of the outages of all steps, in ns. */
    private long outageNs(final List<Cycle> cycles)
    {
        return cycles.stream().filter((cycle) -> steps.stream().anyMatch((step) -> step.cycle == cycle.number()))
            .mapToLong(Cycle::outageNs).sum();
    }

    FailoverDocument.Rollout document(final List<Cycle> cycles)
    {
        return new FailoverDocument.Rollout(
            version(plan.from().version()), version(plan.to().version()), plan.isAndBack(), plan.stepCount(), outageNs(cycles),
            steps.stream().map(Step::document).toList());
    }

    private static FailoverDocument.Version version(final MemberVersion version)
    {
        return new FailoverDocument.Version(version.version(), version.commit(), version.aeron());
    }

    /** Several lines: the versions, a row for each step, and the sum of their outages. */
    String text(final List<Cycle> cycles)
    {
        final TextTable table = new TextTable().right("step").right("member").left("role").left("version").left("aeron")
            .right("outage").right("caught up after").right("snapshot loaded in");
        for (final Step step : steps)
        {
            final MemberVersion running = step.running;
            final Cycle cycle = cycles.get(step.cycle - 1);
            table.row(
                step.cycle, step.memberId, step.isLeader ? "leader" : "follower",
                null == running ? "-" : running.version(), null == running ? "-" : running.aeron(),
                Quantity.formatNs(cycle.outageNs()), time(cycle.phaseNs(Cycle.OutagePhase.VICTIM_CAUGHT_UP)),
                time(step.snapshotLoadNs));
        }

        return String.format(
            Locale.ROOT, "from %s%nto   %s%s%n%n%s%ntotal of the outages: %s in %d of %d steps%n%n",
            plan.from().version().text(), plan.to().version().text(), plan.isAndBack() ? ", and back" : "", table.text(),
            Quantity.formatNs(outageNs(cycles)), steps.size(), plan.stepCount());
    }

    private static String time(final long timeNs)
    {
        return timeNs < 0 ? "-" : Quantity.formatNs(timeNs);
    }
}
