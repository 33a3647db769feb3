package io.clusterecho.failover.lab;

import java.nio.file.Path;
import java.util.List;

import io.clusterecho.client.load.LoadPlan;
import io.clusterecho.client.schedule.Schedule;

/**
 * What the client's journal says of a failover test whose load has ended: it holds the receive time of each reply, so that
 * outages are as exact as the schedule allows for, whatever the lab saw of them.
 *
 * @param journalFile   closed.
 * @param schedule      equal to that of the load; no other thread may use it.
 * @param plan          of the load.
 * @param firstClientId of the load.
 * @param startNs       of the schedule, on the clock of the journal.
 * @param loadEndNs     in ns since the start of the schedule.
 */
public record FailoverHistory(
    Path journalFile, Schedule schedule, LoadPlan plan, long firstClientId, long startNs, long loadEndNs)
{
    /**
     * Outages and the phases of echoes.
     *
     * @param cycles as the lab saw them, in order.
     * @return the same with what the journal says.
     * @throws io.clusterecho.settings.InvalidSettingException if the journal cannot be read.
     */
    public List<Cycle> measured(final List<Cycle> cycles)
    {
        return EchoGaps.read(journalFile, cycles, schedule, plan, firstClientId, startNs, loadEndNs);
    }

    /**
     * What the client saw around each fault.
     *
     * @param cycles in order, with their outages.
     * @return a timeline for each fault that was injected.
     * @throws io.clusterecho.settings.InvalidSettingException if the journal cannot be read.
     */
    public List<CycleTimeline> timelines(final List<Cycle> cycles)
    {
        return CycleTimelines.read(journalFile, cycles, schedule, plan, firstClientId, startNs, loadEndNs);
    }
}
