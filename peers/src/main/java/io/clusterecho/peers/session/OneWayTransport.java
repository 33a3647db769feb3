package io.clusterecho.peers.session;

import io.clusterecho.client.transport.SendResult;
import io.clusterecho.client.transport.Transport;

import org.agrona.DirectBuffer;

/**
 * A transport that can also carry messages that are not answered one by one.
 */
public interface OneWayTransport extends Transport
{
    /**
     * Hand over a message that has no reply, or not exactly one; or fail at once.
     *
     * @param message which holds it.
     * @param offset  in bytes at which it begins.
     * @param length  in bytes, from 1.
     * @return what became of it.
     */
    SendResult trySendOneWay(DirectBuffer message, int offset, int length);
}
