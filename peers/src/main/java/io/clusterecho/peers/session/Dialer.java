package io.clusterecho.peers.session;

/**
 * Opens connections of a library. {@link #dial} is called by a thread that may wait, one at a time per transport.
 */
public interface Dialer extends AutoCloseable
{
    /**
     * Open a connection, waiting for it.
     *
     * @param replies   to which the library's threads hand what they receive.
     * @param timeoutNs how long to wait at the most, in ns.
     * @throws Exception that says why there is none; nothing of it is left then.
     */
    Link dial(ReplyQueue replies, long timeoutNs) throws Exception;

    /**
     * Where it looks for a server, for messages to a person.
     */
    String endpoints();

    /**
     * Whether replies come in order.
     *
     * @return true if the library promises that.
     */
    boolean isOrdered();

    /**
     * Most messages that may be under way in one session.
     *
     * @return the count, from 1; {@link Integer#MAX_VALUE} for as many as there is room for.
     */
    int inFlightLimit();

    /**
     * Release what connections share.
     */
    @Override
    void close();
}
