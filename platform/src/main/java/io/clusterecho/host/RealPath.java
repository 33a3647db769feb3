package io.clusterecho.host;

import java.nio.file.Path;

import io.clusterecho.settings.Io;

/** One name for a folder, whichever symbolic links lead to it: names of shared memory are derived from it. */
public final class RealPath
{
    /** An absolute path; of what does not exist, the links of its existing parents are resolved. */
    public static Path of(final Path path)
    {
        final Path absolute = path.toAbsolutePath();
        for (Path existing = absolute; null != existing; existing = existing.getParent())
        {
            // What does not exist, or cannot be read, may have a parent that does.
            final Path real = Io.orElse(null, existing::toRealPath);
            if (null != real)
            {
                return real.resolve(existing.relativize(absolute)).normalize();
            }
        }
        return absolute.normalize();
    }
}
