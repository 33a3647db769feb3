package io.clusterecho.client.run;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

import io.aeron.driver.ThreadingMode;

import io.clusterecho.client.load.Idle;
import io.clusterecho.host.CpuList;
import io.clusterecho.host.HostFiles;
import io.clusterecho.host.Processors;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Quantity;
import io.clusterecho.threads.AgentThreads;
import io.clusterecho.threads.Compilers;
import io.clusterecho.threads.Cores;

import org.agrona.concurrent.IdleStrategy;

/**
 * Threads of a client: their number, idle strategy, turns and placement on processors, and the compilers of its JVM.
 *
 * @param profile threads of the client.
 * @param idle    strategy of the agent.
 * @param core    processor of the thread that sends and receives: a number, auto or any.
 * @param compilers of this JVM.
 * @param turn    shortest time from one turn of the agent that finds work to the next: a duration, or auto.
 */
public record ThreadConfig(Profile profile, Idle idle, String core, Compilation compilers, String turn)
{
    /** Option with the processor. */
    public static final String CORE = "--core";
    /** Option with the compilers. */
    public static final String COMPILERS = "--compilers";
    /** Option with the shortest time between turns. */
    public static final String TURN = "--turn";
    /** The leader's processor, if it is known that sharing it is right; turns as the load has them best. */
    public static final String AUTO = "auto";

    private static final String ANY = "any";
    private static final String WHAT = "the sending thread";
    /** Messages a second, sent or received by all sessions, for which code of the first compiler is fast enough on few cores. */
    private static final long MOST_FOR_FIRST_COMPILER = 100_000;
    /** Messages a second of which two or more are due in the time between turns. */
    private static final long LEAST_FOR_TURNS = 40_000;
    private static final long TURN_NS = 50_000;
    private static final long MAX_TURN_NS = 10_000_000;

    /** Threads of a client. */
    public enum Profile
    {
        /** Chosen by the number of cores. */
        auto,
        /** Agent, media driver and conductor in one thread. */
        compact,
        /** The media driver in its own thread. */
        shared,
        /** Each agent of the media driver in its own thread. */
        dedicated
    }

    /** Compilers of the JVM of a client. */
    public enum Compilation
    {
        /** The first alone for a single load that is moderate for few cores, else both. */
        auto,
        /** As the JVM chooses. */
        both,
        /** The first (C1) alone. */
        first
    }

    /**
     * These threads for the only load of this JVM: a later one might be higher.
     *
     * @param messagesPerSecond most that are sent in a second, or received by all sessions.
     * @param areCoresFew       see {@link Cores#areFew()}.
     */
    ThreadConfig ofOneLoad(final long messagesPerSecond, final boolean areCoresFew)
    {
        return Compilation.auto == compilers && areCoresFew && messagesPerSecond <= MOST_FOR_FIRST_COMPILER ?
            new ThreadConfig(profile, idle, core, Compilation.first, turn) : this;
    }

    /**
     * Restrict the compilers of this JVM as configured; before the threads start.
     */
    public void restrictCompilers()
    {
        if (Compilation.first == compilers)
        {
            Compilers.useFirstAlone();
        }
    }

    /**
     * A new idle strategy for an agent that does not pace its turns.
     */
    public IdleStrategy idleStrategy()
    {
        return idle.strategy();
    }

    /**
     * Shortest time in ns from one turn of the agent that finds work to the next, 0 for none.
     *
     * @param messagesPerSecond of a constant load that one client sends to a cluster, or 0 for other loads.
     * @param areCoresFew       see {@link Cores#areFew()}.
     */
    long turnNs(final long messagesPerSecond, final boolean areCoresFew)
    {
        if (AUTO.equals(turn))
        {
            return areCoresFew && messagesPerSecond >= LEAST_FOR_TURNS ? TURN_NS : 0;
        }

        return Quantity.parseDurationNs(turn);
    }

    /**
     * Threading mode of the client's media driver; invoker means that it has no thread.
     *
     * @param driver of the client.
     */
    public ThreadingMode threadingMode(final DriverConfig driver)
    {
        if (driver.isEmbedded())
        {
            return ThreadingMode.INVOKER;
        }

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
     * @param isStartingOthers whether the run starts processes, which would be excluded from that processor too.
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
     * @param driver          of the client.
     * @param areClientsApart whether other processes send.
     * @throws InvalidSettingException for threads that the driver does not have, and for a processor that does not exist or that
     *                                 many clients would share.
     */
    void check(final DriverConfig driver, final boolean areClientsApart)
    {
        if (driver.isEmbedded() && Profile.auto != profile && Profile.compact != profile)
        {
            throw new InvalidSettingException(
                "--profile", profile,
                "auto or compact with " + DriverConfig.KIND + "=embedded, which the client's one thread runs");
        }
        checkTurn();
        final SortedSet<Integer> online = Processors.of(HostFiles.ofThisMachine()).online();
        if (areClientsApart && !AUTO.equals(core) && !ANY.equals(core))
        {
            throw new InvalidSettingException(
                CORE, core, "auto or any with several clients; --client-command may set the processor of each");
        }
        if (!AUTO.equals(core) && !ANY.equals(core) && !(core.matches("[0-9]{1,5}") && online.contains(Integer.valueOf(core))))
        {
            throw new InvalidSettingException(
                CORE, core, online.isEmpty() ? "auto or any, because this system does not list its processors" :
                "auto, any, or one of the processors " + CpuList.format(online));
        }
    }

    private void checkTurn()
    {
        if (!AUTO.equals(turn))
        {
            try
            {
                if (Quantity.parseDurationNs(turn) <= MAX_TURN_NS)
                {
                    return;
                }
            }
            catch (final IllegalArgumentException ex)
            {
                // Below, with what is allowed.
            }
            throw new InvalidSettingException(TURN, turn, "auto, or a time from 0us to 10ms, as in 50us");
        }
    }

    /**
     * Effective settings by name.
     *
     * @param driver of the client.
     */
    public Map<String, String> effective(final DriverConfig driver)
    {
        return Map.of(
            "idle", idle.strategyName(), "driver-threads", threadingMode(driver).name().toLowerCase(Locale.ROOT),
            COMPILERS.substring(2), (Compilation.auto == compilers ? Compilation.both : compilers).name());
    }
}
