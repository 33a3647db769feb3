package io.clusterecho.reporting.results;

import java.time.Instant;
import java.util.Map;

/**
 * How a result was made.
 *
 * @param cluster       settings of the cluster as far as known, else empty.
 * @param durability    which failures an acknowledged message survives, in words.
 * @param placement     where members and client run, in words; begins with "emulated" if delays are emulated.
 * @param ceilingPerSecond messages/s of this client into a transport that answers at once.
 * @param warmUp        how it ended, null where it had the planned length.
 * @param until         how the measured window ended, null where it had the planned length.
 * @param calibration   of this client, or why there is none; null where none applies.
 * @param memberStart   of the members of a cluster, null where it is not known.
 */
public record RunDescription(
    String label, Instant start, String commandLine, Map<String, String> configuration, Map<String, String> cluster,
    String durability, String placement, long ceilingPerSecond, WarmUpEnd warmUp, WindowEnd until,
    CalibrationNote calibration, MemberStart memberStart)
{
    /** A result whose warm-up and measured window had the planned lengths, and to which no calibration and no start apply. */
    public RunDescription(
        final String label, final Instant start, final String commandLine, final Map<String, String> configuration,
        final Map<String, String> cluster, final String durability, final String placement, final long ceilingPerSecond)
    {
        this(
            label, start, commandLine, configuration, cluster, durability, placement, ceilingPerSecond, null, null, null,
            null);
    }

    /** Whether the messages were those of a service of the user. */
    public boolean isOwnService()
    {
        return configuration.containsKey("messages");
    }

    public RunDescription with(final CalibrationNote newCalibration)
    {
        return new RunDescription(
            label, start, commandLine, configuration, cluster, durability, placement, ceilingPerSecond, warmUp, until,
            newCalibration, memberStart);
    }
}
