package io.clusterecho.failover.lab;

import java.util.Locale;

import io.clusterecho.control.member.MemberVersion;
import io.clusterecho.reporting.results.Cycle;
import io.clusterecho.settings.Quantity;
import io.clusterecho.text.TextTable;

/** The steps of a rollout as text. */
final class RolloutText
{
    private RolloutText()
    {
    }

    /** Several lines: the versions, a row for each step, and the sum of their outages. */
    static String text(final FailoverResult result)
    {
        final RolloutPlan plan = result.rollout().plan();
        final TextTable table = new TextTable().right("step").right("member").left("role").left("version").left("aeron")
            .right("outage").right("caught up after").right("snapshot loaded in");
        for (final RolloutStep step : result.rollout().steps())
        {
            final MemberVersion running = step.running();
            final Cycle cycle = result.cycles().get(step.cycle() - 1);
            table.row(
                step.cycle(), step.memberId(), step.isLeader() ? "leader" : "follower",
                null == running ? "-" : running.version(), null == running ? "-" : running.aeron(),
                Quantity.formatNs(cycle.outageNs()), time(cycle.phaseNs(Cycle.OutagePhase.VICTIM_CAUGHT_UP)),
                time(step.snapshotLoadNs()));
        }

        return String.format(
            Locale.ROOT, "from %s%nto   %s%s%n%n%s%ntotal of the outages: %s in %d of %d steps%n%n",
            plan.from().version().text(), plan.to().version().text(), plan.isAndBack() ? ", and back" : "", table.text(),
            Quantity.formatNs(result.rollout().outageNs(result.cycles())), result.rollout().steps().size(), plan.stepCount());
    }

    private static String time(final long timeNs)
    {
        return timeNs < 0 ? "-" : Quantity.formatNs(timeNs);
    }
}
