package io.clusterecho.client.run;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

import io.aeron.driver.ThreadingMode;

import io.clusterecho.client.load.Idle;
import io.clusterecho.client.run.DeclaredOption.LoadOption;
import io.clusterecho.control.command.OptionGroup;
import io.clusterecho.host.CpuList;
import io.clusterecho.host.HostFiles;
import io.clusterecho.host.Processors;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Quantity;
import io.clusterecho.settings.Setting;
import io.clusterecho.threads.AgentThreads;
import io.clusterecho.threads.Compilers;

/** Threads of a client: their number, idle strategy, duty cycle and placement on processors, and the compilers of its JVM. */
@OptionGroup("Threads")
public record ThreadConfig(
    @LoadOption(names = "--profile", label = "NAME", byDefault = "auto",
        text = "Threads of the client: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
    Profile profile,
    @LoadOption(names = "--idle", label = "STRATEGY", byDefault = "auto",
        text = "Idle strategy of the agent: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
    Idle idle,
    @LoadOption(names = ThreadConfig.CORE, label = "N", byDefault = ThreadConfig.AUTO, isOfWorker = false,
        text = "Core of the thread that sends and receives. Except in failover tests the client's other threads use " +
        "other cores, if there are any. auto: the leader's core if members with the compact profile share two cores, else any; " +
        "any: not pinned. Default: ${DEFAULT-VALUE}.")
    String core,
    @LoadOption(names = ThreadConfig.COMPILERS, label = "WHICH", byDefault = "auto",
        text = "Compilers of the client's JVM: ${COMPLETION-CANDIDATES}. first is C1 alone, which takes less time from " +
        "threads that share few cores. auto: first for a run of one client with fewer than 8 cores and up to 100k messages/s, " +
        "else both. Default: ${DEFAULT-VALUE}.")
    Compilation compilers,
    @LoadOption(names = ThreadConfig.DUTY_CYCLE_INTERVAL, label = "TIME", byDefault = ThreadConfig.AUTO,
        text = "Least time from the beginning of a duty cycle of the agent that found work to the next, so that it " +
        "finds several messages: a time up to 500us, or auto: 50us for a constant rate of 40k messages/s or more in a session " +
        "with a leader whose core the sending thread shares, else 0us. Default: ${DEFAULT-VALUE}.")
    String dutyCycleInterval)
{
    public static final String CORE = "--core";
    public static final String COMPILERS = "--compilers";
    public static final String DUTY_CYCLE_INTERVAL = "--duty-cycle-interval";
    /** The leader's processor, if it is known that sharing it is right; an interval for many messages there. */
    public static final String AUTO = "auto";

    private static final String ANY = "any";
    private static final String WHAT = "the sending thread";
    /** Messages a second, sent or received by all sessions, for which code of the first compiler is fast enough on few cores. */
    private static final long MOST_FOR_FIRST_COMPILER = 100_000;
    /** Messages a second of a session, two of which are then due in the interval. */
    private static final long LEAST_FOR_INTERVAL = 40_000;
    private static final long INTERVAL_NS = 50_000;
    /** A duty cycle sends up to 128 messages of 512 bytes: 256,000 a second. */
    private static final long MAX_INTERVAL_NS = 500_000;

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
        /** The JVM chooses the compiler of each method. */
        both,
        /** The first (C1) alone. */
        first
    }

    /** These threads for the only load of this JVM, by the messages sent or received a second: a later load might be higher. */
    ThreadConfig ofOneLoad(final long messagesPerSecond, final boolean areCoresFew)
    {
        return Compilation.auto == compilers && areCoresFew && messagesPerSecond <= MOST_FOR_FIRST_COMPILER ?
            new ThreadConfig(profile, idle, core, Compilation.first, dutyCycleInterval) : this;
    }

    /** Restrict the compilers of this JVM as configured; before the threads start. */
    public void restrictCompilers()
    {
        if (Compilation.first == compilers)
        {
            Compilers.useFirstAlone();
        }
    }

    /**
     * Least time in ns from the beginning of a duty cycle of the agent that found work to the next, 0 for none. By default it
     * waits only where the leader uses the processor meanwhile.
     *
     * @param messagesPerSecond of each session in a constant load, or 0 for other loads.
     * @param isLeaderCoreKnown whether there is a leader whose processor the agent shares unless it was given another one.
     * @param isDriving         whether the agent's thread runs the media driver.
     */
    long dutyCycleIntervalNs(final long messagesPerSecond, final boolean isLeaderCoreKnown, final boolean isDriving)
    {
        if (AUTO.equals(dutyCycleInterval))
        {
            final boolean isShared = isLeaderCoreKnown && AUTO.equals(core) && isDriving;
            final boolean isYielding = "yielding".equals(idle.strategyName());
            return isShared && isYielding && messagesPerSecond >= LEAST_FOR_INTERVAL ? INTERVAL_NS : 0;
        }

        return Quantity.parseDurationNs(dutyCycleInterval);
    }

    /** Threading mode of the client's media driver; invoker means that it has no thread. */
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
            default -> Processors.areFew() ? ThreadingMode.INVOKER : ThreadingMode.SHARED;
        };
    }

    /** The thread of a run, on the core of the leader if that is to be shared; processes that it starts may use the others. */
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
        return cpu.isEmpty() ? AgentThreads.anywhere() :
            new AgentThreads(List.of(WHAT), List.of(cpu.get()), own, (line) -> { });
    }

    void check(final DriverConfig driver, final boolean areClientsApart)
    {
        InvalidSettingException.throwIf(
            driver.isEmbedded() && Profile.auto != profile && Profile.compact != profile, "--profile", profile,
            "auto or compact with " + DriverConfig.KIND + "=embedded, which the client's one thread runs");
        if (!AUTO.equals(dutyCycleInterval))
        {
            InvalidSettingException.parsed(
                DUTY_CYCLE_INTERVAL, dutyCycleInterval, "auto, or a time from 0us to 500us, as in 50us",
                (text) -> Setting.checked(Quantity.parseDurationNs(text) <= MAX_INTERVAL_NS, text));
        }
        final SortedSet<Integer> online = Processors.of(HostFiles.ofThisMachine()).online();
        InvalidSettingException.throwIf(
            areClientsApart && !AUTO.equals(core) && !ANY.equals(core), CORE, core,
            "auto or any with several clients; --client-command may set the processor of each");
        InvalidSettingException.throwIf(
            !AUTO.equals(core) && !ANY.equals(core) && !(core.matches("[0-9]{1,5}") && online.contains(Integer.valueOf(core))),
            CORE, core,
            online.isEmpty() ? "auto or any, because this system does not list its processors" :
            "auto, any, or one of the processors " + CpuList.format(online));
    }

    public Map<String, String> effective(final DriverConfig driver)
    {
        return Map.of(
            "idle", idle.strategyName(), "driver-threads", threadingMode(driver).name().toLowerCase(Locale.ROOT),
            COMPILERS.substring(2), (Compilation.auto == compilers ? Compilation.both : compilers).name());
    }
}
