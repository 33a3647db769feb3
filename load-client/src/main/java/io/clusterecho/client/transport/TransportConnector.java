package io.clusterecho.client.transport;

/**
 * The client side of all sessions of a run, including what they share. One thread calls all methods.
 */
public interface TransportConnector extends AutoCloseable
{
    /**
     * A session that is not open yet.
     *
     * @return used by the thread that also uses every other session of this connector; the first one must be polled for the
     * others to make progress.
     */
    Transport newTransport();

    /**
     * Release what the sessions share, after all of them are closed.
     */
    @Override
    void close();
}
