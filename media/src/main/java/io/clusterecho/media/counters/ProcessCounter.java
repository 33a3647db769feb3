package io.clusterecho.media.counters;

import java.lang.management.CompilationMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;

/**
 * Counters of a member's JVM, published through its media driver once a second, so that slow replies can be attributed to a
 * stopped process. All are sums since the process started. Reading takes some microseconds. Thread-safe.
 */
public enum ProcessCounter
{
    COLLECTIONS(3300, "collections", () -> sum(GarbageCollectorMXBean::getCollectionCount)),
    /** For a concurrent collector it includes time in which threads ran. */
    COLLECTION_TIME_MS(3301, "ms in collections", () -> sum(GarbageCollectorMXBean::getCollectionTime)),
    /** Including those for collections; unknown without {@code -XX:+UsePerfData}. */
    SAFEPOINTS(3302, "safepoints", () -> ofRuntime("getSafepointCount")),
    SAFEPOINT_TIME_MS(3303, "ms at safepoints", () -> ofRuntime("getTotalSafepointTime")),
    /** The difference between two reads covers the time between them. Only {@link ProcessCounters} knows it. */
    STALL_SUM_NS(3304, "longest stall of each second, summed, in ns", () -> -1),
    /** Time of all compiler threads in finished compilations, in ms. */
    COMPILATION_TIME_MS(3305, "ms in compilations", ProcessCounter::compilationTimeMs);

    private static final List<GarbageCollectorMXBean> COLLECTORS = ManagementFactory.getGarbageCollectorMXBeans();
    private static final CompilationMXBean COMPILATION = ManagementFactory.getCompilationMXBean();

    private final int typeId;
    private final String label;
    private final LongSupplier value;

    ProcessCounter(final int typeId, final String label, final LongSupplier value)
    {
        this.typeId = typeId;
        this.label = "process: " + label;
        this.value = value;
    }

    /** Type id of the counter in the CnC file, from 3300 up; never reused for another counter. */
    public int typeId()
    {
        return typeId;
    }

    public String label()
    {
        return label;
    }

    /** Value of this process; -1 if its JVM does not report it. */
    long read()
    {
        return value.getAsLong();
    }

    private static long sum(final ToLongFunction<GarbageCollectorMXBean> part)
    {
        return COLLECTORS.stream().mapToLong(part).filter((known) -> known > 0).sum();
    }

    private static long compilationTimeMs()
    {
        return null != COMPILATION && COMPILATION.isCompilationTimeMonitoringSupported() ?
            COMPILATION.getTotalCompilationTime() : -1;
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
            return -1;
        }
    }
}
