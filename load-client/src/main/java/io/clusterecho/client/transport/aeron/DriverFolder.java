package io.clusterecho.client.transport.aeron;

import java.io.File;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

import io.clusterecho.media.driver.DriverFile;
import io.clusterecho.media.driver.DriverPlan;

import org.agrona.IoUtil;

/**
 * Folder of this process's media driver: either a folder of its own whose name identifies the process, so that the leftovers of
 * a killed client can be distinguished from folders in use, or that of a driver that is already running.
 */
public final class DriverFolder
{
    private static final String PREFIX = "cluster-echo-client-";
    private static final AtomicInteger COUNT = new AtomicInteger();
    private static volatile String current;

    /** Absolute path of the folder of the driver that this process uses from now on: of one that runs already, or a new one. */
    public static String of(final DriverPlan plan)
    {
        final String folder = plan.isFound() ? plan.folder() : claimBeside();
        current = folder;
        return folder;
    }

    /**
     * Absolute path of a new folder, for a driver whose counters are not reported. First deletes folders of processes that no
     * longer exist.
     */
    public static String claimBeside()
    {
        DriverFile.deleteLeftovers(memoryFolder(), PREFIX);
        return folder(COUNT.incrementAndGet()).getPath();
    }

    /** Absolute path of the folder of the driver that this process used last, or empty if it used none. */
    public static Optional<Path> ofThisProcess()
    {
        return Optional.ofNullable(current).map(Path::of);
    }

    /** Delete the folders created by this process, before it ends without closing its drivers. */
    public static void deleteOwn()
    {
        for (int number = COUNT.get(); number > 0; number--)
        {
            IoUtil.delete(folder(number), true);
        }
    }

    private static File folder(final int number)
    {
        return new File(memoryFolder(), PREFIX + ProcessHandle.current().pid() + "-" + number).getAbsoluteFile();
    }

    /** Shared memory, or where there is none, the folder of temporary files. */
    public static File memoryFolder()
    {
        final File shm = new File("/dev/shm");
        return shm.isDirectory() && shm.canWrite() ? shm : new File(System.getProperty("java.io.tmpdir"));
    }
}
