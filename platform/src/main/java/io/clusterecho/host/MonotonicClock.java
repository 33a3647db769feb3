package io.clusterecho.host;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.UUID;

/**
 * Tells whether processes have the same monotonic clock, that is the one behind {@link System#nanoTime()} on Linux: those of one
 * host do, in containers too, unless somebody gave them a time namespace of their own. Any thread.
 */
public final class MonotonicClock
{
    /**
     * Id where nothing can be told.
     */
    public static final long UNKNOWN = 0;

    private static final String BOOT = "proc/sys/kernel/random/boot_id";
    private static final String NAMESPACE = "proc/self/ns/time";

    private MonotonicClock()
    {
    }

    /**
     * Id of the clock of this process.
     *
     * @return equal in two processes that have the same clock, another in all others but by chance; {@link #UNKNOWN} if this
     *         system does not tell.
     */
    public static long id()
    {
        return id(HostFiles.ofThisMachine());
    }

    /**
     * The same by the files of some host.
     *
     * @param files of it.
     * @return as above.
     */
    static long id(final HostFiles files)
    {
        return files.read(BOOT).text().filter((boot) -> !boot.isEmpty())
            .map((boot) -> UUID.nameUUIDFromBytes((boot + namespace(files)).getBytes(StandardCharsets.UTF_8))
                .getMostSignificantBits())
            .orElse(UNKNOWN);
    }

    private static String namespace(final HostFiles files)
    {
        try
        {
            return Files.readSymbolicLink(files.path(NAMESPACE)).toString();
        }
        catch (final IOException ex)
        {
            // Kernels before 5.6 have no such namespaces.
            return "";
        }
    }
}
