package io.clusterecho.reporting.results;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Whether lines can be redrawn on stderr. */
public final class Terminal
{
    private Terminal()
    {
    }

    public static boolean isRedrawable()
    {
        final String term = System.getenv("TERM");
        return null == System.getenv("NO_COLOR") && null != term && !"dumb".equals(term) && isTerminal();
    }

    private static boolean isTerminal()
    {
        try
        {
            // System.console() only knows stdin and stdout, and from JDK 22 on not even these.
            final String target = Files.readSymbolicLink(Path.of("/proc/self/fd/2")).toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
        }
        catch (final IOException | UnsupportedOperationException ex)
        {
            return null != System.console();
        }
    }
}
