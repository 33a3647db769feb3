package io.clusterecho.reporting.results;

import java.time.Instant;
import java.util.Map;

/**
 * What a result says about how it came about.
 *
 * @param label         that the user gave.
 * @param start         of the schedule.
 * @param commandLine   that repeats the run.
 * @param configuration effective options of the load client.
 * @param cluster       settings of the cluster as far as they are known, empty otherwise.
 * @param durability    what survives at the cluster's file sync level, in words.
 * @param placement     where members and client stand, in words; begins with "emulated" if that is so.
 * @param ceilingPerSecond messages per second that this client manages into a transport that answers at once.
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
