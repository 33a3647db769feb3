package io.clusterecho.failover.lab;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.clusterecho.client.load.LoadPlan;
import io.clusterecho.client.record.JournalReader;
import io.clusterecho.client.schedule.Schedule;
import io.clusterecho.reporting.results.Cycle;

import org.agrona.collections.LongLongConsumer;

/**
 * Outages and timelines of a failover test from the client's journal, after the load has ended. The journal contains the receive
 * time of each reply, so outages are as exact as the interval between messages. Methods take cycles in order of time, and throw
 * an {@link io.clusterecho.settings.InvalidSettingException} if the journal cannot be read.
 *
 * @param journalFile closed.
 * @param schedule    equal to that of the load; not used by another thread.
 * @param startNs     start of the schedule, on the clock of the journal.
 * @param loadEndNs   in ns since the start of the schedule.
 */
public record FailoverHistory(
    Path journalFile, Schedule schedule, LoadPlan plan, long firstClientId, long startNs, long loadEndNs)
{
    /** Receive times are in ns since the start of the schedule. */
    void readFirstReplies(final LongLongConsumer handler)
    {
        JournalReader.readFirstReplies(
            journalFile, plan.stride(), firstClientId, plan.messageCount(),
            (index, receiveTimeNs) -> handler.accept(index, receiveTimeNs - startNs));
    }

    /** Timelines of the faults that were injected; the cycles have their outages already. */
    public List<CycleTimeline> timelines(final List<Cycle> cycles)
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
        readFirstReplies((index, receiveNs) ->
        {
            final long dueNs = schedule.timeNs(index);
            timelines.forEach((timeline) -> timeline.onAnswered(index, dueNs, receiveNs));
        });
        return timelines;
    }
}
