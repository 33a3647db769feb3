package io.clusterecho.control.member;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Failures of commands that the owner of a cluster could run, and this user cannot. */
final class Permission
{
    private Permission()
    {
    }

    /**
     * A file exists, or may exist, that this user may not use.
     *
     * @param use  of the file, such as "read".
     * @param file that this user may not use so.
     * @return a failure that names the user to run the command as.
     */
    static ControlFailure denied(final String use, final Path file)
    {
        return new ControlFailure(
            ControlFailure.UNUSABLE, "no permission to " + use + " " + file + ": run the command as " + owner(file));
    }

    /**
     * A process runs that this user may not send signals to.
     *
     * @param pid  of the process, which runs.
     */
    static ControlFailure signalDenied(final String name, final Path dir, final long pid)
    {
        return new ControlFailure(
            ControlFailure.UNUSABLE, "no permission to stop " + name + ", pid " + pid + ": run the command as " + owner(dir));
    }

    private static String owner(final Path file)
    {
        // The owner of a file in a closed folder is unknown, that of the folder is not.
        for (Path known = file; null != known; known = known.getParent())
        {
            try
            {
                return Files.getOwner(known).getName();
            }
            catch (final IOException ex)
            {
                continue;
            }
        }

        return "the user who started the cluster";
    }
}
