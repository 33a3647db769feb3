package io.clusterecho.client.schedule;

/** Kind and length of each message, as functions of its index. For one thread; does not allocate. */
public interface MessageMix
{
    /**
     * Kind of message n.
     *
     * @param index of the message, from 0.
     * @return index in {@link Messages#kinds()}.
     */
    int kindOf(long index);

    /**
     * Length of message n, header included.
     *
     * @param index of the message, from 0.
     */
    int lengthBytes(long index);
}
