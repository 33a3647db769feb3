package io.clusterecho.node.member;

import java.io.PrintStream;
import java.time.Clock;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import io.aeron.cluster.service.ClusteredService;
import io.aeron.exceptions.ConfigurationException;

import org.agrona.IoUtil;

import io.clusterecho.media.link.LinkFile;
import io.clusterecho.node.config.MemberEndpoints;
import io.clusterecho.node.config.NodeConfig;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.node.service.EchoService;
import io.clusterecho.node.service.PlainEchoService;
import io.clusterecho.platform.PathMtu;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Settings;

/**
 * One member from the first check to the exit status of its process. A process runs one, on its main thread, since the
 * hooks that it sets are those of the process.
 */
public final class MemberProcess
{
    private static final long POLL_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long EXPLANATION_NS = TimeUnit.SECONDS.toNanos(1);
    // Longer than the time that a leader waits for the others before it ends an orderly shutdown, 10 s.
    private static final long SETTLEMENT_NS = TimeUnit.SECONDS.toNanos(13);
    private static final long CLOSE_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(20);
    // What failed may wait for what it will never get, such as threads of a client that gave itself up.
    private static final long FAILED_CLOSE_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(3);
    private static final double NS_PER_S = 1e9;

    private final NodeConfig config;
    private final Function<NodeConfig, ClusteredService> service;
    private final PrintStream out;
    private final PrintStream err;
    private final MemberEnd end = new MemberEnd();
    private final CountDownLatch closed = new CountDownLatch(1);

    /**
     * A member that has not begun.
     *
     * @param settings that it was given; keys of Aeron in them become system properties where those are not set.
     * @param out      for what happens, a line each.
     * @param err      for errors.
     * @throws InvalidSettingException for settings that cannot be used.
     */
    public MemberProcess(final Settings settings, final PrintStream out, final PrintStream err)
    {
        this(settings, MemberProcess::configuredService, out, err);
    }

    /**
     * A member that has not begun, with a service of the caller's choice.
     *
     * @param settings that it was given; keys of Aeron in them become system properties where those are not set.
     * @param service  makes the service that the member is to run, once, from the member's configuration.
     * @param out      for what happens, a line each.
     * @param err      for errors.
     * @throws InvalidSettingException for settings that cannot be used.
     */
    public MemberProcess(
        final Settings settings,
        final Function<NodeConfig, ClusteredService> service,
        final PrintStream out,
        final PrintStream err)
    {
        config = new NodeConfig(settings);
        this.service = service;
        this.out = out;
        this.err = err;
        AeronKey.handOn(settings.foreignProperties());
        Profile.of(config.profile()).checkThreadingModes(config.driver().isEmbedded());
    }

    /**
     * The echo service as a member's configuration wants it.
     *
     * @param config of the member.
     * @return a service that has not started.
     */
    public static EchoService echoService(final NodeConfig config)
    {
        return new EchoService(
            config.value(NodeSettings.MAX_CLIENTS), config.value(NodeSettings.EGRESS_BACKLOG), config.maxMessageLength());
    }

    /**
     * The service that a member's configuration names.
     *
     * @param config of the member.
     * @return a service that has not started.
     */
    public static ClusteredService configuredService(final NodeConfig config)
    {
        return config.isPlainEcho() ?
            new PlainEchoService(config.value(NodeSettings.EGRESS_BACKLOG), config.maxMessageLength()) : echoService(config);
    }

    /**
     * The configuration of the member.
     */
    public NodeConfig config()
    {
        return config;
    }

    /**
     * Run the member until it ends.
     *
     * @return the status for the process to exit with.
     * @throws InvalidSettingException if folder, ports or room are not what the member needs; nothing was launched.
     */
    public ExitStatus run()
    {
        Thread.setDefaultUncaughtExceptionHandler(this::onUncaught);
        try (MemberFolder folder = MemberFolder.open(config))
        {
            Preflight.check(config);
            Runtime.getRuntime().addShutdownHook(new Thread(this::onShutdown, "shutdown"));
            announce();
            runMember(folder);
        }
        finally
        {
            closed.countDown();
        }

        return status();
    }

    private void runMember(final MemberFolder folder)
    {
        final MemberFaults faults = new MemberFaults(end, new ErrorReport(err, Clock.systemUTC()), folder);
        try
        {
            final Member member = new Member(config, service.apply(config), folder, faults, out);
            try
            {
                say("is ready");
                awaitEnd(faults);
            }
            finally
            {
                haltIfNotClosedInTime();
                member.close();
            }
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            end.decide(ExitStatus.OTHER, "interrupted");
        }
        catch (final ConfigurationException | InvalidSettingException ex)
        {
            end.decide(ExitStatus.CONFIGURATION, ex.getMessage());
        }
        catch (final Exception ex)
        {
            faults.onLaunchError(ex);
        }

        final ExitStatus status = status();
        if (ExitStatus.ASKED != status)
        {
            err.println("member " + config.memberId() + " failed (" + status.reason() + "): " + reason());
        }
        say("stopped, exit " + status.code() + " (" + status.reason() + ")");
    }

    private void awaitEnd(final MemberFaults faults) throws InterruptedException
    {
        long serviceTerminatedNs = -1;
        while (!end.await(POLL_NS))
        {
            if (faults.isTerminated())
            {
                if (!end.await(EXPLANATION_NS))
                {
                    faults.decideUnexplained();
                }
            }
            else if (faults.isServiceTerminated())
            {
                final long nowNs = System.nanoTime();
                serviceTerminatedNs = -1 == serviceTerminatedNs ? nowNs : serviceTerminatedNs;
                if (nowNs - serviceTerminatedNs > SETTLEMENT_NS)
                {
                    faults.decideUnexplained();
                }
            }
        }
    }

    private void announce()
    {
        final RoomNeeded need = new RoomNeeded(config);
        say("starting, pid " + ProcessHandle.current().pid() + ", profile " + config.profile() + ", fsync " +
            config.value(NodeSettings.FSYNC) + ", mtu " + config.mtuLength() + ", driver " + config.driver().text());
        say("endpoints: " + String.join(", ", config.endpoints().named()));
        say("folders: " + config.memberDir() + ", " + config.aeronDir());
        say("needs up to " + RoomNeeded.text(need.sharedMemoryLength()) + " of shared memory with " + RoomNeeded.SESSION_COUNT +
            " sessions, " + RoomNeeded.text(need.sessionLength()) + " for each more");
        final boolean isAlone = 1 == config.members().size();
        say(isAlone ? "is the only one: no failover" : String.format(
            Locale.ROOT, "outage after the leader is killed: %.2f s at most", config.outageBoundNs() / NS_PER_S));
        // Hosts that do not answer take seconds, which nobody should wait for.
        final Thread paths = new Thread(this::measurePaths, "path-mtu");
        paths.setDaemon(true);
        paths.start();
        config.placement().ifPresent((placement) -> say("placement: " + placement.words()));
        if (config.value(NodeSettings.FAULT_FILTER))
        {
            say("can be cut off from the network: " + config.memberDir().resolve(LinkFile.NAME));
        }
        if (config.credentials().isEmpty() && config.value(NodeSettings.INSECURE))
        {
            say("is insecure: whoever reaches its ports can read and destroy the log");
        }
    }

    private void measurePaths()
    {
        final Set<String> hosts = new HashSet<>();
        for (final MemberEndpoints member : config.members())
        {
            final String host = member.host();
            if (hosts.add(host))
            {
                PathMtu.to(host, member.probePort(), config.mtuLength()).ifPresent((path) ->
                {
                    path.warning(NodeSettings.MTU.key(), config.mtuLength(), host)
                        .ifPresent((warning) -> say("warning: " + warning));
                    path.gap(host).ifPresent(this::say);
                });
            }
        }
    }

    private void onShutdown()
    {
        end.decide(ExitStatus.ASKED, "asked to stop");
        try
        {
            // The JVM halts when the last hook returns, so this one returns last.
            closed.await(CLOSE_TIMEOUT_NS, TimeUnit.NANOSECONDS);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
        out.flush();
        // Else a process that ends by a signal reports the signal.
        Runtime.getRuntime().halt(status().code());
    }

    private void onUncaught(final Thread thread, final Throwable error)
    {
        final ExitStatus status;
        if (error instanceof OutOfMemoryError)
        {
            status = ExitStatus.OUT_OF_MEMORY;
        }
        else
        {
            status = MemberFaults.isMemoryFault(error) ? ExitStatus.STORAGE : ExitStatus.OTHER;
        }

        try
        {
            err.println("member " + config.memberId() + " failed (" + status.reason() + "), thread " + thread.getName());
            error.printStackTrace(err);
            err.flush();
        }
        finally
        {
            // A member that lost a thread is worse than a dead one: the others would wait for it.
            Runtime.getRuntime().halt(status.code());
        }
    }

    private void haltIfNotClosedInTime()
    {
        final Thread thread = new Thread(
            () ->
            {
                try
                {
                    final ExitStatus status = status();
                    final long timeoutNs = ExitStatus.ASKED == status ? CLOSE_TIMEOUT_NS : FAILED_CLOSE_TIMEOUT_NS;
                    if (!closed.await(timeoutNs, TimeUnit.NANOSECONDS))
                    {
                        err.println(
                            "member " + config.memberId() + " failed (" + status.reason() + "), halted while it closed: " +
                            reason());
                        if (!config.driver().isFound())
                        {
                            IoUtil.delete(config.aeronDir().toFile(), true);
                        }
                        Runtime.getRuntime().halt(status.code());
                    }
                }
                catch (final InterruptedException ex)
                {
                    Thread.currentThread().interrupt();
                }
            },
            "close-deadline");
        thread.setDaemon(true);
        thread.start();
    }

    private ExitStatus status()
    {
        return end.isDecided() ? end.decision().status() : ExitStatus.OTHER;
    }

    private String reason()
    {
        return end.isDecided() ? end.decision().reason() : "unknown";
    }

    private void say(final String what)
    {
        out.println("member " + config.memberId() + " " + what);
    }
}
