package io.clusterecho.client.transport;

/** The client side of all sessions of a run, including what they share. One thread calls all methods. */
@FunctionalInterface
public interface TransportConnector extends AutoCloseable
{
    /**
     * A session that is not open yet.
     *
     * @return used by the thread that also uses every other session of this connector; the first one must be polled for the
     * others to make progress.
     */
    Transport newTransport();

    /** A session that is not open yet, receives a copy of each reply and sends nothing, if the transport has any. */
    default Transport newReceiver()
    {
        throw new UnsupportedOperationException("this transport has no receivers");
    }

    /** Release what the sessions share, if anything, after all of them are closed. */
    @Override
    default void close()
    {
    }
}
