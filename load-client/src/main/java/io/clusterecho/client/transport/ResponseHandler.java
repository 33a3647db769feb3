package io.clusterecho.client.transport;

import org.agrona.DirectBuffer;

/**
 * Takes what a transport receives, on the thread that polls it.
 */
@FunctionalInterface
public interface ResponseHandler
{
    /**
     * One message came back.
     *
     * @param buffer        which holds it during the call only.
     * @param offset        in bytes at which the message begins.
     * @param length        in bytes.
     * @param receiveTimeNs {@link System#nanoTime()} when the transport handed the bytes over.
     */
    void onResponse(DirectBuffer buffer, int offset, int length, long receiveTimeNs);

    /**
     * Another member leads from now on.
     *
     * @param memberId         of the leader.
     * @param leadershipTermId of its term.
     */
    default void onNewLeader(final int memberId, final long leadershipTermId)
    {
    }

    /**
     * A new session took the place of one that was lost. What was sent but not answered may be lost with it.
     */
    default void onReconnected()
    {
    }
}
