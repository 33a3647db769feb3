package io.clusterecho.peers.aeron;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.Publication;
import io.aeron.logbuffer.BufferClaim;

import io.clusterecho.peers.Conversation;
import io.clusterecho.peers.Prices;
import io.clusterecho.schema.peers.MessageHeaderEncoder;
import io.clusterecho.schema.peers.SessionOpenedEncoder;

import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;

/**
 * The server's end of one session. The server's thread calls {@link #take}, {@link #doWork()} and {@link #close()}. The worker,
 * if there is one, calls {@link #answer}, else the server's thread does. The worker uses a session only between the connection
 * of its publication and its removal.
 */
final class ServerSession implements AutoCloseable
{
    private static final int PRICES_PER_TURN = 64;

    private final Aeron aeron;
    private final int streamId;
    private final Codec codec;
    private final CallWorker worker;
    private final Conversation conversation = new Conversation();
    private final Prices.Writer prices = new Prices.Writer();
    private final BufferClaim claim = new BufferClaim();
    private final ExpandableArrayBuffer reply = new ExpandableArrayBuffer();
    private long publicationId;
    private ExclusivePublication publication;
    private boolean isConfirmed;
    private int workerSlot = -1;
    private long nextPrice;
    private long priceCount;

    ServerSession(final Aeron aeron, final String channel, final int streamId, final Codec codec, final CallWorker worker)
    {
        this.aeron = aeron;
        this.streamId = streamId;
        this.codec = codec;
        this.worker = worker;
        publicationId = aeron.asyncAddExclusivePublication(channel, streamId);
    }

    int doWork()
    {
        return !isConfirmed ? advance() : null == worker ? stream() : 0;
    }

    /** Process a message; false if it cannot be now because its reply, or the queue to the worker, meets back pressure. */
    boolean take(final DirectBuffer buffer, final int offset, final int length)
    {
        if (!isConfirmed)
        {
            // Sent before the reply channel was connected: the client does not wait for a reply.
            return true;
        }

        return null == worker ? answer(buffer, offset, length) : worker.tryPut(workerSlot, buffer, offset, length);
    }

    /** Answer a message; false if the reply meets back pressure, and the message was not processed. */
    boolean answer(final DirectBuffer buffer, final int offset, final int length)
    {
        if (!codec.isIdentity() && publication.availableWindow() <= 0 && publication.isConnected())
        {
            // Decoding in vain with each attempt would cost more than the message.
            return false;
        }

        final int messageLength = codec.decode(buffer, offset, length);
        if (messageLength < 0)
        {
            return true;
        }

        final DirectBuffer message = codec.message();
        final int messageOffset = codec.messageOffset();
        if (null != worker && Conversation.isOther(message, messageOffset, messageLength))
        {
            return send(message, messageOffset, messageLength);
        }

        final int replyLength = Conversation.replyLength(message, messageOffset, messageLength);
        if (0 == replyLength)
        {
            final long requestedCount = Prices.requested(message, messageOffset, messageLength);
            if (requestedCount < 0)
            {
                conversation.take(message, messageOffset, messageLength, reply, 0);
            }
            else
            {
                nextPrice = 0;
                priceCount = requestedCount;
            }
            return true;
        }

        final int encodedLength = codec.encodedLength(replyLength);
        if (encodedLength > publication.maxPayloadLength())
        {
            conversation.take(message, messageOffset, messageLength, reply, 0);
            return send(reply, 0, replyLength);
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

    private boolean send(final DirectBuffer message, final int offset, final int length)
    {
        return isDone(codec.send(publication, message, offset, length));
    }

    /** Send the next prices of a stream, if there is one; only messages without encoding request one. Returns how many. */
    private int stream()
    {
        int count = 0;
        while (nextPrice < priceCount && count < PRICES_PER_TURN)
        {
            if (publication.tryClaim(Prices.ENCODED_LENGTH, claim) < 0)
            {
                break;
            }
            prices.write(nextPrice, claim.buffer(), claim.offset());
            claim.commit();
            nextPrice++;
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

    /** Retry only on back pressure: without a subscriber no client waits for the reply. */
    private static boolean isDone(final long result)
    {
        return Publication.BACK_PRESSURED != result && Publication.ADMIN_ACTION != result;
    }
}
