package io.clusterecho.node.service;

import java.util.function.Function;

import io.clusterecho.media.counters.ServiceCounter;

import org.agrona.CloseHelper;
import org.agrona.concurrent.status.AtomicCounter;

/** All {@link ServiceCounter}s, written only by the service's thread. */
final class ServiceCounters implements AutoCloseable
{
    private static final ServiceCounter[] ALL = ServiceCounter.values();

    private final AtomicCounter[] counters = new AtomicCounter[ALL.length];

    ServiceCounters(final Function<ServiceCounter, AtomicCounter> factory)
    {
        for (final ServiceCounter counter : ALL)
        {
            counters[counter.ordinal()] = factory.apply(counter);
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

    /** Return the counters to the media driver. No counting afterwards. */
    @Override
    public void close()
    {
        CloseHelper.quietCloseAll(counters);
    }
}
