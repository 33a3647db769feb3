package io.clusterecho.peers;

import java.nio.ByteBuffer;

import io.clusterecho.client.transport.SendResult;

import org.agrona.DirectBuffer;

/**
 * One connection of a library, which calls back on its own threads. The thread that polls the transport calls all methods; those
 * of the library call {@link #take} and {@link #fail()} only.
 */
abstract class Link implements AutoCloseable
{
    private final ReplyQueue replies;
    private volatile boolean isOpen = true;

    /** Opens connections of a library, which share nothing that must be released. */
    @FunctionalInterface
    interface Dialer
    {
        /**
         * Open a connection and wait for it. May block; called by one thread at a time per transport.
         *
         * @param replies queue into which the library's threads put replies.
         * @throws Exception that says why there is no connection; all its resources are released then.
         */
        Link dial(ReplyQueue replies, long timeoutNs) throws Exception;
    }

    protected Link(final ReplyQueue replies)
    {
        this.replies = replies;
    }

    /** Hand a copy of a message to the library. Does not block. */
    public final SendResult trySend(final DirectBuffer message, final int offset, final int length)
    {
        return isReady(length) ? send(copy(message, offset, length)) :
            isOpen() ? SendResult.BACK_PRESSURED : SendResult.DISCONNECTED;
    }

    /** Hand over a message that does not have exactly one reply. Does not block. */
    public SendResult trySendOneWay(final DirectBuffer message, final int offset, final int length)
    {
        return trySend(message, offset, length);
    }

    /** Whether the connection is open; once false it stays false. */
    public boolean isOpen()
    {
        return isOpen;
    }

    @Override
    public final void close()
    {
        isOpen = false;
        release();
    }

    /** Whether the library takes a message of a length in bytes now; false is back pressure. */
    protected boolean isReady(final int length)
    {
        return true;
    }

    /** Hand over a message, which the library may keep. Does not block. */
    protected abstract SendResult send(byte[] message);

    /** Release what the library holds for the connection. */
    protected abstract void release();

    /** Pass on a reply, from position to limit, that the library passed on at a {@link System#nanoTime()}. */
    protected final void take(final ByteBuffer reply, final long receiveTimeNs)
    {
        replies.put(reply, receiveTimeNs);
    }

    protected final void fail()
    {
        isOpen = false;
    }

    /** The bytes of a message in an array of their own. */
    protected static byte[] copy(final DirectBuffer message, final int offset, final int length)
    {
        final byte[] bytes = new byte[length];
        message.getBytes(offset, bytes);
        return bytes;
    }
}
