package io.clusterecho.client.transport;

/** The client side of all sessions of a run, including what they share. One thread calls all methods. */
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
     * A session that is not open yet and receives a copy of each reply.
     *
     * @return used as any other session, except that nothing is sent.
     * @throws UnsupportedOperationException if the transport has none.
     */
    default Transport newReceiver()
    {
        throw new UnsupportedOperationException("this transport has no receivers");
    }

    /** Release what the sessions share, after all of them are closed. */
    @Override
    void close();
}
