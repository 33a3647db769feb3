package io.clusterecho.peers;

import io.clusterecho.client.transport.SendResult;
import io.clusterecho.client.transport.Transport;

import org.agrona.DirectBuffer;

/** A transport that also carries messages that do not have exactly one reply each. */
public interface OneWayTransport extends Transport
{
    /** Hand over a message that does not have exactly one reply. Does not block. */
    default SendResult trySendOneWay(final DirectBuffer message, final int offset, final int length)
    {
        return trySend(message, offset, length);
    }
}
