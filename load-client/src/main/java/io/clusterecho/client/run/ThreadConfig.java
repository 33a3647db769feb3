package io.clusterecho.client.run;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

import io.aeron.driver.ThreadingMode;

import io.clusterecho.client.load.Cores;
import io.clusterecho.client.load.Idle;
import io.clusterecho.host.CpuList;
import io.clusterecho.host.HostFiles;
import io.clusterecho.host.Processors;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.threads.AgentThreads;

import org.agrona.concurrent.IdleStrategy;

/**
 * Which threads a client has, what they do when there is nothing to do, and where they run.
 *
 * @param profile threads of the client.
 * @param idle    what the agent does while there is nothing to do.
 * @param core    processor of the thread that sends and receives: a number, auto or any.
 */
public record ThreadConfig(Profile profile, Idle idle, String core)
{
    /** Option that names the processor. */
    public static final String CORE = "--core";
    /** The leader's processor, where that is known to be right. */
    public static final String AUTO = "auto";

    private static final String ANY = "any";
    private static final String WHAT = "the sending thread";

    /** Threads of this client. */
    public enum Profile
    {
        /** By the number of cores. */
        auto,
        /** Agent, media driver and conductor in one thread. */
        compact,
        /** The media driver in a thread of its own. */
        shared,
        /** Each agent of the media driver in a thread of its own. */
        dedicated
    }

    /**
     * What the agent does while there is nothing to do.
     *
     * @return a new strategy.
     */
    public IdleStrategy idleStrategy()
    {
        return idle.strategy();
    }

    /**
     * Threads of the client's media driver.
     *
     * @return invoker for none of its own.
     */
    public ThreadingMode threadingMode()
    {
        return switch (profile)
        {
            case compact -> ThreadingMode.INVOKER;
            case shared -> ThreadingMode.SHARED;
            case dedicated -> ThreadingMode.DEDICATED;
            default -> Cores.areFew() ? ThreadingMode.INVOKER : ThreadingMode.SHARED;
        };
    }

    /**
     * The thread of a run.
     *
     * @param leaderCore       processor of the leader that the client should share; empty for none.
     * @param isStartingOthers whether processes are started in the run, which would be kept off that processor too.
     * @return where it runs.
     */
    public AgentThreads agents(final Optional<Integer> leaderCore, final boolean isStartingOthers)
    {
        final Optional<Integer> cpu = switch (core)
        {
            case AUTO -> leaderCore;
            case ANY -> Optional.empty();
            default -> Optional.of(Integer.valueOf(core));
        };
        final SortedSet<Integer> own = new TreeSet<>(
            AUTO.equals(core) || isStartingOthers ? List.of() : cpu.stream().toList());
        return cpu.isEmpty() ? AgentThreads.anywhere() : new AgentThreads(List.of(WHAT), List.of(cpu.get()), own, (line) ->
        {
        });
    }

    /**
     * @param areClientsApart whether other processes send.
     * @throws InvalidSettingException for a processor that is not there, or one that many would share.
     */
    void check(final boolean areClientsApart)
    {
        final SortedSet<Integer> online = Processors.of(HostFiles.ofThisMachine()).online();
        if (areClientsApart && !AUTO.equals(core) && !ANY.equals(core))
        {
            throw new InvalidSettingException(
                CORE, core, "auto or any with several clients, whose --client-command may say for each which processor it has");
        }
        if (!AUTO.equals(core) && !ANY.equals(core) && !(core.matches("[0-9]{1,5}") && online.contains(Integer.valueOf(core))))
        {
            throw new InvalidSettingException(
                CORE, core, online.isEmpty() ? "auto or any, as this system does not say which processors there are" :
                "auto, any, or one of the processors " + CpuList.format(online));
        }
    }

    /**
     * What is in effect.
     *
     * @return name to value.
     */
    public Map<String, String> effective()
    {
        return Map.of("idle", idle.strategyName(), "driver-threads", threadingMode().name().toLowerCase(Locale.ROOT));
    }
}
