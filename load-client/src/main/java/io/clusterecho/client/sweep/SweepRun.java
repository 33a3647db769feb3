package io.clusterecho.client.sweep;

import java.util.List;

import com.fasterxml.jackson.annotation.JsonUnwrapped;

import io.clusterecho.reporting.document.Accounts;
import io.clusterecho.reporting.document.RunDocument;
import io.clusterecho.reporting.document.StoredVerdict;
import io.clusterecho.reporting.document.Times;

/**
 * One repeat of a cell, as in {@code sweep.json}, measured now or read back. A run that could not be made has only a verdict.
 */
public record SweepRun(
    int cell, int repeat, String start, StoredVerdict verdict, Long ratePerSecondAsked, Double ratePerSecondAchieved,
    @JsonUnwrapped Accounts accounts,
    Long backPressured, Long newLeaders, String durability, String placement, RunDocument.Cpu cpuSecondsPerMillion,
    Long floorSyncNs, String floorMissing, Times responseTimeNs, Times serviceTimeNs, Times sendDelayNs, Times stallNs,
    String folder)
{
    /**
     * A measured run, good or not.
     *
     * @param cell   of the sweep.
     * @param repeat of the cell, from 1.
     * @param run    document of the run.
     * @param folder of the run, relative to the folder of the sweep.
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
     * A run that could not be made.
     *
     * @param cell   of the sweep.
     * @param repeat of the cell, from 1.
     * @param reason a sentence or several lines.
     */
    public static SweepRun failed(final Cell cell, final int repeat, final String reason)
    {
        return new SweepRun(
            cell.number(), repeat, null, new StoredVerdict(false, "FAILED", false, List.of(reason), List.of()), null, null, null,
            null, null, null, null, null, null, null, null, null, null, null, null);
    }

    /**
     * Whether its verdict is GOOD.
     */
    public boolean isGood()
    {
        return verdict.good();
    }

    /**
     * Whether it has times, good or not; false if the run could not be made.
     */
    public boolean isMeasured()
    {
        return null != responseTimeNs && responseTimeNs.count() > 0;
    }

    /**
     * Reasons why it is not good.
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
