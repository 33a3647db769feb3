package io.clusterecho.media.zone;

import java.net.InetAddress;
import java.util.Map;

/**
 * How far others are from one process: what a datagram meets that one of them sends to it.
 *
 * @param own     address that this process sends from, so that others know it, or null for whichever the system takes.
 * @param members distance from each other member, by its address.
 * @param clients distance from whoever is none of these and not this process.
 */
public record Distances(InetAddress own, Map<InetAddress, Distance> members, Distance clients)
{
    /**
     * Copies the map.
     */
    public Distances
    {
        members = Map.copyOf(members);
    }
}
