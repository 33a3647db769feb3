package io.clusterecho.client.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.clusterecho.control.cluster.RecordedClusters;
import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.Endings;
import io.clusterecho.control.member.LocalMember;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Quantity;

/** Compares the log that a load writes with the disks of members on this machine. */
final class DiskRoom
{
    private DiskRoom()
    {
    }

    /** Check that no disk is full before the load ends, unless logs of this length for each member are purged meanwhile. */
    static void check(
        final List<ClusterMember> members, final Path baseDir, final long logLength, final String option, final long measuredNs)
    {
        try
        {
            final Map<FileStore, Integer> counts = new LinkedHashMap<>();
            for (final ClusterMember member : members)
            {
                if (member instanceof LocalMember && Files.exists(member.dir()))
                {
                    counts.merge(Files.getFileStore(member.dir()), 1, Integer::sum);
                }
            }
            for (final Map.Entry<FileStore, Integer> disk : counts.entrySet())
            {
                final long free = disk.getKey().getUsableSpace();
                final double needed = (double)logLength * disk.getValue();
                if (free < needed && !RecordedClusters.areRetained())
                {
                    throw new InvalidSettingException(option, measuredNs + "ns", String.format(
                        Locale.ROOT, "at most %s at this rate: the logs of %d members on %s grow by %,.1f MB a second, and it " +
                        "has %.1f GB free; or purge them meanwhile with %s",
                        Quantity.formatNs((long)(measuredNs * (free / needed))), disk.getValue(), disk.getKey().name(),
                        needed / measuredNs * 1e3, free / 1e9, Endings.command("retain --every 1m", baseDir)));
                }
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("cannot determine the free space below " + baseDir, ex);
        }
    }
}
