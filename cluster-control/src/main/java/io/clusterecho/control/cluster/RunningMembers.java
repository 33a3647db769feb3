package io.clusterecho.control.cluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.clusterecho.control.member.ClusterFiles;

/** Finds members on this machine by their command lines, whatever folder they were started in. */
final class RunningMembers
{
    private static final Path PROC = Path.of("/proc");
    private static final String NETWORK = "ns/net";
    private static final Pattern MEMBER_ID = Pattern.compile(" --member-id[= ](\\d+) ");

    private RunningMembers()
    {
    }

    /** A member, by the command line of its process. */
    record Found(long pid, String memberId, Path baseDir)
    {
    }

    /** Base folders that the command lines of running members name, as absolute paths. */
    static List<Path> folders()
    {
        return all().stream().map(Found::baseDir).distinct().toList();
    }

    /** Without members of other users and of other network namespaces; none if the system does not show command lines. */
    static List<Found> all()
    {
        return processes().flatMap((process) -> memberOf(process).stream()).toList();
    }

    /** Whether {@code retain --every} of this user runs here. */
    static boolean areRetained()
    {
        return processes().anyMatch((process) ->
        {
            try
            {
                final List<String> words = words(process);
                return words.contains("retain") && words.stream().anyMatch((word) -> word.startsWith("--every"));
            }
            catch (final IOException ex)
            {
                return false;
            }
        });
    }

    private static Stream<Path> processes()
    {
        return ProcessHandle.allProcesses().map((process) -> PROC.resolve(String.valueOf(process.pid())));
    }

    private static List<String> words(final Path process) throws IOException
    {
        return List.of(new String(Files.readAllBytes(process.resolve("cmdline")), StandardCharsets.UTF_8).split("\0"));
    }

    private static Optional<Found> memberOf(final Path process)
    {
        try
        {
            final List<String> words = words(process);
            final Matcher id = MEMBER_ID.matcher(String.join(" ", words));
            if (!id.find() || !Files.readSymbolicLink(process.resolve(NETWORK))
                .equals(Files.readSymbolicLink(PROC.resolve("self").resolve(NETWORK))))
            {
                return Optional.empty();
            }

            final Path workingDir = Files.readSymbolicLink(process.resolve("cwd"));
            final long pid = Long.parseLong(process.getFileName().toString());
            return words.stream().filter((word) -> word.endsWith(ClusterFiles.SETTINGS_FILE)).findFirst()
                .map((file) -> new Found(pid, id.group(1), workingDir.resolve(file).normalize().getParent()));
        }
        catch (final IOException | InvalidPathException ex)
        {
            // It ended meanwhile, or belongs to another user.
            return Optional.empty();
        }
    }
}
