package io.clusterecho.control.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.node.member.MemberFolder;

/**
 * What earlier members left on this machine for a start to continue with.
 *
 * @param fileCount   number of files of the longest log of a member, 0 if all are on other hosts.
 * @param fileLength  of these files, in bytes; a file has its full length from the start.
 * @param lastWritten time of the last write to any of them.
 */
record ExistingData(int fileCount, long fileLength, Instant lastWritten)
{
    private static final String RECORDING_END = ".rec";

    static ExistingData of(final List<ClusterMember> members)
    {
        ExistingData found = new ExistingData(0, 0, Instant.EPOCH);
        for (final ClusterMember member : members)
        {
            final Path archive = member.dir().resolve(MemberFolder.ARCHIVE_DIR);
            if (member.hostName().isEmpty() && Files.isDirectory(archive))
            {
                found = found.or(in(archive));
            }
        }

        return found;
    }

    private ExistingData or(final ExistingData other)
    {
        final ExistingData longer = other.fileLength > fileLength ? other : this;
        return new ExistingData(
            longer.fileCount, longer.fileLength, other.lastWritten.isAfter(lastWritten) ? other.lastWritten : lastWritten);
    }

    private static ExistingData in(final Path archive)
    {
        try (Stream<Path> listed = Files.list(archive))
        {
            ExistingData found = new ExistingData(0, 0, Instant.EPOCH);
            for (final Path file : listed.filter((path) -> path.toString().endsWith(RECORDING_END)).toList())
            {
                final Instant written = Files.getLastModifiedTime(file).toInstant();
                found = new ExistingData(
                    found.fileCount + 1, found.fileLength + Files.size(file),
                    written.isAfter(found.lastWritten) ? written : found.lastWritten);
            }

            return found;
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("cannot read " + archive, ex);
        }
    }

    /** The data in one line. */
    String text(final Path baseDir)
    {
        final String begin = "continuing with the data in " + baseDir;
        return 0 == fileCount ? begin : String.format(
            Locale.ROOT, "%s, last written %s, %d log and snapshot %s of %d MB for each member", begin,
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss").withZone(ZoneId.systemDefault()).format(lastWritten),
            fileCount, 1 == fileCount ? "file" : "files", fileLength >> 20);
    }
}
