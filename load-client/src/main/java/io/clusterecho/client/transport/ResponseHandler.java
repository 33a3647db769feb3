package io.clusterecho.client.transport;

import org.agrona.DirectBuffer;

/**
 * Receives messages from a transport, on the thread that polls it.
 */
@FunctionalInterface
public interface ResponseHandler
{
    /**
     * A message was received.
     *
     * @param buffer        with the message, valid only during the call.
     * @param offset        of the message in bytes.
     * @param length        in bytes.
     * @param receiveTimeNs {@link System#nanoTime()} when the transport delivered the bytes.
     */
    void onResponse(DirectBuffer buffer, int offset, int length, long receiveTimeNs);

    /**
     * Another member is the leader now.
     *
     * @param memberId         of the leader.
     * @param leadershipTermId of its term.
     */
    default void onNewLeader(final int memberId, final long leadershipTermId)
    {
    }

    /**
     * A new session replaced a lost one. Unanswered messages may be lost.
     */
    default void onReconnected()
    {
    }
}
