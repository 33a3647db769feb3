package io.clusterecho.node.member;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

import io.aeron.driver.Configuration;
import io.aeron.driver.ThreadingMode;

import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.BusySpinIdleStrategy;
import org.agrona.concurrent.IdleStrategy;

import io.clusterecho.media.driver.DriverIdle;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.settings.InvalidSettingException;

/** The threads of a member and their idle strategies. */
public enum Profile
{
    /**
     * One thread for all four components, which waits for the next datagram when no component has work. For machines with more
     * members and clients than cores: a message never waits for a second thread of its member to be scheduled, and idle members
     * leave the cores to others. With a driver in a separate process the thread has no sockets to wait at: it yields for a while,
     * and then sleeps briefly, as the driver does.
     */
    COMPACT(
        List.of(), List.of("the member's thread"), ThreadingMode.INVOKER,
        // About a millisecond of turns without work, then naps, to which Linux adds its timer slack of 50 us.
        new Backoff(1, 200, 1_000, 1_000)),

    /**
     * One thread each for driver, archive, consensus module and service, which yield and then park for a short time. For machines
     * with a few cores per member, but fewer than threads.
     */
    SHARED(
        List.of("driver"), List.of(Profile.ARCHIVE, Profile.CONSENSUS_MODULE, Profile.SERVICE),
        ThreadingMode.SHARED,
        // Linux adds its timer slack of 50 us to each park; longer ones would show in every message at low rates.
        new Backoff(1, 50, 1_000, 50_000)),

    /** One spinning thread for each agent of driver and archive. For machines with a core for each. */
    DEDICATED(
        List.of("conductor", "sender", "receiver"),
        List.of(Profile.ARCHIVE, "recorder", "replayer", Profile.CONSENSUS_MODULE, Profile.SERVICE),
        ThreadingMode.DEDICATED, null),

    /**
     * Aeron's defaults: one thread for each agent of driver and archive, which backs off. For a comparison with tuned members.
     */
    STOCK(
        DEDICATED.driverAgents, DEDICATED.otherAgents, ThreadingMode.DEDICATED,
        new Backoff(
            Configuration.IDLE_MAX_SPINS, Configuration.IDLE_MAX_YIELDS, Configuration.IDLE_MIN_PARK_NS,
            Configuration.IDLE_MAX_PARK_NS));

    /** Spin, then yield, then park for increasing times. */
    private record Backoff(long spins, long yields, long minParkNs, long maxParkNs)
    {
    }

    static final String ARCHIVE = "archive";
    static final String CONSENSUS_MODULE = "consensus module";
    static final String SERVICE = "service";

    private final List<String> driverAgents;
    private final List<String> otherAgents;
    /** Of the driver; the archive has the mode of the same name. */
    final ThreadingMode threading;
    /** Null for threads that spin. */
    private final Backoff backoff;

    Profile(
        final List<String> driverAgents,
        final List<String> otherAgents,
        final ThreadingMode threading,
        final Backoff backoff)
    {
        this.driverAgents = driverAgents;
        this.otherAgents = otherAgents;
        this.threading = threading;
        this.backoff = backoff;
    }

    /** @param name in lower case, not {@code auto}. */
    public static Profile of(final String name)
    {
        return valueOf(name.toUpperCase(Locale.ROOT));
    }

    /** Number of threads of one member that carry messages, including those of its media driver. */
    public int threadCount()
    {
        return agents(true).size();
    }

    /** Threads of one member's process that carry messages, by name, the driver's first if they are in this process. */
    List<String> agents(final boolean isDriverInProcess)
    {
        return Stream.concat(isDriverInProcess ? driverAgents.stream() : Stream.empty(), otherAgents.stream()).toList();
    }

    /** Whether these threads spin, and so occupy a core even without work. */
    public boolean isSpinning()
    {
        return null == backoff;
    }

    IdleStrategy idleStrategy()
    {
        return null == backoff ? BusySpinIdleStrategy.INSTANCE :
            new BackoffIdleStrategy(backoff.spins, backoff.yields, backoff.minParkNs, backoff.maxParkNs);
    }

    DriverIdle driverIdle()
    {
        return null == backoff ? DriverIdle.SPIN :
            DriverIdle.backoff(backoff.spins, backoff.yields, backoff.minParkNs, backoff.maxParkNs);
    }

    /**
     * Reject Aeron's threading modes that leave a component without a thread, or give it an extra one; those of a driver in
     * another process do not matter.
     */
    void checkThreadingModes(final boolean isDriverInProcess)
    {
        final String archiveKey = "aeron.archive.threading.mode";
        for (final String key : isDriverInProcess ? List.of("aeron.threading.mode", archiveKey) : List.of(archiveKey))
        {
            final String mode = System.getProperty(key);
            InvalidSettingException.throwIf(
                null != mode && "INVOKER".equals(mode) != (this == COMPACT), key, mode, "INVOKER with " +
                NodeSettings.PROFILE.key() + "=compact, and only then; the profile is " + name().toLowerCase(Locale.ROOT));
        }
    }
}
