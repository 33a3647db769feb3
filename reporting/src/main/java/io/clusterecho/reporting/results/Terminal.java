package io.clusterecho.reporting.results;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

import io.clusterecho.host.CLibrary;
import io.clusterecho.settings.Io;

/** What stdout and stderr show: a terminal has a width, and its lines can be redrawn; a pipe and a file have none. */
public final class Terminal
{
    private static final int STDOUT = 1;
    static final int STDERR = 2;
    private static final int INDENT = 4;
    private static final long TIOCGWINSZ = 0x5413L;
    /** struct winsize: rows, columns, width and height in pixels, each an unsigned short. */
    private static final int WINSIZE_LENGTH = 8;
    private static final int COLUMNS_OFFSET = 2;

    /** Print a text or a JSON document on stdout. Lines of a text that do not fit end between columns and words. */
    public static void print(final String text)
    {
        final int width = text.startsWith("{") || !isTerminal(STDOUT) ? Integer.MAX_VALUE :
            columns(STDOUT, Integer.MAX_VALUE);
        System.out.print(text.lines().map((line) -> String.join("\n", wrapped(line, width)) + "\n")
            .collect(Collectors.joining()));
        System.out.flush();
    }

    /**
     * Columns of the terminal behind a file descriptor, at least 1, which the JDK does not know; {@code otherwise} if it is none
     * or the system does not say.
     */
    static int columns(final int fileDescriptor, final int otherwise)
    {
        final byte[] size = new byte[WINSIZE_LENGTH];
        Io.orElse(0, () -> CLibrary.call("ioctl", fileDescriptor, TIOCGWINSZ, size));
        final int columns = Short.toUnsignedInt(ByteBuffer.wrap(size).order(ByteOrder.nativeOrder()).getShort(COLUMNS_OFFSET));
        return columns > 0 ? columns : otherwise;
    }

    public static boolean isRedrawable()
    {
        final String term = System.getenv("TERM");
        return null == System.getenv("NO_COLOR") && null != term && !"dumb".equals(term) && isTerminal(STDERR);
    }

    /** Lines that end between columns of a table or between words; a word that is wider stays whole. */
    static List<String> wrapped(final String entry, final int width)
    {
        final List<String> lines = new ArrayList<>();
        String line = entry;
        while (line.length() > width)
        {
            int end = line.lastIndexOf("  ", width);
            end = end > width / 2 ? end : line.lastIndexOf(' ', width);
            end = end > INDENT ? end : line.indexOf(' ', width);
            if (end < 0)
            {
                break;
            }
            lines.add(line.substring(0, end));
            line = " ".repeat(INDENT) + line.substring(end).strip();
        }
        lines.add(line);
        return lines;
    }

    private static boolean isTerminal(final int fileDescriptor)
    {
        // System.console() only knows stdin and stdout, and from JDK 22 on not even these.
        final Path target = Io.orElse(null, () -> Files.readSymbolicLink(Path.of("/proc/self/fd/" + fileDescriptor)));
        return null == target ? null != System.console() : target.toString().matches("/dev/(pts/|tty).*");
    }
}
