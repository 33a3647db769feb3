package io.clusterecho.client.failover;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

import io.clusterecho.client.load.LoadPlan;
import io.clusterecho.client.record.JournalReader;
import io.clusterecho.client.schedule.Schedule;

/**
 * Makes the timelines of all cycles from the client's journal when the load has ended: it holds the time of each reply, so
 * nothing more needs to be recorded while the load runs. For one thread.
 */
public final class CycleTimelines implements JournalReader.Handler
{
    private final Schedule schedule;
    private final LoadPlan plan;
    private final long firstClientId;
    private final long startNs;
    private final List<CycleTimeline> timelines = new ArrayList<>();
    private final BitSet answered = new BitSet();

    private CycleTimelines(final Schedule schedule, final LoadPlan plan, final long firstClientId, final long startNs)
    {
        this.schedule = schedule;
        this.plan = plan;
        this.firstClientId = firstClientId;
        this.startNs = startNs;
    }

    /**
     * Read the journal of a load.
     *
     * @param journalFile   closed.
     * @param cycles        in order.
     * @param schedule      equal to that of the load; no other thread may use it.
     * @param plan          of the load.
     * @param firstClientId of the load.
     * @param startNs       of the schedule, on the clock of the journal.
     * @param loadEndNs     in ns since the start of the schedule.
     * @return a timeline for each cycle that had a victim.
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
        final CycleTimelines reader = new CycleTimelines(schedule, plan, firstClientId, startNs);
        for (int i = 0; i < cycles.size(); i++)
        {
            if (!cycles.get(i).victims().isEmpty())
            {
                reader.timelines.add(new CycleTimeline(
                    cycles.get(i), i + 1 < cycles.size() ? cycles.get(i + 1).startNs() : loadEndNs, schedule,
                    plan.messageCount(), plan.ratePerSecond()));
            }
        }
        JournalReader.read(journalFile, reader);
        return reader.timelines;
    }

    @Override
    public void onSent(final long clientId, final long firstSequence, final long count)
    {
        // When a message was sent does not matter here: its response time counts from when it was due.
    }

    @Override
    public void onReply(
        final long clientId, final long sequence, final int check, final int templateId, final long receiveTimeNs)
    {
        final long index = sequence * plan.stride() + clientId - firstClientId;
        if (answered.get(Math.toIntExact(index)))
        {
            return;
        }

        answered.set((int)index);
        final long dueNs = schedule.timeNs(index);
        for (final CycleTimeline timeline : timelines)
        {
            timeline.onAnswered(index, dueNs, receiveTimeNs - startNs);
        }
    }
}
