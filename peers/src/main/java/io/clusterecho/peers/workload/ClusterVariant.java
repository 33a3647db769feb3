package io.clusterecho.peers.workload;

import java.util.ArrayList;
import java.util.List;

import io.clusterecho.client.run.TransportNames;

/**
 * A cluster of the suite by its name: {@code aeron-cluster}, with the suffix {@code -fsync-N} for another file sync level than 0,
 * or {@code -unplaced} if Linux places its threads, as it does those of all other systems.
 *
 * @param isPlaced whether members and client choose processors for their threads where cores are few.
 */
record ClusterVariant(String level, boolean isPlaced)
{
    private static final String NAME = TransportNames.AERON_CLUSTER;
    private static final String FSYNC = NAME + "-fsync-";
    private static final String UNPLACED = NAME + "-unplaced";

    static boolean isCluster(final String system)
    {
        return system.startsWith(NAME);
    }

    static ClusterVariant of(final String system)
    {
        return new ClusterVariant(system.startsWith(FSYNC) ? system.substring(FSYNC.length()) : "0", !UNPLACED.equals(system));
    }

    /** Arguments of {@code start}. */
    List<String> startArguments()
    {
        final List<String> arguments = new ArrayList<>(List.of("--fsync", level));
        if (!isPlaced)
        {
            arguments.addAll(List.of("--set", "echo.cores=any"));
        }
        return arguments;
    }

    /** Arguments of the client. */
    List<String> clientArguments()
    {
        return isPlaced ? List.of() : List.of("--core", "any");
    }
}
