package io.clusterecho.client.transport;

import org.agrona.DirectBuffer;

/** Receives messages from a transport, on the thread that polls it. */
@FunctionalInterface
public interface ResponseHandler
{
    /** An arrival time that is not known. */
    long UNKNOWN_NS = Long.MIN_VALUE;

    /** A message was received, in a buffer valid only during the call, at a {@link System#nanoTime()} of the transport. */
    void onResponse(DirectBuffer buffer, int offset, int length, long receiveTimeNs);

    /**
     * A message was received whose arrival the transport may know.
     *
     * @param buffer        with the message, valid only during the call.
     * @param receiveTimeNs {@link System#nanoTime()} when the transport delivered the bytes.
     * @param arrivalTimeNs on the same clock, when the message could have been taken; or {@link #UNKNOWN_NS}.
     */
    default void onResponse(
        final DirectBuffer buffer, final int offset, final int length, final long receiveTimeNs, final long arrivalTimeNs)
    {
        onResponse(buffer, offset, length, receiveTimeNs);
    }

    /** Another member is the leader now. */
    default void onNewLeader(final int memberId, final long leadershipTermId)
    {
    }

    /** A new session replaced a lost one. Unanswered messages may be lost. */
    default void onReconnected()
    {
    }
}
