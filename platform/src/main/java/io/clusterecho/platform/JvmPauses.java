package io.clusterecho.platform;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;

import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.RuntimeErrorException;

/** Total time for which this JVM has stopped its threads. Reading takes some microseconds. Thread-safe. */
public final class JvmPauses
{
    /** Value if the JVM does not report it. */
    public static final long UNKNOWN = -1;

    private static final String RUNTIME_NAME = "sun.management:type=HotspotRuntime";
    private static final String INTERNAL_CLASS = "sun.management.HotspotInternal";

    private final List<GarbageCollectorMXBean> collectors = ManagementFactory.getGarbageCollectorMXBeans();
    private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    private final ObjectName runtime = runtime();

    /** Number of collections by all collectors since the JVM started. */
    public long collectionCount()
    {
        long count = 0;
        for (final GarbageCollectorMXBean collector : collectors)
        {
            count += Math.max(0, collector.getCollectionCount());
        }

        return count;
    }

    /** Time in all collections in ms; for a concurrent collector it includes time in which threads ran. */
    public long collectionTimeMs()
    {
        long timeMs = 0;
        for (final GarbageCollectorMXBean collector : collectors)
        {
            timeMs += Math.max(0, collector.getCollectionTime());
        }

        return timeMs;
    }

    /** Safepoints since the JVM started, including those for collections; {@link #UNKNOWN} without {@code -XX:+UsePerfData}. */
    public long safepointCount()
    {
        return attribute("SafepointCount");
    }

    /** Time at safepoints since the JVM started, including collections, in ms, or {@link #UNKNOWN}. */
    public long safepointTimeMs()
    {
        return attribute("TotalSafepointTime");
    }

    private long attribute(final String name)
    {
        try
        {
            return null == runtime ? UNKNOWN : ((Number)server.getAttribute(runtime, name)).longValue();
        }
        catch (final JMException ex)
        {
            return UNKNOWN;
        }
    }

    /**
     * HotSpot counts its safepoints in a bean that it registers on request, and that is accessible where the package
     * {@code sun.management} is exported, as by the manifests of our jars. Another JVM has none, which is not an error.
     */
    private ObjectName runtime()
    {
        try
        {
            final ObjectName name = new ObjectName(RUNTIME_NAME);
            synchronized (JvmPauses.class)
            {
                if (!server.isRegistered(name))
                {
                    register();
                }
            }
            return server.isRegistered(name) ? name : null;
        }
        catch (final JMException ex)
        {
            return null;
        }
    }

    private void register() throws JMException
    {
        try
        {
            server.createMBean(INTERNAL_CLASS, null);
        }
        catch (final RuntimeErrorException ex)
        {
            // It registers several beans, and a later one fails without -XX:+UsePerfData: only the presence of this one
            // counts.
            return;
        }
    }
}
