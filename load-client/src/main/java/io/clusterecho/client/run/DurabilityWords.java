package io.clusterecho.client.run;

import java.nio.file.Path;

/** Which failures an acknowledged message survives, in words. */
final class DurabilityWords
{
    private DurabilityWords()
    {
    }

    /**
     * Of a cluster.
     *
     * @param fileSyncLevel of its members; anything but 0 to 2 if it is unknown.
     * @param clusterDir    from which the settings were to be read.
     */
    static String of(final String fileSyncLevel, final Path clusterDir)
    {
        return switch (fileSyncLevel)
        {
            case "0" -> "fsync 0: an acknowledged message is in the page caches of a majority; it survives the death of " +
                "processes and the loss of a minority of machines, not the loss of power everywhere at once";
            case "1" -> "fsync 1: an acknowledged message's data was flushed to the disks of a majority; it survives the " +
                "loss of power everywhere, as far as the disks keep what they confirm";
            case "2" -> "fsync 2: an acknowledged message's data and metadata were flushed to the disks of a majority; it " +
                "survives the loss of power everywhere, as far as the disks keep what they confirm";
            default -> "not known: the settings of the cluster could not be read from " + clusterDir;
        };
    }
}
