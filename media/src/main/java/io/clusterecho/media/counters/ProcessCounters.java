package io.clusterecho.media.counters;

import java.nio.file.Path;

import io.aeron.Aeron;
import io.aeron.Counter;

import io.clusterecho.platform.JvmPauses;

import org.agrona.CloseHelper;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.AgentInvoker;

/**
 * Publishes {@link ProcessCounter}s of this process through its media driver. Has an Aeron client of its own, which lives on
 * the one thread that calls {@link #keepAlive()} and {@link #publish(long)}: the client's liveness is no concern of the
 * components. When the driver lost that client, as it does when the process is stopped for long, nothing is published any more.
 */
public final class ProcessCounters implements AutoCloseable
{
    private static final ProcessCounter[] ALL = ProcessCounter.values();

    private final Aeron aeron;
    private final AgentInvoker invoker;
    private final Counter[] counters = new Counter[ALL.length];
    private final JvmPauses pauses = new JvmPauses();
    private long stallSumNs;

    /**
     * Connect to the driver of this process, which must be running on another thread.
     *
     * @param aeronDir     of the driver.
     * @param errorHandler told what goes wrong with the client.
     */
    public ProcessCounters(final Path aeronDir, final ErrorHandler errorHandler)
    {
        aeron = Aeron.connect(new Aeron.Context()
            .aeronDirectoryName(aeronDir.toString())
            .useConductorAgentInvoker(true)
            .errorHandler(errorHandler)
            .subscriberErrorHandler(errorHandler));
        invoker = aeron.conductorAgentInvoker();
        try
        {
            for (final ProcessCounter counter : ALL)
            {
                counters[counter.ordinal()] = aeron.addCounter(counter.typeId(), counter.label());
            }
        }
        catch (final RuntimeException ex)
        {
            CloseHelper.quietClose(aeron);
            throw ex;
        }
    }

    /**
     * One turn of the client; several a second keep it alive.
     */
    public void keepAlive()
    {
        invoker.invoke();
    }

    /**
     * Tell what there is to tell; once a second.
     *
     * @param longestStallNs of the last second.
     */
    public void publish(final long longestStallNs)
    {
        stallSumNs += longestStallNs;
        put(ProcessCounter.COLLECTIONS, pauses.collectionCount());
        put(ProcessCounter.COLLECTION_TIME_MS, pauses.collectionTimeMs());
        put(ProcessCounter.SAFEPOINTS, pauses.safepointCount());
        put(ProcessCounter.SAFEPOINT_TIME_MS, pauses.safepointTimeMs());
        put(ProcessCounter.STALL_SUM_NS, stallSumNs);
    }

    private void put(final ProcessCounter key, final long value)
    {
        final Counter counter = counters[key.ordinal()];
        if (!counter.isClosed())
        {
            counter.setRelease(value);
        }
    }

    @Override
    public void close()
    {
        CloseHelper.quietClose(aeron);
    }
}
