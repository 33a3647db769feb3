package io.clusterecho.client.load;

import java.util.SplittableRandom;

import io.clusterecho.schema.EchoMessage;
import io.clusterecho.schema.codecs.EchoRequestDecoder;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * What the messages of one session carry behind their fields: the same bytes in each, drawn by the client id. One thread.
 */
final class Payload
{
    private final UnsafeBuffer bytes;
    private final UnsafeBuffer received = new UnsafeBuffer(0, 0);

    /**
     * Bytes that are not zero: a log whose frames are all zeros cannot be told from one that was never written.
     */
    Payload(final long clientId, final int messageLength)
    {
        bytes = new UnsafeBuffer(new byte[messageLength - EchoMessage.MIN_LENGTH]);
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
     * Whether a message carries it. A check that fits proves nothing of what was damaged before the check was made.
     */
    boolean isIn(final DirectBuffer message, final int offset)
    {
        received.wrap(message, offset + EchoMessage.MIN_LENGTH, bytes.capacity());
        return EchoRequestDecoder.BLOCK_LENGTH == EchoMessage.blockLength(message, offset) && bytes.equals(received);
    }
}
