package io.clusterecho.node.member;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import io.clusterecho.host.ContainerLimits;
import io.clusterecho.host.CpuList;
import io.clusterecho.host.HostFiles;
import io.clusterecho.host.Processors;
import io.clusterecho.node.config.NodeConfig;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.threads.AgentThreads;

/** Pinning of the threads of a member that carry messages. */
public final class MemberThreads
{
    private static final List<String> MODE_KEYS = List.of("aeron.threading.mode", "aeron.archive.threading.mode");

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

    private final List<String> agents;
    private final Consumer<String> log;
    private final AgentThreads threads;
    /** Null unless pinning depends on the role. */
    private final CorePinning pinning;
    private boolean isPinnedAsLeader;

    /** The log receives one line about their pinning; cores that are not available are rejected. */
    MemberThreads(final NodeConfig config, final HostFiles files, final Consumer<String> log)
    {
        this.log = log;
        agents = Profile.of(config.profile()).agents(config.driver().isInProcess());
        // The cores are the members'.
        pinning = config.isBackup() ? null : CorePinning.of(config, files).orElse(null);
        final List<Integer> all = config.isBackup() ? List.of() : coresOfAll(config, files);
        final SortedSet<Integer> distinct = new TreeSet<>(all);
        final boolean isShared = distinct.size() < all.size();
        threads = new AgentThreads(
            agents, null == pinning ? own(config, all) : List.of(pinning.follower()), isShared ? new TreeSet<>() : distinct, log);
    }

    /** The calling thread runs the whole member. */
    void enter()
    {
        threads.enter(0);
    }

    /** The member has a role, possibly the same as before; called by one thread. */
    void onRole(final boolean isLeader)
    {
        if (null == pinning || isLeader == isPinnedAsLeader)
        {
            return;
        }

        isPinnedAsLeader = isLeader;
        try
        {
            final int cpu = isLeader ? pinning.leader() : pinning.follower();
            if (threads.move(cpu))
            {
                log.accept(agents.get(0) + " on processor " + cpu + " as " + (isLeader ? "leader" : "follower"));
            }
        }
        catch (final IOException ex)
        {
            log.accept(agents.get(0) + " could not be moved: " + ex.getMessage());
        }
    }

    /** Makes the thread of an agent, which is pinned if it is one of those that carry messages. */
    ThreadFactory factory(final String agent)
    {
        final int index = agents.indexOf(agent);
        return index < 0 ? Thread::new : threads.factory(index);
    }

    private List<Integer> own(final NodeConfig config, final List<Integer> all)
    {
        final int first = config.localMembers().indexOf(config.endpoints()) * agents.size();
        return all.isEmpty() ? all : all.subList(first, first + agents.size());
    }

    /**
     * Cores of the threads of all members on a machine, in the order of member ids; empty for no pinning. Rejects cores that
     * are not available.
     */
    public static List<Integer> coresOfAll(final NodeConfig config, final HostFiles files)
    {
        final String given = config.value(NodeSettings.CORES);
        if (NodeSettings.ANY_CORES.equals(given))
        {
            return List.of();
        }

        final Profile profile = Profile.of(config.profile());
        final boolean isSpinning = profile.isSpinning();
        final int threadCount = profile.agents(config.driver().isInProcess()).size();
        final boolean isOtherwise = MODE_KEYS.stream().anyMatch((key) -> null != System.getProperty(key));
        final int memberCount = config.localMembers().size();
        final int needed = memberCount * threadCount;
        if (NodeSettings.AUTO.equals(given))
        {
            final List<Integer> free = isSpinning && !isOtherwise ? coresToSpinOn(files) : List.of();
            final boolean isGranted = ContainerLimits.of(files).cpuCount().map((granted) -> needed <= granted).orElse(true);
            return isGranted && needed <= free.size() ? free.subList(0, needed) : List.of();
        }
        final String key = NodeSettings.CORES.key();
        InvalidSettingException.throwIf(
            isOtherwise, key, given, "auto or any with " + String.join(" or ", MODE_KEYS) + ", which change the threads");

        final SortedSet<Integer> listed = CpuList.parse(given);
        // All online processors: those of isolcpus are usable too, but only after an explicit request.
        final SortedSet<Integer> online = Processors.of(files).online();
        InvalidSettingException.throwIf(
            !online.isEmpty() && !online.containsAll(listed), key, given, "online processors, " + CpuList.format(online));
        InvalidSettingException.throwIf(
            isSpinning && listed.size() < needed, key, given, "at least " + needed + " processors, one for each of " +
            threadCount + " spinning threads of " + memberCount + (1 == memberCount ? " member" : " members") +
            " on this machine");

        final List<Integer> order = List.copyOf(listed);
        return IntStream.range(0, needed).mapToObj((i) -> order.get(i % order.size())).toList();
    }

    /**
     * One processor per core, node by node. If the whole machine may be used, the first core is left to interrupts and other
     * programs.
     */
    private static List<Integer> coresToSpinOn(final HostFiles files)
    {
        final Processors processors = Processors.of(files);
        final SortedSet<Integer> allowed = new TreeSet<>(processors.online());
        final SortedSet<Integer> usable = AgentThreads.allowed(files);
        allowed.retainAll(usable.isEmpty() ? processors.online() : usable);
        final boolean isWhole = allowed.equals(processors.online());
        final Set<Integer> order = new LinkedHashSet<>();
        processors.nodes().values().forEach(order::addAll);
        order.addAll(allowed);
        order.retainAll(allowed);

        final List<Integer> cores = new ArrayList<>();
        final Set<SortedSet<Integer>> taken = new HashSet<>();
        for (final int cpu : order)
        {
            if (taken.add(processors.siblings().get(cpu)) && !(isWhole && 1 == taken.size()))
            {
                cores.add(cpu);
            }
        }

        return cores;
    }
}
