package io.clusterecho.host;

import java.io.IOException;
import java.nio.file.Path;

/** One name for a folder, whichever symbolic links lead to it: names of shared memory are derived from it. */
public final class RealPath
{
    private RealPath()
    {
    }

    /** An absolute path; of what does not exist, the links of its existing parents are resolved. */
    public static Path of(final Path path)
    {
        final Path absolute = path.toAbsolutePath();
        for (Path existing = absolute; null != existing; existing = existing.getParent())
        {
            try
            {
                return existing.toRealPath().resolve(existing.relativize(absolute)).normalize();
            }
            catch (final IOException ex)
            {
                // It does not exist, or cannot be read: its parent may.
            }
        }
        return absolute.normalize();
    }
}
