package io.clusterecho.client.transport;

/**
 * What became of an attempt to send.
 */
public enum SendResult
{
    /**
     * The transport has taken the message. Whether it arrives only its reply tells.
     */
    SENT,

    /**
     * No room now; the same message may be tried again.
     */
    BACK_PRESSURED,

    /**
     * Nobody to send to now (no session, or an election); the same message may be tried again.
     */
    DISCONNECTED
}
