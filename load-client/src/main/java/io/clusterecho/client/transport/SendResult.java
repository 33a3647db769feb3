package io.clusterecho.client.transport;

/** Result of an attempt to send. */
public enum SendResult
{
    /** The transport accepted the message. Only the reply shows whether it arrived. */
    SENT,

    /** Not accepted now; the message may be offered again. */
    BACK_PRESSURED,

    /** No session or an election; the message may be offered again. */
    DISCONNECTED
}
