package io.clusterecho.peers.session;

/** Opens connections of a library. {@link #dial} may block and is called by one thread at a time per transport. */
public interface Dialer extends AutoCloseable
{
    /**
     * Open a connection and wait for it.
     *
     * @param replies   queue into which the library's threads put replies.
     * @throws Exception that says why there is no connection; all its resources are released then.
     */
    Link dial(ReplyQueue replies, long timeoutNs) throws Exception;

    /** The server's endpoints, for messages. */
    String endpoints();

    /** Whether the library guarantees the order of replies. */
    boolean isOrdered();

    /**
     * Maximum messages in flight in one session, from 1; {@link Integer#MAX_VALUE} for as many as fit into the queue of replies.
     */
    int inFlightLimit();

    /** Release resources that connections share. */
    @Override
    void close();
}
