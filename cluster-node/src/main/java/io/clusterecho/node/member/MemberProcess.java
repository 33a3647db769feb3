package io.clusterecho.node.member;

import java.io.Closeable;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import io.aeron.CommonContext;
import io.aeron.cluster.service.ClusteredService;
import io.aeron.driver.MediaDriverVersion;
import io.aeron.exceptions.ConfigurationException;

import org.agrona.IoUtil;
import org.agrona.concurrent.SystemNanoClock;

import io.clusterecho.host.HostFiles;
import io.clusterecho.media.driver.DriverLauncher;
import io.clusterecho.node.config.NodeConfig;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.node.config.UserClasses;
import io.clusterecho.node.service.EchoService;
import io.clusterecho.node.service.StateTable;
import io.clusterecho.platform.BuildFacts;
import io.clusterecho.settings.Cause;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Settings;
import io.clusterecho.threads.Compilers;
import io.clusterecho.threads.Uninterrupted;

/**
 * One member, or the backup, from the first check to the exit status of its process. Runs once per process, on the main
 * thread, because its hooks are hooks of the process.
 */
public final class MemberProcess
{
    private static final long CLOSE_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(20);
    // A failed component may wait for ever, for instance for threads of a client that timed out.
    private static final long FAILED_CLOSE_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(3);

    /** Version of the Aeron that was loaded: a constant of Aeron would be that of the build. */
    private static final String AERON = new MediaDriverVersion().toString();

    private final NodeConfig config;
    private final Function<NodeConfig, List<ClusteredService>> services;
    private final PrintStream out;
    private final PrintStream err;
    private final MemberFaults faults;
    private final CountDownLatch closed = new CountDownLatch(1);

    /**
     * A member, or the backup, that is not started, with services that are made from its configuration, once, and only for a
     * member; Aeron's keys in the settings become system properties unless those are set.
     */
    public MemberProcess(
        final NodeConfig config,
        final Settings settings,
        final Function<NodeConfig, List<ClusteredService>> services,
        final PrintStream out,
        final PrintStream err)
    {
        this.config = config;
        this.services = services;
        this.out = out;
        this.err = err;
        faults = new MemberFaults(
            err, Clock.systemUTC(), SystemNanoClock.INSTANCE, config.value(NodeSettings.HEARTBEAT_TIMEOUT));
        AeronKey.passOn(settings.foreignProperties());
        // It prints each error that a full error log rejects, without a bound. MemberFaults reports these too.
        AeronKey.unlessSet(
            CommonContext.FALLBACK_LOGGER_PROP_NAME,
            () -> System.setProperty(CommonContext.FALLBACK_LOGGER_PROP_NAME, "no_op"));
        Profile.of(config.profile()).checkThreadingModes(config.driver().isInProcess());
        final String aeron = config.value(NodeSettings.AERON_VERSION);
        InvalidSettingException.throwIf(
            !aeron.isEmpty() && !aeron.equals(AERON), NodeSettings.AERON_VERSION.key(), aeron,
            AERON + ", which this process has; with another one the command start starts members");
    }

    /** The services of a member's configuration, in the order of their ids, not started. */
    public static List<ClusteredService> services(final NodeConfig config)
    {
        final UserClasses classes = new UserClasses(NodeSettings.CLASS_PATH.key(), config.value(NodeSettings.CLASS_PATH));
        final List<ClusteredService> own = new ArrayList<>();
        config.value(NodeSettings.SERVICE_CLASS)
            .forEach((name) -> own.add(classes.make(NodeSettings.SERVICE_CLASS.key(), name, ClusteredService.class)));
        return own.isEmpty() ? List.of(echoService(config)) : own;
    }

    /** The echo or plain service of a member's configuration, not started. */
    public static EchoService echoService(final NodeConfig config)
    {
        return new EchoService(
            config.isPlainService(), config.value(NodeSettings.MAX_CLIENTS), config.value(NodeSettings.EGRESS_BACKLOG),
            Math.toIntExact(config.value(NodeSettings.MAX_MESSAGE_LENGTH)), config.value(NodeSettings.SERVICE_TIME),
            new StateTable(config.value(NodeSettings.STATE_LENGTH)));
    }

    /** Run the member until it ends; if service, folder, ports or free space are rejected, nothing was launched. */
    public ExitStatus run()
    {
        Thread.setDefaultUncaughtExceptionHandler(this::onUncaught);
        final List<ClusteredService> made = new ArrayList<>();
        try (MemberFolder folder = MemberFolder.open(
            config, () -> made.addAll(config.isBackup() ? List.of() : services.apply(config))))
        {
            Preflight.check(config);
            Runtime.getRuntime().addShutdownHook(new Thread(this::onShutdown, "shutdown"));
            announce();
            final Optional<String> damage = folder.damage();
            if (damage.isPresent())
            {
                faults.decide(ExitStatus.DATA_CORRUPT, damage.get());
                sayEnd();
            }
            else
            {
                runMember(folder, made);
            }
        }
        catch (final IOException | UncheckedIOException ex)
        {
            faults.decide(ExitStatus.STORAGE, ex.getMessage());
            sayEnd();
        }
        finally
        {
            closed.countDown();
        }

        return faults.decision().status();
    }

    private void runMember(final MemberFolder folder, final List<ClusteredService> made) throws IOException
    {
        folder.deleteMarks();
        final DriverLauncher driver = new DriverLauncher(
            config.driver(), Profile.of(config.profile()).driverIdle(), (line) -> say("driver: " + line),
            // Without its driver, a separate process, the member is cut off.
            (reason) -> faults.decide(ExitStatus.OTHER, reason));
        try
        {
            final MemberContexts contexts = new MemberContexts(
                config, folder, faults, new MemberThreads(config, HostFiles.ofThisMachine(), this::log), driver);
            // Closed in the reverse order.
            try (Closeable last = this::deleteAeronDir;
                Components components = Profile.COMPACT == Profile.of(config.profile()) ?
                    new CompactComponents(contexts) : new Components(contexts))
            {
                launch(components, made);
                try (MemberWatch ignore = new MemberWatch(contexts, out).start();
                    Closeable first = this::haltIfNotClosedInTime)
                {
                    say("is ready");
                    faults.awaitEnd();
                }
            }
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            faults.decide(ExitStatus.OTHER, "interrupted");
        }
        catch (final ConfigurationException | InvalidSettingException ex)
        {
            faults.decide(ExitStatus.CONFIGURATION, ex.getMessage());
        }
        catch (final Exception ex)
        {
            faults.onLaunchError(ex);
        }

        sayEnd();
    }

    private void launch(final Components components, final List<ClusteredService> made) throws IOException
    {
        final long seedLength = config.isBackup() ? -1 : new Seeding(components.contexts).run();
        if (seedLength >= 0)
        {
            log("copied the log up to position " + seedLength + ", and the newest snapshot if there is one");
        }
        if (config.isFirstCompilerAlone())
        {
            log(Compilers.useFirstAlone());
        }
        components.launch(made);
    }

    private void sayEnd()
    {
        final ExitStatus status = faults.decision().status();
        if (ExitStatus.OK != status)
        {
            err.println(config.processName() + " failed (" + status.reason() + "): " + faults.decision().reason());
        }
        sayExit(status);
    }

    /** Commands read the exit status from this line. */
    private void sayExit(final ExitStatus status)
    {
        say("stopped, exit " + status.code() + " (" + status.reason() + ")");
        out.flush();
    }

    private void announce()
    {
        say("starting, pid " + ProcessHandle.current().pid() + ", profile " + config.profile() + ", fsync " +
            config.value(NodeSettings.FSYNC) + ", mtu " + config.mtuLength() + ", driver " + config.driver().text());
        final Map<String, String> versions = BuildFacts.versions();
        // Commands read the version from this line.
        say("version " + versions.get("cluster-echo") + ", commit " + versions.get("commit") + ", Aeron " + AERON);
        say("endpoints: " + String.join(", ", config.endpoints().named()));
        say("folders: " + config.memberDir() + ", " + config.aeronDir());
        if (config.credentials().isEmpty() && config.value(NodeSettings.INSECURE))
        {
            say("is insecure: anyone who reaches its ports can read and destroy the log");
        }
    }

    private void onShutdown()
    {
        faults.decide(ExitStatus.OK, "received a stop signal");
        // The JVM halts when the last hook returns, so this one must return last.
        Uninterrupted.await(System.nanoTime() + CLOSE_TIMEOUT_NS, (leftNs) -> closed.await(leftNs, TimeUnit.NANOSECONDS));
        out.flush();
        // Otherwise the exit status of a process stopped by a signal is that of the signal.
        Runtime.getRuntime().halt(faults.decision().status().code());
    }

    private void onUncaught(final Thread thread, final Throwable error)
    {
        final ExitStatus status = error instanceof OutOfMemoryError ? ExitStatus.OUT_OF_MEMORY :
            Cause.isMemoryFault(error) ? ExitStatus.STORAGE : ExitStatus.OTHER;
        try
        {
            err.println(
                config.processName() + " failed (" + status.reason() + "), thread " + thread.getName() + ": " +
                Cause.ofError(error));
            error.printStackTrace(err);
            err.flush();
            sayExit(status);
        }
        finally
        {
            // A member that lost a thread is worse than a dead one: the others would wait for it.
            Runtime.getRuntime().halt(status.code());
        }
    }

    private void haltIfNotClosedInTime()
    {
        final ExitStatus status = faults.decision().status();
        final long timeoutNs = ExitStatus.OK == status ? CLOSE_TIMEOUT_NS : FAILED_CLOSE_TIMEOUT_NS;
        CompletableFuture.delayedExecutor(timeoutNs, TimeUnit.NANOSECONDS).execute(() ->
        {
            if (0 != closed.getCount())
            {
                err.println(config.processName() + " is halted, closing took too long");
                sayEnd();
                deleteAeronDir();
                Runtime.getRuntime().halt(status.code());
            }
        });
    }

    /** A driver that failed to start or to close leaves its folder. */
    private void deleteAeronDir()
    {
        if (!config.driver().isFound())
        {
            IoUtil.delete(config.aeronDir().toFile(), true);
        }
    }

    private void log(final String what)
    {
        out.println(config.processName() + ": " + what);
    }

    private void say(final String what)
    {
        out.println(config.processName() + " " + what);
    }
}
