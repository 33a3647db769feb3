package io.clusterecho.node.member;

import java.util.Optional;
import java.util.SortedSet;

import io.clusterecho.host.HostFiles;
import io.clusterecho.node.config.NodeConfig;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.threads.AgentThreads;

/**
 * Pinning for three members of one thread each and a client on two cores: the leader and the client share one core, the
 * followers the other. Without pinning the system moves the threads, and each move changes the response times of all.
 */
public record CorePinning(int leader, int follower)
{
    private static final int MEMBERS = 3;
    private static final int PROCESSORS = 2;

    /** Pinning of members and client; empty if there is none, or the user has set it. */
    public static Optional<CorePinning> of(final NodeConfig config, final HostFiles files)
    {
        final SortedSet<Integer> allowed = AgentThreads.allowed(files);
        final boolean isMeant = NodeSettings.AUTO.equals(config.value(NodeSettings.CORES)) &&
            Profile.COMPACT == Profile.of(config.profile()) && config.driver().isInProcess() &&
            MEMBERS == config.members().size() && MEMBERS == config.localMembers().size() && PROCESSORS == allowed.size();
        // The first core usually handles interrupts.
        return isMeant ? Optional.of(new CorePinning(allowed.last(), allowed.first())) : Optional.empty();
    }
}
