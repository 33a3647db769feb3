package io.clusterecho.media.counters;

import java.nio.file.Path;

import io.aeron.Aeron;
import io.aeron.Counter;

import org.agrona.CloseHelper;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.AgentInvoker;

/**
 * Publishes the {@link ProcessCounter}s of this process through its media driver. Has a separate Aeron client, used only by the
 * one thread that calls {@link #publish(long)}, so its liveness does not affect other components.
 * Publishes nothing more once the driver has lost that client, as after a long pause of the process.
 */
public final class ProcessCounters implements AutoCloseable
{
    private static final ProcessCounter[] ALL = ProcessCounter.values();

    private final Aeron aeron;
    private final AgentInvoker invoker;
    private final Counter[] counters = new Counter[ALL.length];
    private long stallSumNs;

    /** Connect to the driver of this process, which must be running on another thread. */
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

    /** Publish the counters, with the longest stall of the last second, and keep the client alive; call it once a second. */
    public void publish(final long longestStallNs)
    {
        invoker.invoke();
        stallSumNs += longestStallNs;
        for (final ProcessCounter key : ALL)
        {
            final Counter counter = counters[key.ordinal()];
            if (!counter.isClosed())
            {
                counter.setRelease(ProcessCounter.STALL_SUM_NS == key ? stallSumNs : key.read());
            }
        }
    }

    @Override
    public void close()
    {
        CloseHelper.quietClose(aeron);
    }
}
