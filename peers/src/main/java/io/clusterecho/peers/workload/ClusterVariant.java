package io.clusterecho.peers.workload;

import java.util.List;
import java.util.Map;

import io.clusterecho.client.run.TransportNames;
import io.clusterecho.node.config.NodeSettings;

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

    /** Settings of the members. */
    Map<String, String> settings()
    {
        return isPlaced ? Map.of(NodeSettings.FSYNC.key(), level) :
            Map.of(NodeSettings.FSYNC.key(), level, NodeSettings.CORES.key(), "any");
    }

    /** Arguments of the client. */
    List<String> clientArguments()
    {
        return isPlaced ? List.of() : List.of("--core", "any");
    }
}
