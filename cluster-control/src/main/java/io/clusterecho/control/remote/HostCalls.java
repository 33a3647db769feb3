package io.clusterecho.control.remote;

import java.util.Map;
import java.util.Optional;

import io.clusterecho.control.member.Asked;

/** What the agent of a host does whether or not there is a cluster in a base folder. */
public interface HostCalls
{
    /** Settings of the members that were last started in the folder, without defaults; empty if none was. */
    @Asked
    Optional<Map<String, String>> settings();

    /**
     * Check space, and write the settings of members and their credentials, empty for none, into files; returns needed and
     * available space, as text.
     */
    @Asked(seconds = 120)
    String configure(Map<String, String> shared, String credentials, int memberCount);

    /** Delete what {@link #configure} wrote, and the folder if it is then empty. */
    @Asked
    void forget();
}
