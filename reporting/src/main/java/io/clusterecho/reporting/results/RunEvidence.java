package io.clusterecho.reporting.results;

import java.util.List;
import java.util.stream.Stream;

import io.clusterecho.reporting.measurement.LoadMeasurement;

/**
 * Everything that a {@link Verdict} is based on.
 *
 * @param measurement        of the load, or null until it is complete.
 * @param isPartial          whether the run ended before its schedule.
 * @param problems           that make the result unreliable or incomplete: failures, damaged evidence, lost clients; a sentence
 *                           each.
 * @param warnings           that a reader should know, a sentence each.
 * @param absences           of members from the cluster while the load was measured.
 * @param failover           faults, or null for a run without any.
 * @param steadyState        whether the measured window was stationary, or null if that was not examined.
 * @param clientShare        the client's share of the slowest messages, or null if it is not known.
 * @param varyingRate        the schedule's rate if it varies, else null.
 * @param isOwnService       whether the messages were those of a service of the user.
 */
public record RunEvidence(
    LoadMeasurement measurement, long ratePerSecondAsked, List<Threshold> thresholds, boolean isPartial, List<String> problems,
    List<String> warnings, List<MemberAbsence> absences, FailoverAccount failover, SteadyState steadyState,
    ClientShare clientShare, VaryingRate varyingRate, boolean isOwnService)
{
    /** Evidence before the series of the run are examined. */
    public RunEvidence(
        final LoadMeasurement measurement, final long ratePerSecondAsked, final List<Threshold> thresholds,
        final boolean isPartial, final List<String> problems, final List<String> warnings, final FailoverAccount failover,
        final VaryingRate varyingRate)
    {
        this(
            measurement, ratePerSecondAsked, thresholds, isPartial, problems, warnings, List.of(), failover, null, null,
            varyingRate, false);
    }

    /** A complete run without thresholds, problems, warnings, absences and faults. */
    public static RunEvidence of(final LoadMeasurement measurement, final long ratePerSecondAsked)
    {
        return new RunEvidence(measurement, ratePerSecondAsked, List.of(), false, List.of(), List.of(), null, null);
    }

    public RunEvidence with(final List<String> more)
    {
        final List<String> all = Stream.concat(problems.stream(), more.stream()).toList();
        return new RunEvidence(
            measurement, ratePerSecondAsked, thresholds, isPartial, all, warnings, absences, failover, steadyState,
            clientShare, varyingRate, isOwnService);
    }

    /** What a pulse of overload did, or null if there was none. */
    public Overload overload()
    {
        return null == varyingRate ? null : varyingRate.overload();
    }

    long warmUpRatePerSecond()
    {
        return null == varyingRate ? ratePerSecondAsked : varyingRate.warmUpRatePerSecond();
    }
}
