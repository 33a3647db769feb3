package io.clusterecho.node.service;

import java.util.function.Function;

import io.clusterecho.media.counters.ServiceCounter;

import org.agrona.CloseHelper;
import org.agrona.concurrent.status.AtomicCounter;

/**
 * All {@link ServiceCounter}s, written by the service's thread alone.
 */
final class ServiceCounters implements AutoCloseable
{
    private static final ServiceCounter[] ALL = ServiceCounter.values();

    private final AtomicCounter[] counters = new AtomicCounter[ALL.length];

    /**
     * Make every counter; if one cannot be made, those before it are closed again.
     *
     * @param factory of a counter.
     */
    ServiceCounters(final Function<ServiceCounter, AtomicCounter> factory)
    {
        try
        {
            for (final ServiceCounter counter : ALL)
            {
                counters[counter.ordinal()] = factory.apply(counter);
            }
        }
        catch (final RuntimeException ex)
        {
            close();
            throw ex;
        }
    }

    void increment(final ServiceCounter counter)
    {
        counters[counter.ordinal()].incrementRelease();
    }

    void add(final ServiceCounter counter, final long value)
    {
        counters[counter.ordinal()].getAndAddRelease(value);
    }

    void set(final ServiceCounter counter, final long value)
    {
        counters[counter.ordinal()].setRelease(value);
    }

    /**
     * Give the counters back to the media driver. Nothing may be counted afterwards.
     */
    @Override
    public void close()
    {
        CloseHelper.quietCloseAll(counters);
    }
}
