package io.clusterecho.control.member;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

import io.clusterecho.platform.MachineColumn;

/**
 * A machine with members of a cluster or its backup: this one, or over ssh, where an agent executes what is {@link Asked}. Only
 * reading of counters is thread-safe.
 */
public interface MemberHost
{
    /** Connect to hosts concurrently, since each takes a second or more; the next request reports why an attempt failed. */
    static void connect(final List<MemberHost> hosts)
    {
        CompletableFuture.allOf(hosts.stream().map((host) -> host.connect()).toArray(CompletableFuture<?>[]::new))
            .exceptionally((failure) -> null).join();
    }

    /** Name in the inventory, empty for this machine. */
    default String name()
    {
        return "";
    }

    /** The members that run there, in the order of their ids. */
    List<ClusterMember> members();

    Optional<Node> backup();

    /** Open the connection that other methods need, if any; the future ends with the attempt. Thread-safe. */
    default CompletableFuture<?> connect()
    {
        return CompletableFuture.completedFuture(null);
    }

    /** Prepare for a start, for instance by archiving classes; call it when no member runs. A failure has no effect. */
    void prepare(Consumer<String> progress);

    /** Check space, and write the settings of members about to start, or reject them; returns needed and free space as text. */
    String configure(SortedMap<String, String> shared, int memberCount);

    /** Delete the files of {@link #configure(SortedMap, int)}, and the folder if it is then empty. */
    void forget();

    /** Needed and available space, as text, for members that are about to start there; rejects too little. */
    @Asked
    String checkRoom(int memberCount);

    /** Start recording the elections of its members; the caller closes the watch. */
    ElectionWatch watchElections();

    /** A sample of the {@link MachineColumn}s of the machine; unknown values if the host does not answer. */
    @Asked(seconds = 1, isAtOnce = true)
    long[] machineUse();

    /** Facts about the machine for a result: groups by name, such as {@code machine}. */
    @Asked
    Map<String, Map<String, String>> environment();
}
