package io.clusterecho.failover.lab;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.clusterecho.client.load.LoadPlan;
import io.clusterecho.client.record.FirstReplies;
import io.clusterecho.client.schedule.Schedule;
import io.clusterecho.reporting.results.Cycle;

/** Makes the timelines of all cycles after the load, from the receive times in the client's journal. */
public final class CycleTimelines
{
    private CycleTimelines()
    {
    }

    /**
     * Read the journal of a load.
     *
     * @param journalFile   closed.
     * @param cycles        in order of time.
     * @param schedule      equal to that of the load; not used by another thread.
     * @param startNs       start of the schedule, on the clock of the journal.
     * @param loadEndNs     in ns since the start of the schedule.
     * @return a timeline for each cycle whose fault was injected.
     */
    public static List<CycleTimeline> read(
        final Path journalFile,
        final List<Cycle> cycles,
        final Schedule schedule,
        final LoadPlan plan,
        final long firstClientId,
        final long startNs,
        final long loadEndNs)
    {
        final List<CycleTimeline> timelines = new ArrayList<>();
        for (int i = 0; i < cycles.size(); i++)
        {
            if (cycles.get(i).isInjected())
            {
                timelines.add(new CycleTimeline(
                    cycles.get(i), i + 1 < cycles.size() ? cycles.get(i + 1).startNs() : loadEndNs, schedule,
                    plan.messageCount(), plan.ratePerSecond()));
            }
        }
        FirstReplies.readWhole(journalFile, plan.stride(), firstClientId, plan.messageCount(), (index, receiveTimeNs) ->
        {
            final long dueNs = schedule.timeNs(index);
            timelines.forEach((timeline) -> timeline.onAnswered(index, dueNs, receiveTimeNs - startNs));
        });
        return timelines;
    }
}
