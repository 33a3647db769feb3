package io.clusterecho.media.driver;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

import io.clusterecho.process.ChildProcess;
import io.clusterecho.process.Launch;
import io.clusterecho.settings.InvalidSettingException;

import org.agrona.IoUtil;

/** A driver in a separate process, which ends with this process, however this one ends. */
final class DriverProcess implements Driver
{
    private static final long START_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(20);
    private static final long POLL_NS = TimeUnit.MILLISECONDS.toNanos(5);

    private final ChildProcess process;
    private final List<String> command;
    private final Path folder;
    private volatile boolean isClosed;

    private DriverProcess(final ChildProcess process, final List<String> command, final Path folder)
    {
        this.process = process;
        this.command = command;
        this.folder = folder;
    }

    /** Start a driver and wait until it is ready. One that is left by a dead driver in its folder is deleted. */
    static DriverProcess start(
        final DriverPlan plan,
        final Map<String, String> variables,
        final String folderName,
        final Consumer<String> log,
        final Consumer<String> onEnd)
    {
        final Path folder = Path.of(folderName);
        // Otherwise the file of a dead driver could be mistaken for the new one's.
        IoUtil.delete(folder.toFile(), true);
        final String name = "the media driver " + String.join(" ", plan.command());
        final ChildProcess process = new Launch(name, plan.command()).environment(variables).output(log).tied().start();
        final DriverProcess driver = new DriverProcess(process, plan.command(), folder);
        try
        {
            driver.awaitReady(name);
        }
        catch (final RuntimeException ex)
        {
            driver.close();
            throw ex;
        }
        driver.process.onEnd((end) -> driver.reportEnd(end, onEnd));
        return driver;
    }

    private void awaitReady(final String name)
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
            LockSupport.parkNanos(POLL_NS);
            file = DriverFile.read(folder);
        }

        file.get().checkVersion(String.join(" ", command));
        DriverFile.claim(folder);
    }

    private void reportEnd(final String end, final Consumer<String> onEnd)
    {
        if (!isClosed)
        {
            onEnd.accept(end);
        }
    }

    @Override
    public void close()
    {
        isClosed = true;
        process.close();
        IoUtil.delete(folder.toFile(), true);
    }
}
