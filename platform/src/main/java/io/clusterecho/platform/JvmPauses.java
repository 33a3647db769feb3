package io.clusterecho.platform;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;

import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.RuntimeErrorException;

/**
 * For how long this JVM stopped its own threads so far. Reading costs some microseconds; any thread.
 */
public final class JvmPauses
{
    /**
     * What is told when the JVM does not say.
     */
    public static final long UNKNOWN = -1;

    private static final String RUNTIME_NAME = "sun.management:type=HotspotRuntime";
    private static final String INTERNAL_CLASS = "sun.management.HotspotInternal";

    private final List<GarbageCollectorMXBean> collectors = ManagementFactory.getGarbageCollectorMXBeans();
    private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    private final ObjectName runtime = runtime();

    /**
     * Collections of all collectors.
     *
     * @return the count since the JVM began.
     */
    public long collectionCount()
    {
        long count = 0;
        for (final GarbageCollectorMXBean collector : collectors)
        {
            count += Math.max(0, collector.getCollectionCount());
        }

        return count;
    }

    /**
     * Time in collections of all collectors; of a concurrent collector also time in which threads ran.
     *
     * @return in ms, since the JVM began.
     */
    public long collectionTimeMs()
    {
        long timeMs = 0;
        for (final GarbageCollectorMXBean collector : collectors)
        {
            timeMs += Math.max(0, collector.getCollectionTime());
        }

        return timeMs;
    }

    /**
     * Stops of all threads, collections among them. HotSpot counts them with {@code -XX:+UsePerfData} only.
     *
     * @return the count since the JVM began, or {@link #UNKNOWN}.
     */
    public long safepointCount()
    {
        return attribute("SafepointCount");
    }

    /**
     * Time for which all threads were stopped, that in collections included.
     *
     * @return in ms, since the JVM began, or {@link #UNKNOWN}.
     */
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
     * HotSpot counts its safepoints in a bean that it registers when asked to, and lets those see whom the package
     * {@code sun.management} is exported to, as our jars' manifests ask for. Another JVM has none, which is no error.
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
            // It registers several beans, and one that comes after ours fails without -XX:+UsePerfData: what counts is
            // whether ours is there.
            return;
        }
    }
}
