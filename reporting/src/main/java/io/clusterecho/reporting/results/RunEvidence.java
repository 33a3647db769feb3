package io.clusterecho.reporting.results;

import java.util.ArrayList;
import java.util.List;

import io.clusterecho.reporting.measurement.LoadMeasurement;

/**
 * All that a {@link Verdict} rests on.
 *
 * @param measurement        of the load, or null as long as it is not over.
 * @param ratePerSecondAsked of its schedule.
 * @param thresholds         that the user set.
 * @param isPartial          whether the run was ended before its schedule.
 * @param problems           that make the result unreliable or incomplete: what failed, which evidence is damaged, which
 *                           clients were lost; a sentence each.
 * @param warnings           of circumstances that a reader should know, a sentence each.
 * @param failover           of the faults, or null for a run without any.
 */
public record RunEvidence(
    LoadMeasurement measurement,
    long ratePerSecondAsked,
    List<Threshold> thresholds,
    boolean isPartial,
    List<String> problems,
    List<String> warnings,
    FailoverAccount failover)
{
    /**
     * Of a whole run without thresholds, problems, warnings and faults.
     *
     * @param measurement        of the load.
     * @param ratePerSecondAsked of its schedule.
     */
    public static RunEvidence of(final LoadMeasurement measurement, final long ratePerSecondAsked)
    {
        return new RunEvidence(measurement, ratePerSecondAsked, List.of(), false, List.of(), List.of(), null);
    }

    /**
     * The same with further problems.
     *
     * @param more of them.
     */
    public RunEvidence with(final List<String> more)
    {
        final List<String> all = new ArrayList<>(problems);
        all.addAll(more);
        return new RunEvidence(measurement, ratePerSecondAsked, thresholds, isPartial, all, warnings, failover);
    }
}
