package io.clusterecho.control.remote;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.clusterecho.control.member.Asked;
import io.clusterecho.control.member.ElectionWatch;
import io.clusterecho.platform.MachineUse;

/** What the agent of a host does there for the cluster in a base folder, beside what it does for each member and the backup. */
public interface HostCalls
{
    /** A cluster about to start, and what the host's network must be; empty texts and 0 if anything will do. */
    record Configuration(
        Map<String, String> settings, String credentials, String address, String interfaceName, int mtuLength, int memberCount)
    {
    }

    /** Versions of the agent's build, in a group of that name. */
    @Asked
    Map<String, Map<String, String>> hello();

    /** Totals of the machine so far, summed over its cores. */
    @Asked(seconds = 1, isAtOnce = true)
    MachineUse machine();

    /** Facts about the machine for a result: groups by name. */
    @Asked
    Map<String, Map<String, String>> environment();

    /** Settings of the members that were last started in the folder, without defaults; empty if none was. */
    @Asked
    Optional<Map<String, String>> settings();

    /** Check network and space, and write the settings of members; returns needed and available space, as text. */
    @Asked(seconds = 120)
    String configure(Configuration configuration);

    /** Delete what {@link #configure} wrote, and the folder if it is then empty. */
    @Asked
    void forget();

    /** Needed and available space, as text, for members that are about to start; rejects too little. */
    @Asked
    String room(int memberCount);

    /** Start recording the elections of the members, unless they are recorded already. */
    @Asked
    void watch();

    /** Recorded changes since a time of that host's clock, with times of that clock. */
    @Asked
    List<ElectionWatch.Change> changes(long sinceNs);

    @Asked
    void unwatch();
}
