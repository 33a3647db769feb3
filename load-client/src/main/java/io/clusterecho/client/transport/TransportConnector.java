package io.clusterecho.client.transport;

/**
 * The client's side of all sessions of a run, with what they share. One thread calls all methods.
 */
public interface TransportConnector extends AutoCloseable
{
    /**
     * A session, not open yet.
     *
     * @return to be used by the one thread that also uses every other session of this connector; the first one must be polled
     * for the others to make progress.
     */
    Transport newTransport();

    /**
     * Release what the sessions shared; after all of them are closed.
     */
    @Override
    void close();
}
