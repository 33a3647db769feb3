package io.clusterecho.platform;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;

/** Time for which the compilers of this JVM have worked. Thread-safe. */
public final class CompilationTime
{
    private static final CompilationMXBean COMPILATION = ManagementFactory.getCompilationMXBean();

    private CompilationTime()
    {
    }

    /**
     * Total time of all compiler threads in compilations that have finished.
     *
     * @return in ms since the JVM started, or {@link JvmPauses#UNKNOWN}.
     */
    public static long totalMs()
    {
        return null != COMPILATION && COMPILATION.isCompilationTimeMonitoringSupported() ?
            COMPILATION.getTotalCompilationTime() : JvmPauses.UNKNOWN;
    }
}
