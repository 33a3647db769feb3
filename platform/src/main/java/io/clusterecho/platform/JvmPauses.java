package io.clusterecho.platform;

import java.lang.management.CompilationMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.function.ToLongFunction;

/** Total time for which this JVM has stopped its threads, or compiled. Reading takes some microseconds. Thread-safe. */
public final class JvmPauses
{
    public static final long UNKNOWN = -1;

    private static final CompilationMXBean COMPILATION = ManagementFactory.getCompilationMXBean();

    private final List<GarbageCollectorMXBean> collectors = ManagementFactory.getGarbageCollectorMXBeans();

    /** Number of collections by all collectors since the JVM started. */
    public long collectionCount()
    {
        return sum(GarbageCollectorMXBean::getCollectionCount);
    }

    /** Time in all collections in ms; for a concurrent collector it includes time in which threads ran. */
    public long collectionTimeMs()
    {
        return sum(GarbageCollectorMXBean::getCollectionTime);
    }

    private long sum(final ToLongFunction<GarbageCollectorMXBean> value)
    {
        return collectors.stream().mapToLong(value).filter((known) -> known > 0).sum();
    }

    /** Safepoints since the JVM started, including those for collections; {@link #UNKNOWN} without {@code -XX:+UsePerfData}. */
    public long safepointCount()
    {
        return ofRuntime("getSafepointCount");
    }

    /** Time at safepoints since the JVM started, including collections, in ms, or {@link #UNKNOWN}. */
    public long safepointTimeMs()
    {
        return ofRuntime("getTotalSafepointTime");
    }

    /** Time of all compiler threads in compilations that have finished, in ms, or {@link #UNKNOWN}. */
    public static long compilationTimeMs()
    {
        return null != COMPILATION && COMPILATION.isCompilationTimeMonitoringSupported() ?
            COMPILATION.getTotalCompilationTime() : UNKNOWN;
    }

    /**
     * HotSpot counts its safepoints in a bean that is accessible where the package {@code sun.management} is exported, as by the
     * manifests of our jars. Another JVM has none, which is not an error.
     */
    private static long ofRuntime(final String method)
    {
        try
        {
            final Object runtime =
                Class.forName("sun.management.ManagementFactoryHelper").getMethod("getHotspotRuntimeMBean").invoke(null);
            return (long)Class.forName("sun.management.HotspotRuntimeMBean").getMethod(method).invoke(runtime);
        }
        catch (final ReflectiveOperationException | RuntimeException ex)
        {
            return UNKNOWN;
        }
    }
}
