package io.clusterecho.reporting.results;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;

import io.clusterecho.platform.TerminalWidth;

/** What stdout and stderr show: a terminal has a width, and its lines can be redrawn; a pipe and a file have none. */
public final class Terminal
{
    private static final int STDOUT = 1;
    private static final int STDERR = 2;
    private static final int NARROWEST = 40;
    private static final int WIDEST = 100;
    private static final int INDENT = 4;

    private Terminal()
    {
    }

    /** Columns for text on stdout, unlimited if it is not a terminal. */
    public static int columns()
    {
        final int width = width();
        return Integer.MAX_VALUE == width ? width : Math.max(NARROWEST, Math.min(WIDEST, width));
    }

    /** Print a text or a JSON document on stdout. Lines of a text that do not fit end between columns and words. */
    public static void print(final String text)
    {
        final int width = text.startsWith("{") ? Integer.MAX_VALUE : width();
        System.out.print(text.lines().map((line) -> String.join("\n", TextSection.wrapped(line, width, INDENT)) + "\n")
            .collect(Collectors.joining()));
        System.out.flush();
    }

    public static boolean isRedrawable()
    {
        final String term = System.getenv("TERM");
        return null == System.getenv("NO_COLOR") && null != term && !"dumb".equals(term) && isTerminal(STDERR);
    }

    private static int width()
    {
        return isTerminal(STDOUT) ? TerminalWidth.columns(STDOUT, Integer.MAX_VALUE) : Integer.MAX_VALUE;
    }

    private static boolean isTerminal(final int fileDescriptor)
    {
        try
        {
            // System.console() only knows stdin and stdout, and from JDK 22 on not even these.
            final String target = Files.readSymbolicLink(Path.of("/proc/self/fd", String.valueOf(fileDescriptor))).toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
        }
        catch (final IOException | UnsupportedOperationException ex)
        {
            return null != System.console();
        }
    }
}
