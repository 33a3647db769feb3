package io.clusterecho.node.member;

import java.util.Optional;
import java.util.SortedSet;

import io.clusterecho.host.HostFiles;
import io.clusterecho.node.config.NodeConfig;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.threads.AgentThreads;

/**
 * Who shares a processor with whom where three members of one thread each and a client have two: the leader and the client
 * have one, the followers the other. Left alone, the system moves them about, and each move changes the times of all.
 *
 * @param leader   processor of the leader and of the client.
 * @param follower processor of the followers.
 */
public record CorePinning(int leader, int follower)
{
    private static final int MEMBERS = 3;
    private static final int PROCESSORS = 2;

    /**
     * CorePinning of members and client.
     *
     * @param config of one of the members.
     * @param files  of the machine.
     * @return empty where the system chooses, or the user did.
     */
    public static Optional<CorePinning> of(final NodeConfig config, final HostFiles files)
    {
        final SortedSet<Integer> allowed = AgentThreads.allowed(files);
        final boolean isMeant = NodeSettings.AUTO_CORES.equals(config.value(NodeSettings.CORES)) &&
            Profile.COMPACT == Profile.of(config.profile()) && config.driver().isEmbedded() &&
            MEMBERS == config.members().size() && MEMBERS == config.localMembers().size() && PROCESSORS == allowed.size();
        // Interrupts usually come to the first.
        return isMeant ? Optional.of(new CorePinning(allowed.last(), allowed.first())) : Optional.empty();
    }
}
