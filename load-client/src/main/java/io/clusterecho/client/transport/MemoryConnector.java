package io.clusterecho.client.transport;

import java.util.function.Supplier;

/**
 * Makes echoes in memory, which share nothing.
 */
public final class MemoryConnector implements TransportConnector
{
    private final Supplier<MemoryTransport> factory;

    /**
     * @param factory of one echo for each session.
     */
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
        // There is nothing that outlives a session.
    }
}
