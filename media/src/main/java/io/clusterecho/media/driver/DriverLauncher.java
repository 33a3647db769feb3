package io.clusterecho.media.driver;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

import io.aeron.driver.MediaDriver;

import io.clusterecho.process.ChildProcess;
import io.clusterecho.process.Launch;
import io.clusterecho.settings.InvalidSettingException;

import org.agrona.IoUtil;

/**
 * Launches the driver of a process, of any kind.
 *
 * @param idle  idle strategy of the threads of a C driver.
 * @param log   receives each line of output of a driver in a separate process; called on a separate thread.
 * @param onEnd receives the reason why a driver outside this process has ended, once, unless it was closed; called on a
 *              separate thread.
 */
public record DriverLauncher(DriverPlan plan, DriverIdle idle, Consumer<String> log, Consumer<String> onEnd)
{
    private static final long START_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(20);
    private static final long START_POLL_NS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long END_POLL_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long MAX_HEARTBEAT_AGE_MS = 10_000;

    /**
     * Launch the driver and wait until it is ready.
     *
     * @param ctx        configuration of the Java driver, also applied to another driver that is started here. Its folder must be
     *                   free for a driver that is started.
     * @param isStamping whether the project's own sockets for the C driver write into the reserved value of each data frame when
     *                   its datagram arrived, on the clock of {@link System#nanoTime()}. Others do not.
     * @throws InvalidSettingException if its Aeron version is not that of this process, if an external driver is not running, or
     *                                 if the driver does not start.
     */
    public Driver launch(final MediaDriver.Context ctx, final boolean isStamping)
    {
        if (plan.isJava())
        {
            final MediaDriver driver = MediaDriver.launch(ctx);
            return new Driver(driver.sharedAgentInvoker(), null, driver::close);
        }
        if (plan.isFound())
        {
            return found(Path.of(ctx.aeronDirectoryName()));
        }

        final Map<String, String> properties = new HashMap<>();
        System.getProperties().stringPropertyNames().forEach((key) -> properties.put(key, System.getProperty(key)));
        final Map<String, String> variables = DriverEnvironment.of(ctx, plan, idle, properties);
        if (isStamping)
        {
            variables.put(DriverEnvironment.STAMPS, "1");
        }
        return plan.isEmbedded() ? EmbeddedDriver.start(plan.library(), variables, ctx) :
            started(variables, Path.of(ctx.aeronDirectoryName()));
    }

    /** A driver in a separate process, which ends with this process, however this one ends. */
    Driver started(final Map<String, String> variables, final Path folder)
    {
        // Otherwise the file of a dead driver could be mistaken for the new one's.
        IoUtil.delete(folder.toFile(), true);
        final String command = String.join(" ", plan.command());
        final String name = "the media driver " + command;
        final ChildProcess process = new Launch(name, plan.command()).environment(variables).output(log).tied().start();
        final AtomicBoolean isClosed = new AtomicBoolean();
        final Driver driver = new Driver(null, null, () ->
        {
            isClosed.set(true);
            process.close();
            IoUtil.delete(folder.toFile(), true);
        });
        try
        {
            final DriverFile file = awaitReady(process, folder, name);
            DriverFile.checkVersion(command, file.versionOfAeron());
            DriverFile.claim(folder);
        }
        catch (final RuntimeException ex)
        {
            driver.close();
            throw ex;
        }
        process.onEnd((end) -> reportEnd(end, isClosed));
        return driver;
    }

    private static DriverFile awaitReady(final ChildProcess process, final Path folder, final String name)
    {
        final long deadlineNs = System.nanoTime() + START_TIMEOUT_NS;
        Optional<DriverFile> file = DriverFile.read(folder);
        while (file.isEmpty())
        {
            if (!process.isAlive())
            {
                throw new InvalidSettingException(process.describeEnd());
            }
            if (System.nanoTime() - deadlineNs > 0 || Thread.currentThread().isInterrupted())
            {
                throw new InvalidSettingException(
                    name + " made no CnC file in " + folder + " within " + TimeUnit.NANOSECONDS.toSeconds(START_TIMEOUT_NS) +
                    " s" + process.lastWords());
            }
            LockSupport.parkNanos(START_POLL_NS);
            file = DriverFile.read(folder);
        }
        return file.get();
    }

    /**
     * A driver that is started and stopped by somebody else. Its end is noticed if its process is visible here; otherwise, as
     * from another container, Aeron's own timeouts notice it.
     */
    private Driver found(final Path folder)
    {
        final DriverFile file = DriverFile.read(folder).orElseThrow(
            () -> new InvalidSettingException(
                plan.folderKey(), folder, "the folder of a running media driver; no driver has started there"));
        DriverFile.checkVersion("in " + folder, file.versionOfAeron());
        final long ageMs = System.currentTimeMillis() - file.heartbeatTimeMs();
        InvalidSettingException.throwIf(
            ageMs > MAX_HEARTBEAT_AGE_MS, plan.folderKey(), folder,
            "the folder of a running media driver; the last heartbeat there was " +
            TimeUnit.MILLISECONDS.toSeconds(ageMs) + " s ago");

        DriverFile.claim(folder);
        final AtomicBoolean isClosed = new AtomicBoolean();
        ProcessHandle.of(file.pid()).filter((process) -> !ProcessHandle.current().equals(process)).ifPresent((process) ->
        {
            final Thread watch = new Thread(() ->
            {
                // ProcessHandle.onExit looks only every five seconds at a process that is not a child of this one.
                while (!isClosed.get() && process.isAlive())
                {
                    LockSupport.parkNanos(END_POLL_NS);
                }
                reportEnd("the media driver in " + folder + ", pid " + file.pid() + ", ended", isClosed);
            }, "driver-watch");
            watch.setDaemon(true);
            watch.start();
        });
        return new Driver(null, null, () ->
        {
            isClosed.set(true);
            DriverFile.release(folder);
        });
    }

    private void reportEnd(final String end, final AtomicBoolean isClosed)
    {
        if (!isClosed.get())
        {
            onEnd.accept(end);
        }
    }
}
