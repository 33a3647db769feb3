package io.clusterecho.client.sweep;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.function.Consumer;

import io.clusterecho.client.series.TestCluster;
import io.clusterecho.control.remote.Inventory;
import io.clusterecho.node.member.FolderLock;
import io.clusterecho.settings.InvalidSettingException;

/**
 * The folder in which a sweep starts its clusters, locked against other sweeps. The operating system releases the lock when
 * this process ends.
 */
public record SweepFolder(Path path, FolderLock lock) implements AutoCloseable
{
    private static final String LOCK_FILE = "matrix.lock";

    /**
     * Create the folder if needed and lock it.
     *
     * @throws IOException             if it cannot be written.
     * @throws InvalidSettingException if another sweep has locked it.
     */
    public static SweepFolder lock(final Path path) throws IOException
    {
        Files.createDirectories(path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        return new SweepFolder(path, FolderLock.of(path.resolve(LOCK_FILE)).orElseThrow(
            () -> new InvalidSettingException("--base-dir", path.getParent(), "a folder that no other sweep uses")));
    }

    /** Stop the cluster that a killed sweep left running, here unless there is an inventory of hosts, and delete its data. */
    public void stopLeftOver(final Inventory inventory, final Consumer<String> progress)
    {
        TestCluster.left(path, inventory, (line) -> { }).ifPresent((left) ->
        {
            if (left.cluster().isAnyAlive())
            {
                progress.accept("stopping a cluster left by a killed sweep in " + path);
            }
            left.stop();
            left.deleteData();
        });
    }

    @Override
    public void close()
    {
        lock.close();
    }
}
