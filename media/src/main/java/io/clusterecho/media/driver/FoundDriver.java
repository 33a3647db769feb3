package io.clusterecho.media.driver;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

import io.clusterecho.settings.InvalidSettingException;

/**
 * A driver that is started and stopped by somebody else. Its end is noticed if its process is visible here; otherwise, as from
 * another container, Aeron's own timeouts notice it.
 */
final class FoundDriver implements Driver
{
    private static final long MAX_HEARTBEAT_AGE_MS = 10_000;
    private static final long POLL_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Path folder;
    private final Thread watch;
    private volatile boolean isClosed;

    private FoundDriver(final Path folder, final ProcessHandle process, final Consumer<String> onEnd)
    {
        this.folder = folder;
        watch = new Thread(() -> watch(process, onEnd), "driver-watch");
        watch.setDaemon(true);
        if (null != process)
        {
            watch.start();
        }
    }

    static FoundDriver in(final String folderName, final String folderKey, final Consumer<String> onEnd)
    {
        final Path folder = Path.of(folderName);
        final DriverFile file = DriverFile.read(folder).orElseThrow(
            () -> new InvalidSettingException(
                folderKey, folder, "the folder of a running media driver; no driver has started there"));
        file.checkVersion("in " + folder);
        final long ageMs = System.currentTimeMillis() - file.heartbeatTimeMs();
        if (ageMs > MAX_HEARTBEAT_AGE_MS)
        {
            throw new InvalidSettingException(
                folderKey, folder, "the folder of a running media driver; the last heartbeat there was " +
                TimeUnit.MILLISECONDS.toSeconds(ageMs) + " s ago");
        }

        DriverFile.claim(folder);
        return new FoundDriver(
            folder, ProcessHandle.of(file.pid()).filter(ProcessHandle::isAlive).orElse(null), onEnd);
    }

    private void watch(final ProcessHandle process, final Consumer<String> onEnd)
    {
        while (!isClosed && process.isAlive())
        {
            LockSupport.parkNanos(POLL_NS);
        }
        if (!isClosed)
        {
            onEnd.accept("the media driver in " + folder + ", pid " + process.pid() + ", ended");
        }
    }

    @Override
    public void close()
    {
        isClosed = true;
        LockSupport.unpark(watch);
        DriverFile.release(folder);
    }
}
