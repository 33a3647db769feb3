package io.clusterecho.host;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;

import io.clusterecho.settings.Cause;
import io.clusterecho.settings.InvalidSettingException;

/** A folder, absolute, and its file system, by the name of its device. */
public record DiskPlace(String folder, String store, String type)
{
    /** Find the file system of a folder, or of its nearest existing parent; an error names the option with the folder. */
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
            throw new InvalidSettingException(option, folder, "a folder of a known file system (" + Cause.of(ex) + ")");
        }
    }

    public boolean isSameDisk(final DiskPlace other)
    {
        return store.equals(other.store) && type.equals(other.type);
    }
}
