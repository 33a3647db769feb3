package io.clusterecho.peers.session;

import io.clusterecho.client.transport.SendResult;

import org.agrona.DirectBuffer;

/**
 * One connection of a library. The thread that polls the transport calls all methods.
 */
public interface Link extends AutoCloseable
{
    /**
     * Hand a message to the library, or fail at once.
     *
     * @param message which holds it; the library may keep what it needs of it only in a copy.
     * @param offset  in bytes at which it begins.
     * @param length  in bytes.
     * @return what became of it.
     */
    SendResult trySend(DirectBuffer message, int offset, int length);

    /**
     * Hand over a message that has no reply, or not exactly one; or fail at once.
     *
     * @param message which holds it.
     * @param offset  in bytes at which it begins.
     * @param length  in bytes, from 1.
     * @return what became of it.
     */
    default SendResult trySendOneWay(final DirectBuffer message, final int offset, final int length)
    {
        return trySend(message, offset, length);
    }

    /**
     * Whether the connection is there; once false it stays so.
     *
     * @return true if it is there.
     */
    boolean isOpen();

    @Override
    void close();
}
