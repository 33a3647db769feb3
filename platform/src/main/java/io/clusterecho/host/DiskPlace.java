package io.clusterecho.host;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;

import io.clusterecho.settings.InvalidSettingException;

/**
 * A folder and the file system that it lies on.
 *
 * @param folder absolute.
 * @param store  name of the file system's device.
 * @param type   of the file system.
 */
public record DiskPlace(String folder, String store, String type)
{
    /**
     * Where a folder lies, or would lie: of one that is not there yet, the nearest one above it that is.
     *
     * @param option name of the option that names the folder.
     * @param folder there or not.
     * @throws InvalidSettingException if that cannot be told.
     */
    public static DiskPlace of(final String option, final Path folder)
    {
        Path existing = folder.toAbsolutePath().normalize();
        while (!Files.isDirectory(existing) && null != existing.getParent())
        {
            existing = existing.getParent();
        }
        try
        {
            final FileStore found = Files.getFileStore(existing);
            return new DiskPlace(existing.toString(), found.name(), found.type());
        }
        catch (final IOException ex)
        {
            throw new InvalidSettingException(option, folder, "a folder of a file system that can be told (" + ex + ")");
        }
    }

    /**
     * Whether both lie on one file system.
     *
     * @param other to hold against this.
     * @return true if so.
     */
    public boolean isSameDisk(final DiskPlace other)
    {
        return store.equals(other.store) && type.equals(other.type);
    }
}
