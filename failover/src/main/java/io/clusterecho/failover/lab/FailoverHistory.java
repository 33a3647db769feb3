package io.clusterecho.failover.lab;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import io.clusterecho.client.load.LoadPlan;
import io.clusterecho.client.schedule.Schedule;
import io.clusterecho.reporting.results.Cycle;

/**
 * Outages and timelines of a failover test from the client's journal, after the load has ended. The journal contains the receive
 * time of each reply, so outages are as exact as the interval between messages.
 *
 * @param journalFile   closed.
 * @param schedule      equal to that of the load; not used by another thread.
 * @param startNs       start of the schedule, on the clock of the journal.
 * @param loadEndNs     in ns since the start of the schedule.
 */
public record FailoverHistory(
    Path journalFile, Schedule schedule, LoadPlan plan, long firstClientId, long startNs, long loadEndNs)
{
    /**
     * Outages and echo phases.
     *
     * @param cycles as the lab measured them, in order of time.
     * @return the same cycles with outage and echo phases from the journal.
     * @throws io.clusterecho.settings.InvalidSettingException if the journal cannot be read.
     */
    public List<Cycle> measured(final List<Cycle> cycles)
    {
        return EchoGaps.read(journalFile, cycles, schedule, plan, firstClientId, startNs, loadEndNs);
    }

    /**
     * When the sessions were back.
     *
     * @param cycles in order of time, with their outages.
     * @return by number, for each cycle with an outage that ended.
     * @throws io.clusterecho.settings.InvalidSettingException if the journal cannot be read.
     */
    public Map<Integer, Cycle.Sessions> returns(final List<Cycle> cycles)
    {
        return SessionReturns.read(journalFile, cycles, plan.sessionCount(), startNs, loadEndNs);
    }

    /**
     * Timelines.
     *
     * @param cycles in order of time, with their outages.
     * @return a timeline for each fault that was injected.
     * @throws io.clusterecho.settings.InvalidSettingException if the journal cannot be read.
     */
    public List<CycleTimeline> timelines(final List<Cycle> cycles)
    {
        return CycleTimelines.read(journalFile, cycles, schedule, plan, firstClientId, startNs, loadEndNs);
    }
}
