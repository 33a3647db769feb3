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
    /**
     * Open the session, waiting for it.
     *
     * @param timeoutNs how long to wait at the most.
     * @throws NotConnectedException that says who was tried, for how long, and what to look at.
     */
    void connect(long timeoutNs);

    /**
     * Hand a message over, or fail at once.
     *
     * @param message which holds it.
     * @param offset  in bytes at which it begins.
     * @param length  in bytes.
     * @return what became of it.
     */
    SendResult trySend(DirectBuffer message, int offset, int length);

    /**
     * Take what has arrived and keep the session alive. To be called all the time, also while not connected: a lost
     * session is found again here.
     *
     * @param handler called for each message.
     * @param limit   of messages to take, about.
     * @return number of things done; 0 when there was nothing.
     */
    int poll(ResponseHandler handler, int limit);

    /**
     * Whether messages can be sent: false during an election and while a session is being opened again.
     *
     * @return true if a session is there.
     */
    boolean isConnected();

    /**
     * Whether replies come in the order of their messages as long as one session lasts.
     *
     * @return true if the transport promises that.
     */
    default boolean isOrdered()
    {
        return true;
    }

    /**
     * Template of the reply to a request that is not ordered: the request's own where its bytes are sent back as they are.
     *
     * @return the template id.
     */
    default int replyTemplateId()
    {
        return EchoResponseDecoder.TEMPLATE_ID;
    }

    /**
     * End the session and release what belongs to it.
     */
    @Override
    void close();
}
