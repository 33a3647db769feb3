package io.clusterecho.control.cluster;

import java.io.File;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;

import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.node.member.MemberFolder;

/** What earlier members left on this machine for a start to continue with. */
final class ExistingData
{
    private static final String RECORDING_END = ".rec";

    private ExistingData()
    {
    }

    /** The files of the longest log of a member, which have their full length from the start, in one line. */
    static String text(final List<ClusterMember> members, final Path baseDir)
    {
        List<File> longest = List.of();
        long longestLength = 0;
        long lastWrittenMs = 0;
        for (final ClusterMember member : members)
        {
            final List<File> files = !member.hostName().isEmpty() ? List.of() :
                MemberFolder.list(member.dir().resolve(MemberFolder.ARCHIVE_DIR)).stream().map(Path::toFile)
                .filter((file) -> file.getName().endsWith(RECORDING_END)).toList();
            final long length = files.stream().mapToLong(File::length).sum();
            lastWrittenMs = Math.max(lastWrittenMs, files.stream().mapToLong(File::lastModified).max().orElse(0));
            if (length > longestLength)
            {
                longest = files;
                longestLength = length;
            }
        }

        final String begin = "continuing with the data in " + baseDir;
        return longest.isEmpty() ? begin : String.format(
            Locale.ROOT, "%s, last written %s, %d log and snapshot %s of %d MB for each member", begin,
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss").withZone(ZoneId.systemDefault())
            .format(Instant.ofEpochMilli(lastWrittenMs)),
            longest.size(), 1 == longest.size() ? "file" : "files", longestLength >> 20);
    }
}
