package io.clusterecho.host;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The files by which Linux tells what a host is. Any thread may use it.
 */
public final class HostFiles
{
    private final Path root;

    /**
     * The files of some host.
     *
     * @param root folder that holds {@code proc}, {@code sys}, {@code dev} and {@code etc}.
     */
    public HostFiles(final Path root)
    {
        this.root = root;
    }

    /**
     * The files of this machine.
     *
     * @return those below {@code /}.
     */
    public static HostFiles ofThisMachine()
    {
        return new HostFiles(Path.of("/"));
    }

    /**
     * What a file holds.
     *
     * @param lines   of it, without those that are blank at its end; empty where there is a problem.
     * @param problem why it could not be read, in a few words, or null if it was.
     */
    public record Reading(List<String> lines, String problem)
    {
        /**
         * All lines as one text.
         *
         * @return the text, or empty if it could not be read.
         */
        public Optional<String> text()
        {
            return null == problem ? Optional.of(String.join(" ", lines).trim()) : Optional.empty();
        }
    }

    /**
     * Where a file lies.
     *
     * @param name relative to the root, as in {@code proc/meminfo}.
     */
    public Path path(final String name)
    {
        return root.resolve(name);
    }

    /**
     * Read a file.
     *
     * @param name relative to the root.
     * @return what it holds, or why that cannot be told.
     */
    public Reading read(final String name)
    {
        try
        {
            // By lines, since a sysctl file yields all of it to its first read and nothing to the next: Files.readString,
            // told that the length is 0, would begin with a read of one byte. Bytes first: a name may be in any encoding.
            return new Reading(
                Files.readAllLines(path(name), StandardCharsets.ISO_8859_1).stream()
                    .map((line) -> new String(line.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8)).toList(),
                null);
        }
        catch (final NoSuchFileException | NotDirectoryException ex)
        {
            return new Reading(List.of(), "there is no /" + name);
        }
        catch (final AccessDeniedException ex)
        {
            return new Reading(List.of(), "/" + name + " may not be read");
        }
        catch (final IOException ex)
        {
            return new Reading(List.of(), "/" + name + ": " + ex.getMessage());
        }
    }

    /**
     * A file about the thread that asks. Some of those in {@code proc/self} may be read by the first thread of a process alone,
     * which no thread of a Java program is.
     *
     * @param name of the file, as in {@code timerslack_ns}.
     * @return its name relative to the root.
     */
    public String nameForThisThread(final String name)
    {
        return "proc/" + target("proc/thread-self").orElse("self") + "/" + name;
    }

    /**
     * The lines of a file.
     *
     * @param name relative to the root.
     * @return its lines; none if it cannot be read.
     */
    public List<String> lines(final String name)
    {
        return read(name).lines();
    }

    /**
     * All of a file as one text.
     *
     * @param name relative to the root.
     * @return the text, or empty if it cannot be read or is blank.
     */
    public Optional<String> text(final String name)
    {
        return read(name).text().filter((text) -> !text.isEmpty());
    }

    /**
     * A file that holds a whole number.
     *
     * @param name relative to the root.
     * @return the number, or empty if it cannot be read or holds something else.
     */
    public Optional<Long> number(final String name)
    {
        return text(name).filter((text) -> text.matches("-?[0-9]{1,18}")).map(Long::valueOf);
    }

    /**
     * What follows a key and a colon.
     *
     * @param name of a file, relative to the root.
     * @param key  that a line begins with.
     * @return the rest of the first such line, or empty if there is none.
     */
    public Optional<String> keyed(final String name, final String key)
    {
        return lines(name).stream().filter((line) -> line.startsWith(key))
            .map((line) -> line.substring(line.indexOf(':') + 1).trim()).findFirst();
    }

    /**
     * What lies in a folder.
     *
     * @param name of the folder, relative to the root.
     * @return names, sorted; none if there is no such folder.
     */
    public List<String> names(final String name)
    {
        try (Stream<Path> files = Files.list(path(name)))
        {
            return files.map((file) -> file.getFileName().toString()).sorted().toList();
        }
        catch (final IOException ex)
        {
            return List.of();
        }
    }

    /**
     * The name of what a link leads to.
     *
     * @param name of the link, relative to the root.
     * @return the last part of its target, or empty if there is no such link.
     */
    public Optional<String> target(final String name)
    {
        try
        {
            return Optional.ofNullable(Files.readSymbolicLink(path(name)).getFileName()).map(Path::toString);
        }
        catch (final IOException ex)
        {
            return Optional.empty();
        }
    }
}
