package io.clusterecho.peers.session;

import io.clusterecho.client.transport.SendResult;

import org.agrona.DirectBuffer;

/** One connection of a library. All methods are called by the thread that polls the transport. */
public interface Link extends AutoCloseable
{
    /** Hand a message to the library, which must copy what it keeps, since the buffer is reused. Does not block. */
    SendResult trySend(DirectBuffer message, int offset, int length);

    /** Hand over a message that does not have exactly one reply. Does not block. */
    default SendResult trySendOneWay(final DirectBuffer message, final int offset, final int length)
    {
        return trySend(message, offset, length);
    }

    /** Whether the connection is open; once false it stays false. */
    boolean isOpen();

    @Override
    void close();
}
