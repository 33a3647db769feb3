package io.clusterecho.client.command;

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

import picocli.CommandLine.Option;

/**
 * Which threads this client has, what they do when there is nothing to do, and where they run.
 */
final class ThreadOptions
{
    static final String CORE = "--core";

    private static final String AUTO = "auto";
    private static final String ANY = "any";
    private static final String WHAT = "the sending thread";

    /** Threads of this client. */
    enum Profile
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

    @Option(names = "--profile", paramLabel = "NAME", defaultValue = "auto",
        description = "Threads of this client: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
    Profile profile;

    @Option(names = "--idle", paramLabel = "STRATEGY", defaultValue = "auto",
        description = "What the agent does while there is nothing to do: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
    Idle idle;

    @Option(names = CORE, paramLabel = "N", defaultValue = AUTO,
        description = "Processor of the thread that sends and receives; all others of this client are kept off it, if there " +
        "are more, but for failover tests. Or auto: the leader's, where members of profile compact have two between them; " +
        "any: where the system puts it. Default: ${DEFAULT-VALUE}.")
    String core;

    IdleStrategy idleStrategy()
    {
        return idle.strategy();
    }

    ThreadingMode threadingMode()
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
     */
    AgentThreads agents(final Optional<Integer> leaderCore, final boolean isStartingOthers)
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
     * What the options come to.
     *
     * @return name to value.
     */
    Map<String, String> effective()
    {
        return Map.of("idle", idle.strategyName(), "driver-threads", threadingMode().name().toLowerCase(Locale.ROOT));
    }
}
