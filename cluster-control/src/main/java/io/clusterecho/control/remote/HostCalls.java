package io.clusterecho.control.remote;

import java.util.Map;

import io.clusterecho.control.member.Asked;

/** What the agent of a host does before there is a cluster in a base folder. */
public interface HostCalls
{
    /** A cluster about to start, and what the host's network must be; empty texts and 0 if anything will do. */
    record Configuration(Map<String, String> settings, String address, String interfaceName, int mtuLength, int memberCount)
    {
    }

    /** Check network and space, and write the settings of members; returns needed and available space, as text. */
    @Asked(seconds = 120)
    String configure(Configuration configuration);
}
