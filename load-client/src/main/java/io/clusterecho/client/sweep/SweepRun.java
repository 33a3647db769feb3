package io.clusterecho.client.sweep;

import java.util.List;

import com.fasterxml.jackson.annotation.JsonUnwrapped;

import io.clusterecho.reporting.document.Accounts;
import io.clusterecho.reporting.document.RunDocument;
import io.clusterecho.reporting.document.StoredVerdict;
import io.clusterecho.reporting.document.Times;

/**
 * One repeat of one cell, as it stands in {@code sweep.json}; whether it was measured now or read back makes no difference. A
 * run that did not come about has a verdict only.
 */
public record SweepRun(
    int cell, int repeat, String start, StoredVerdict verdict, Long ratePerSecondAsked, Double ratePerSecondAchieved,
    @JsonUnwrapped Accounts accounts,
    Long backPressured, Long newLeaders, String durability, String placement, RunDocument.Cpu cpuSecondsPerMillion,
    Long floorSyncNs, String floorMissing, Times responseTimeNs, Times serviceTimeNs, Times sendDelayNs, Times stallNs,
    String folder)
{
    /**
     * A run that was measured, be it good or not.
     *
     * @param cell   of it.
     * @param repeat of the cell, from 1.
     * @param run    that was made.
     * @param folder of the run, as seen from the folder of the sweep.
     */
    public static SweepRun measured(final Cell cell, final int repeat, final RunDocument run, final String folder)
    {
        return new SweepRun(
            cell.number(), repeat, run.start(), run.verdict(), run.ratePerSecondAsked(), run.ratePerSecondAchieved(),
            run.accounts(), run.backPressured(), run.newLeaders(), run.circumstances().durability(),
            run.circumstances().placement(), run.cpuSecondsPerMillion(), null == run.floor() ? null : run.floor().floorSyncNs(),
            null == run.floor() ? null : run.floor().floorMissing(), run.responseTimeNs(), run.serviceTimeNs(),
            run.sendDelayNs(), run.stallNs(), folder);
    }

    /**
     * A run that did not come about.
     *
     * @param cell   of it.
     * @param repeat of the cell, from 1.
     * @param reason in a sentence or several lines.
     */
    public static SweepRun failed(final Cell cell, final int repeat, final String reason)
    {
        return new SweepRun(
            cell.number(), repeat, null, new StoredVerdict(false, "FAILED", false, List.of(reason), List.of()), null, null, null,
            null, null, null, null, null, null, null, null, null, null, null, null);
    }

    /**
     * Whether the run can stand.
     *
     * @return true for GOOD.
     */
    public boolean isGood()
    {
        return verdict.good();
    }

    /**
     * Whether there are times, good or not.
     *
     * @return false if the run did not come about.
     */
    public boolean isMeasured()
    {
        return null != responseTimeNs && responseTimeNs.count() > 0;
    }

    /**
     * What speaks against it.
     *
     * @return one text each.
     */
    public List<String> reasons()
    {
        return verdict.reasons();
    }

    List<String> warnings()
    {
        return verdict.warnings();
    }
}
