package io.clusterecho.media.zone;

import java.net.InetAddress;
import java.util.Map;

/**
 * Distances from others to one process, for the datagrams that they send to it.
 *
 * @param own address that this process sends from, which identifies it to others, or null for the system's choice.
 */
public record Distances(InetAddress own, Map<InetAddress, Distance> members, Distance clients)
{
    public Distances
    {
        members = Map.copyOf(members);
    }
}
