package io.clusterecho.reporting.results;

import java.nio.file.Files;
import java.nio.file.Path;

import io.clusterecho.settings.Io;

/** What stderr shows: a terminal, whose last line can be redrawn, or something else. */
public final class Terminal
{
    public static boolean isRedrawable()
    {
        final String term = System.getenv("TERM");
        return null == System.getenv("NO_COLOR") && null != term && !"dumb".equals(term) && isTerminal();
    }

    private static boolean isTerminal()
    {
        // System.console() only knows stdin and stdout, and from JDK 22 on not even these.
        final Path target = Io.orElse(null, () -> Files.readSymbolicLink(Path.of("/proc/self/fd/2")));
        return null == target ? null != System.console() : target.toString().matches("/dev/(pts/|tty).*");
    }
}
