package io.clusterecho.host;

import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;

import io.clusterecho.settings.Cause;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Io;

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
        final Path known = existing;
        final FileStore found = Io.call((ex) -> new InvalidSettingException(
            option, folder, "a folder of a known file system (" + Cause.of(ex) + ")"), () -> Files.getFileStore(known));
        return new DiskPlace(known.toString(), found.name(), found.type());
    }

    public boolean isSameDisk(final DiskPlace other)
    {
        return store.equals(other.store) && type.equals(other.type);
    }
}
