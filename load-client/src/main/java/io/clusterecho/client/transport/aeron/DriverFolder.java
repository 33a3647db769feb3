package io.clusterecho.client.transport.aeron;

import java.io.File;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

import org.agrona.IoUtil;

/**
 * Where the media driver of this process keeps its buffers: a folder of its own that names the process, so that what a
 * killed client left behind can be told from what a living one uses; or that of a driver that runs already.
 */
public final class DriverFolder
{
    private static final String PREFIX = "cluster-echo-client-";
    private static final AtomicInteger COUNT = new AtomicInteger();
    private static volatile String current;

    private DriverFolder()
    {
    }

    /**
     * Name of a new folder for this process, after folders of processes that are gone were removed.
     *
     * @return absolute path; nothing is made there yet.
     */
    static String claim()
    {
        final File parent = memoryFolder();
        final File[] folders = parent.listFiles((file, name) -> name.startsWith(PREFIX));
        for (final File folder : null == folders ? new File[0] : folders)
        {
            if (isLeftOver(folder.getName()))
            {
                IoUtil.delete(folder, true);
            }
        }

        return used(folder(COUNT.incrementAndGet()).getPath());
    }

    /**
     * Note the folder of a driver that runs already as the one that this process works with.
     *
     * @param folder of the driver.
     */
    static String used(final String folder)
    {
        current = folder;
        return folder;
    }

    /**
     * The folder of the driver that this process worked with last.
     *
     * @return absolute path, or empty if it worked with none.
     */
    public static Optional<Path> ofThisProcess()
    {
        return Optional.ofNullable(current).map(Path::of);
    }

    /**
     * Delete the folders that this process made, for a process that is about to end without closing its drivers.
     */
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

    private static boolean isLeftOver(final String name)
    {
        final String pid = name.substring(PREFIX.length()).replaceFirst("-.*", "");
        return pid.matches("[0-9]{1,18}") && ProcessHandle.of(Long.parseLong(pid)).isEmpty();
    }

    private static File memoryFolder()
    {
        final File shm = new File("/dev/shm");
        return shm.isDirectory() && shm.canWrite() ? shm : new File(System.getProperty("java.io.tmpdir"));
    }
}
