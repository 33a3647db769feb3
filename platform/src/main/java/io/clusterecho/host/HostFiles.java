package io.clusterecho.host;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

import io.clusterecho.settings.Io;

/** Linux's files that describe a host; names are relative to its root, as in {@code proc/meminfo}. Thread-safe. */
public final class HostFiles
{
    private static final String CONTROL_GROUPS = "sys/fs/cgroup";
    private static final int FIRST_LENGTH = 4096;

    private final Path root;

    /** The files of some host, below a folder with {@code proc}, {@code sys}, {@code dev} and {@code etc}. */
    public HostFiles(final Path root)
    {
        this.root = root;
    }

    public static HostFiles ofThisMachine()
    {
        return new HostFiles(Path.of("/"));
    }

    public Path path(final String name)
    {
        return root.resolve(name);
    }

    /**
     * All of a small file, a byte a character, since a name in it may be in any encoding; empty if it cannot be read. It takes
     * the shortest way through the library, for what runs a few times a second beside a measurement and is interpreted, and reads
     * as much as it can at once: a sysctl file, which has no length, yields all of it to the first read and nothing to the next.
     */
    public String content(final String name)
    {
        try (FileInputStream in = new FileInputStream(root + "/" + name))
        {
            byte[] bytes = new byte[FIRST_LENGTH];
            int length = 0;
            for (int count = in.read(bytes); count > 0; count = in.read(bytes, length, bytes.length - length))
            {
                length += count;
                if (bytes.length == length)
                {
                    bytes = Arrays.copyOf(bytes, 2 * length);
                }
            }
            return new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
        }
        catch (final IOException ex)
        {
            return "";
        }
    }

    /** Fields of the stat file of a process or thread after its name, as {@link #content}; none if it has ended. */
    public String[] stat(final String name)
    {
        final String stat = content(name);
        // The name is in parentheses and may contain anything, also parentheses and blanks.
        return stat.isEmpty() ? new String[0] : stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    }

    /** The whole number, 0 or more, after the first occurrence of a key and blanks in a text; -1 without one. */
    public static long number(final String text, final String key)
    {
        final int at = text.indexOf(key);
        int begin = at + key.length();
        while (at >= 0 && begin < text.length() && text.charAt(begin) <= ' ')
        {
            begin++;
        }
        int end = begin;
        while (at >= 0 && end < text.length() && Character.isDigit(text.charAt(end)))
        {
            end++;
        }
        return end == begin ? -1 : Long.parseLong(text, begin, end, 10);
    }

    /**
     * Name of a file about the calling thread, as in {@code timerslack_ns}. Some of those in {@code proc/self} are readable only
     * by the first thread of a process, and no thread of a Java program is the first.
     */
    public String nameForThisThread(final String name)
    {
        return "proc/" + target("proc/thread-self").orElse("self") + "/" + name;
    }

    /** The lines of a file; none if it cannot be read. */
    public List<String> lines(final String name)
    {
        return new String(content(name).getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8).lines().toList();
    }

    /** A file as one text; empty if it cannot be read or is blank. */
    public Optional<String> text(final String name)
    {
        return Optional.of(String.join(" ", lines(name)).trim()).filter((text) -> !text.isEmpty());
    }

    /** The whole number in a file; empty if it cannot be read or is not a number. */
    public Optional<Long> number(final String name)
    {
        return text(name).filter((text) -> text.matches("-?[0-9]{1,18}")).map(Long::valueOf);
    }

    /** Value after the colon in the first line that begins with a key. */
    public Optional<String> keyed(final String name, final String key)
    {
        return lines(name).stream().filter((line) -> line.startsWith(key))
            .map((line) -> line.substring(line.indexOf(':') + 1).trim()).findFirst();
    }

    /** Names in a folder, sorted; none if there is no such folder. */
    public List<String> names(final String name)
    {
        return Io.orElse(List.<Path>of(), () -> Io.list(path(name))).stream()
            .map((file) -> file.getFileName().toString()).toList();
    }

    /**
     * Names of the files of the control group of this process and of all enclosing groups, of version 1 or 2, whose limits apply
     * too: the innermost first; they need not exist. In a container, the group of the process may not be visible; the mounted one
     * is then the container's.
     */
    public List<String> ofControlGroups(final String controller, final String fileName)
    {
        final List<String> names = new ArrayList<>();
        for (final String line : lines("proc/self/cgroup"))
        {
            final String[] parts = line.split(":", 3);
            final boolean isUnified = 3 == parts.length && parts[1].isEmpty();
            if (3 == parts.length && parts[2].startsWith("/") &&
                (isUnified || List.of(parts[1].split(",")).contains(controller)))
            {
                for (final String mount : isUnified ? List.of("", "unified") : List.of(controller))
                {
                    final Path top = Path.of(CONTROL_GROUPS, mount);
                    for (Path dir = top.resolve("." + Path.of(parts[2]).normalize()).normalize(); dir.startsWith(top);
                        dir = dir.getParent())
                    {
                        names.add(dir.resolve(fileName).toString());
                    }
                }
            }
        }

        return names;
    }

    /**
     * Name of the group of a process, as in {@code /autogroup-25}; empty if there are no groups or no such process. Linux divides
     * the cores among groups before it divides them among threads: with {@code kernel.sched_autogroup_enabled=1} the processes of
     * one session are a group ({@code man 7 sched}).
     */
    public Optional<String> schedulingGroup(final long pid)
    {
        return number("proc/sys/kernel/sched_autogroup_enabled").filter((enabled) -> 1 == enabled)
            .flatMap((enabled) -> text("proc/" + pid + "/autogroup"))
            .map((text) -> text.split(" ", 2)[0]);
    }

    /** Last part of a link's target; empty if there is no such link. */
    public Optional<String> target(final String name)
    {
        return Io.orElse(
            Optional.empty(), () -> Optional.ofNullable(Files.readSymbolicLink(path(name)).getFileName()).map(Path::toString));
    }
}
