package io.clusterecho.client.schedule;

/** Kind and length of each message, as functions of its index. For one thread; does not allocate. */
public interface MessageMix
{
    /** Kind of message n, from 0: its index in {@link Messages#kinds()}. */
    int kindOf(long index);

    /** Length of message n, from 0, header included. */
    int lengthBytes(long index);
}
