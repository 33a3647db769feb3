package io.clusterecho.reporting.results;

import java.time.Instant;
import java.util.Map;

/**
 * How a result was made.
 *
 * @param label         given by the user.
 * @param start         of the schedule.
 * @param commandLine   that repeats the run.
 * @param configuration effective options of the load client.
 * @param cluster       settings of the cluster as far as known, else empty.
 * @param durability    which failures an acknowledged message survives, in words.
 * @param placement     where members and client run, in words; begins with "emulated" if delays are emulated.
 * @param ceilingPerSecond messages/s of this client into a transport that answers at once.
 */
public record RunDescription(
    String label,
    Instant start,
    String commandLine,
    Map<String, String> configuration,
    Map<String, String> cluster,
    String durability,
    String placement,
    long ceilingPerSecond)
{
}
