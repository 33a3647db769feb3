package io.clusterecho.control.remote;

import java.util.Map;

import io.clusterecho.control.member.Asked;

/** What the agent of a host does before there is a cluster in a base folder. */
public interface HostCalls
{
    /** Check space, and write the settings of members; returns needed and available space, as text. */
    @Asked(seconds = 120)
    String configure(Map<String, String> shared, int memberCount);
}
