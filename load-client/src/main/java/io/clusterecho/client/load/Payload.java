package io.clusterecho.client.load;

import java.util.SplittableRandom;

import io.clusterecho.schema.EchoMessage;
import io.clusterecho.schema.codecs.EchoRequestDecoder;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Content of a session's messages after their fields: the same bytes in each, as many as it is long, generated from the client
 * id. One thread.
 */
final class Payload
{
    private final UnsafeBuffer bytes;
    private final UnsafeBuffer expected = new UnsafeBuffer(0, 0);
    private final UnsafeBuffer received = new UnsafeBuffer(0, 0);

    /**
     * Bytes other than zero: a log whose frames are all zeros looks like one that was never written.
     *
     * @param maxLength of a whole message in bytes.
     */
    Payload(final long clientId, final int maxLength)
    {
        bytes = new UnsafeBuffer(new byte[maxLength - EchoMessage.MIN_LENGTH]);
        final SplittableRandom random = new SplittableRandom(clientId);
        for (int i = 0; i < bytes.capacity(); i++)
        {
            bytes.putByte(i, (byte)random.nextInt(1, 256));
        }
    }

    void copyTo(final MutableDirectBuffer message)
    {
        message.putBytes(EchoMessage.MIN_LENGTH, bytes, 0, bytes.capacity());
    }

    /**
     * Whether a message contains this payload. A matching check proves nothing about damage before the check was computed.
     *
     * @param length of the whole message in bytes.
     */
    boolean isIn(final DirectBuffer message, final int offset, final int length)
    {
        expected.wrap(bytes, 0, length - EchoMessage.MIN_LENGTH);
        received.wrap(message, offset + EchoMessage.MIN_LENGTH, length - EchoMessage.MIN_LENGTH);
        return EchoRequestDecoder.BLOCK_LENGTH == EchoMessage.blockLength(message, offset) && expected.equals(received);
    }
}
