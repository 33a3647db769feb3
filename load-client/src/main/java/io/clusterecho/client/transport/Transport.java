package io.clusterecho.client.transport;

import io.clusterecho.schema.codecs.EchoResponseDecoder;

import org.agrona.DirectBuffer;

/**
 * One session with an echo. Messages are encoded before a transport sees them, so that all transports carry the same
 * bytes. One thread calls all methods; none but {@link #connect(long)} and {@link #close()} blocks, allocates in steady
 * state, or logs.
 */
public interface Transport extends AutoCloseable
{
    /** Open the session and wait for it; a {@link NotConnectedException} has the address, the timeout, and what to check. */
    void connect(long timeoutNs);

    /** Send a message, or fail at once. */
    SendResult trySend(DirectBuffer message, int offset, int length);

    /** Send a message that does not have exactly one reply, or fail at once. */
    default SendResult trySendOneWay(final DirectBuffer message, final int offset, final int length)
    {
        return trySend(message, offset, length);
    }

    /**
     * Receive messages and keep the session alive. Must be called continuously, even while not connected: this is where a lost
     * session is recovered. Returns a work count; 0 if idle.
     */
    int poll(ResponseHandler handler, int limit);

    /** Whether replies within a session arrive in the order of their messages. */
    default boolean isOrdered()
    {
        return true;
    }

    /** Whether replies come from the client itself, so that the time of a system cannot be separated from the client's. */
    default boolean isWithinClient()
    {
        return false;
    }

    /** Id of its session in the cluster; 0 without one. */
    default long sessionId()
    {
        return 0;
    }

    /** Template id of the reply to an unordered request: the request's own if its bytes are echoed. */
    default int replyTemplateId()
    {
        return EchoResponseDecoder.TEMPLATE_ID;
    }

    @Override
    void close();
}
