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

    /** Time of all compiler threads in compilations that have finished, in ms; or {@link JvmPauses#UNKNOWN}. */
    public static long totalMs()
    {
        return null != COMPILATION && COMPILATION.isCompilationTimeMonitoringSupported() ?
            COMPILATION.getTotalCompilationTime() : JvmPauses.UNKNOWN;
    }
}
