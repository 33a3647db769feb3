package io.clusterecho.threads;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

import com.sun.management.HotSpotDiagnosticMXBean;

import javax.management.JMException;
import javax.management.ObjectName;

/**
 * Restricts the compilers of this JVM: for processes whose threads share few cores. A compiler thread does not yield, and
 * threads that yield to one another wait for it for milliseconds at a time.
 */
public final class Compilers
{
    /**
     * Flag of a JVM that compiles with the first compiler alone. With it no code is compiled with counters for the second, which
     * {@link #useFirstAlone()} cannot avoid.
     */
    public static final String FIRST_ALONE_FLAG = "-XX:TieredStopAtLevel=1";

    private static final String DIAGNOSTICS = "com.sun.management:type=DiagnosticCommand";
    private static final String LEVEL_OF_FIRST = "1";
    private static final String LEVEL_OF_SECOND = "4";
    private static final String DIRECTIVE_ADDED = "1 compiler directive";
    private static final String FIRST_ALONE = "compiled by the first compiler alone";
    private static volatile String firstAlone = "";

    /**
     * Compile with the first compiler (C1) alone from now on; what is compiled already stays. For processes with few cores and so
     * little load that its code is fast enough: the second takes many times as long, from threads that wait for the core. It
     * cannot be undone. A JVM without these two compilers stays as it is, and the outcome, a line of text, says so. Later calls
     * do nothing.
     */
    public static synchronized String useFirstAlone()
    {
        if (firstAlone.isEmpty())
        {
            firstAlone = restrict(flag("TieredCompilation"), flag("TieredStopAtLevel"));
        }
        return firstAlone;
    }

    static String restrict(final String isTiered, final String level)
    {
        if ("true".equals(isTiered) && LEVEL_OF_FIRST.equals(level))
        {
            return FIRST_ALONE;
        }
        if (!"true".equals(isTiered) || !LEVEL_OF_SECOND.equals(level))
        {
            return "compilers not restricted: TieredCompilation=" + isTiered + ", TieredStopAtLevel=" + level;
        }

        try
        {
            final Path file = Files.createTempFile("cluster-echo-compilers", ".json");
            try
            {
                Files.writeString(file, "[{match: \"*.*\", c2: {Exclude: true}}]");
                final Object answer = ManagementFactory.getPlatformMBeanServer().invoke(
                    new ObjectName(DIAGNOSTICS), "compilerDirectivesAdd",
                    new Object[]{ new String[]{ "\"" + file + "\"" } }, new String[]{ String[].class.getName() });
                return String.valueOf(answer).startsWith(DIRECTIVE_ADDED) ? FIRST_ALONE : "compilers not restricted: " + answer;
            }
            finally
            {
                file.toFile().delete();
            }
        }
        catch (final IOException | JMException | RuntimeException ex)
        {
            return "compilers not restricted: " + ex.getMessage();
        }
    }

    /** {@code unknown} where the JVM is not HotSpot. */
    private static String flag(final String name)
    {
        try
        {
            return ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class).getVMOption(name).getValue();
        }
        catch (final RuntimeException ex)
        {
            return "unknown";
        }
    }

    /** Outcome of {@link #useFirstAlone()}, a line of text; empty before that is called. */
    public static String outcome()
    {
        return firstAlone;
    }
}
