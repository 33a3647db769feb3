package io.clusterecho.peers.aeron;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.Publication;
import io.aeron.logbuffer.BufferClaim;

import io.clusterecho.peers.server.Conversation;
import io.clusterecho.schema.peers.MessageHeaderEncoder;
import io.clusterecho.schema.peers.SessionOpenedEncoder;

import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;

/**
 * The server's end of one session. The server's thread calls {@link #take}, {@link #doWork()} and {@link #close()};
 * {@link #answer} and {@link #stream()} are called by the worker where there is one, else by the server's thread. The worker
 * sees a session only once its publication is connected, and none after it was told to leave it.
 */
final class ServerSession implements AutoCloseable
{
    private static final int PRICES_PER_TURN = 64;

    private final Aeron aeron;
    private final int streamId;
    private final Codec codec;
    private final CallWorker worker;
    private final Conversation conversation = new Conversation();
    private final BufferClaim claim = new BufferClaim();
    private final ExpandableArrayBuffer reply = new ExpandableArrayBuffer();
    private final ExpandableArrayBuffer encoded = new ExpandableArrayBuffer();
    private long publicationId;
    private ExclusivePublication publication;
    private boolean isConfirmed;
    private int workerSlot = -1;

    ServerSession(
        final Aeron aeron, final String channel, final int streamId, final Codec codec, final CallWorker worker)
    {
        this.aeron = aeron;
        this.streamId = streamId;
        this.codec = codec;
        this.worker = worker;
        publicationId = aeron.asyncAddExclusivePublication(channel, streamId);
    }

    int doWork()
    {
        if (!isConfirmed)
        {
            return advance();
        }

        return null == worker ? stream() : 0;
    }

    /**
     * Take a message.
     *
     * @return false if it cannot be taken now, since its reply, or the queue to the worker, meets back pressure.
     */
    boolean take(final DirectBuffer buffer, final int offset, final int length)
    {
        if (!isConfirmed)
        {
            // Sent before the way back was there: nobody waits for the reply.
            return true;
        }

        return null == worker ? answer(buffer, offset, length) : worker.tryPut(workerSlot, buffer, offset, length);
    }

    /**
     * Answer a message.
     *
     * @return false if the reply meets back pressure; then nothing has been done.
     */
    boolean answer(final DirectBuffer buffer, final int offset, final int length)
    {
        final int messageLength = codec.decode(buffer, offset, length);
        if (messageLength < 0)
        {
            return true;
        }

        final DirectBuffer message = codec.message();
        final int messageOffset = codec.messageOffset();
        final int replyLength = Conversation.replyLength(message, messageOffset, messageLength);
        if (0 == replyLength)
        {
            conversation.take(message, messageOffset, messageLength, reply, 0);
            return true;
        }

        final int encodedLength = codec.encodedLength(replyLength);
        if (encodedLength > publication.maxPayloadLength())
        {
            conversation.take(message, messageOffset, messageLength, reply, 0);
            return isDone(offerLong(replyLength, encodedLength));
        }

        final long result = publication.tryClaim(encodedLength, claim);
        if (result > 0)
        {
            if (codec.isIdentity())
            {
                conversation.take(message, messageOffset, messageLength, claim.buffer(), claim.offset());
            }
            else
            {
                conversation.take(message, messageOffset, messageLength, reply, 0);
                codec.encode(reply, 0, replyLength, claim.buffer(), claim.offset());
            }
            claim.commit();
        }

        return isDone(result);
    }

    /**
     * Send prices that were asked for.
     *
     * @return the number sent.
     */
    int stream()
    {
        int count = 0;
        while (conversation.isStreaming() && count < PRICES_PER_TURN)
        {
            final long result = publication.tryClaim(codec.encodedLength(Conversation.PRICE_LENGTH), claim);
            if (result < 0)
            {
                break;
            }
            if (codec.isIdentity())
            {
                conversation.writePrice(claim.buffer(), claim.offset());
            }
            else
            {
                conversation.writePrice(reply, 0);
                codec.encode(reply, 0, Conversation.PRICE_LENGTH, claim.buffer(), claim.offset());
            }
            claim.commit();
            conversation.onPriceSent();
            count++;
        }

        return count;
    }

    @Override
    public void close()
    {
        if (null != worker)
        {
            worker.leave(workerSlot);
        }
        CloseHelper.quietClose(publication);
        if (null == publication)
        {
            aeron.asyncRemovePublication(publicationId);
        }
    }

    private long offerLong(final int replyLength, final int encodedLength)
    {
        if (codec.isIdentity())
        {
            return publication.offer(reply, 0, replyLength);
        }

        codec.encode(reply, 0, replyLength, encoded, 0);
        return publication.offer(encoded, 0, encodedLength);
    }

    private int advance()
    {
        if (null == publication)
        {
            publication = aeron.getExclusivePublication(publicationId);
            return 0;
        }
        if (!publication.isConnected())
        {
            return 0;
        }

        new SessionOpenedEncoder().wrapAndApplyHeader(reply, 0, new MessageHeaderEncoder()).streamId(streamId);
        isConfirmed =
            publication.offer(reply, 0, MessageHeaderEncoder.ENCODED_LENGTH + SessionOpenedEncoder.BLOCK_LENGTH) > 0;
        if (isConfirmed && null != worker)
        {
            workerSlot = worker.join(this);
        }

        return 1;
    }

    /**
     * Only back pressure is waited out: without a subscriber nobody waits for the reply.
     */
    private static boolean isDone(final long result)
    {
        return Publication.BACK_PRESSURED != result && Publication.ADMIN_ACTION != result;
    }
}
