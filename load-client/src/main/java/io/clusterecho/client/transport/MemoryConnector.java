package io.clusterecho.client.transport;

import java.util.function.Supplier;

/** Makes independent echoes in memory. */
public final class MemoryConnector implements TransportConnector
{
    private final Supplier<MemoryTransport> factory;

    /** @param factory of an echo for each session. */
    public MemoryConnector(final Supplier<MemoryTransport> factory)
    {
        this.factory = factory;
    }

    @Override
    public Transport newTransport()
    {
        return factory.get();
    }

    @Override
    public void close()
    {
        // Nothing outlives a session.
    }
}
