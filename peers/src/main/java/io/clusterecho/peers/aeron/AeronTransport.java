package io.clusterecho.peers.aeron;

import java.io.File;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import io.aeron.Aeron;
import io.aeron.CommonContext;
import io.aeron.ExclusivePublication;
import io.aeron.FragmentAssembler;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.exceptions.AeronException;
import io.aeron.logbuffer.FragmentHandler;
import io.aeron.logbuffer.Header;

import io.clusterecho.client.transport.NotConnectedException;
import io.clusterecho.client.transport.ResponseHandler;
import io.clusterecho.client.transport.SendResult;
import io.clusterecho.client.transport.Transport;
import io.clusterecho.client.transport.TransportConnector;
import io.clusterecho.client.transport.aeron.AeronConnection;
import io.clusterecho.control.member.Deadline;
import io.clusterecho.peers.Conversation;
import io.clusterecho.schema.peers.MessageHeaderEncoder;
import io.clusterecho.schema.peers.SessionOpenEncoder;
import io.clusterecho.schema.peers.SessionOpenedDecoder;
import io.clusterecho.settings.Quantity;

import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.ErrorHandler;
import org.agrona.ExpandableArrayBuffer;

/**
 * One session with a server over Aeron: a publication to it and a subscription to replies. If either is lost, the transport adds
 * a new publication, which the server sees as a new session. Over IPC a dead driver ends the client, and the session stays lost.
 */
final class AeronTransport implements Transport
{
    static final long DRIVER_TIMEOUT_MS = 10_000;
    private static final long RETRY_DELAY_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final int FRAGMENT_LIMIT = 16;

    private final Connector connector;
    private final Place place;
    private final boolean isDriving;
    private final Codec codec;
    private final FragmentHandler assembler = new FragmentAssembler(this::onMessage);
    private final ExpandableArrayBuffer scratch = new ExpandableArrayBuffer();
    private final int replyStreamId = ThreadLocalRandom.current().nextInt(1 << 16, Integer.MAX_VALUE);
    private final SessionOpenEncoder sessionOpen = new SessionOpenEncoder();

    private AeronConnection connection;
    private Subscription subscription;
    private ExclusivePublication publication;
    private ResponseHandler handler;
    private String replyChannel;
    private long publicationId = Aeron.NULL_VALUE;
    private long nextAttemptNs;
    private boolean isOpen;
    private boolean wasOpen;

    private AeronTransport(final Connector connector, final boolean isDriving, final Codec codec)
    {
        this.connector = connector;
        place = connector.place;
        this.isDriving = isDriving;
        this.codec = codec;
    }

    @Override
    public void connect(final long timeoutNs)
    {
        final long deadlineNs = System.nanoTime() + timeoutNs;
        connection = connector.awaitConnection(timeoutNs);
        subscription = connection.aeron().addSubscription(
            place.replyChannel(), place.isShared() ? replyStreamId : AeronPeer.STREAM_ID);
        nextAttemptNs = System.nanoTime();
        while (!isOpen)
        {
            connection.drive();
            advance(System.nanoTime());
            subscription.poll(assembler, FRAGMENT_LIMIT);
            if (!isOpen && (System.nanoTime() - deadlineNs >= 0 || Thread.currentThread().isInterrupted()))
            {
                throw new NotConnectedException(
                    "no session with the server at " + place.endpoints() + " within " + Quantity.formatNs(timeoutNs) +
                    ": " + (null != publication && publication.isConnected() ? "it does not answer" : "no subscriber") +
                    "; check that the server runs at this address", null);
            }
            Thread.yield();
        }
        wasOpen = true;
    }

    @Override
    public SendResult trySend(final DirectBuffer message, final int offset, final int length)
    {
        if (!isOpen)
        {
            return SendResult.DISCONNECTED;
        }

        final long result = codec.send(publication, message, offset, length);
        return result > 0 ? SendResult.SENT : Publication.BACK_PRESSURED == result || Publication.ADMIN_ACTION == result ?
            SendResult.BACK_PRESSURED : SendResult.DISCONNECTED;
    }

    @Override
    public int poll(final ResponseHandler responseHandler, final int limit)
    {
        handler = responseHandler;
        int workCount = isDriving ? connection.drive() : 0;
        if (subscription.isClosed())
        {
            isOpen = false;
            return workCount;
        }

        workCount += subscription.poll(assembler, limit);
        if (!isOpen)
        {
            workCount += advance(System.nanoTime());
        }
        else if (!publication.isConnected() || 0 == subscription.imageCount())
        {
            lose();
        }

        return workCount;
    }

    @Override
    public void close()
    {
        isOpen = false;
        CloseHelper.quietClose(publication);
        CloseHelper.quietClose(subscription);
        if (isDriving && null != connection)
        {
            // A driver without threads of its own sends the end of the stream to the server here.
            for (int i = 0; i < 10; i++)
            {
                connection.drive();
            }
        }
    }

    private void lose()
    {
        isOpen = false;
        CloseHelper.quietClose(publication);
        publication = null;
        nextAttemptNs = System.nanoTime();
    }

    /** Next step of opening a session: add a publication, send the reply address, poll for the answer. Does not block. */
    private int advance(final long nowNs)
    {
        try
        {
            if (null == replyChannel)
            {
                replyChannel = place.isShared() ?
                    place.replyChannel() : subscription.tryResolveChannelEndpointPort();
                return 0;
            }
            if (null == publication)
            {
                return advancePublication();
            }
            if (publication.isConnected() && nowNs - nextAttemptNs >= 0)
            {
                sessionOpen.wrapAndApplyHeader(scratch, 0, new MessageHeaderEncoder())
                    .streamId(subscription.streamId()).channel(replyChannel);
                publication.offer(scratch, 0, MessageHeaderEncoder.ENCODED_LENGTH + sessionOpen.encodedLength());
                nextAttemptNs = nowNs + RETRY_DELAY_NS;
                return 1;
            }
        }
        catch (final AeronException ex)
        {
            connection.aeron().context().errorHandler().onError(ex);
            publicationId = Aeron.NULL_VALUE;
        }

        return 0;
    }

    private int advancePublication()
    {
        if (Aeron.NULL_VALUE == publicationId)
        {
            publicationId = connection.aeron().asyncAddExclusivePublication(place.channel(), AeronPeer.STREAM_ID);
            return 1;
        }

        publication = connection.aeron().getExclusivePublication(publicationId);
        publicationId = null == publication ? publicationId : Aeron.NULL_VALUE;
        return null == publication ? 0 : 1;
    }

    private void onMessage(final DirectBuffer buffer, final int offset, final int length, final Header header)
    {
        final long nowNs = System.nanoTime();
        if (SessionOpenedDecoder.TEMPLATE_ID == Conversation.peersTemplateId(buffer, offset, length))
        {
            onOpened();
            return;
        }

        // Replies over a session that was lost are dropped.
        final int messageLength = isOpen ? codec.decode(buffer, offset, length) : -1;
        if (messageLength >= 0)
        {
            // As other libraries do, which parse a message before they hand it over.
            handler.onResponse(
                codec.message(), codec.messageOffset(), messageLength, codec.isIdentity() ? nowNs : System.nanoTime());
        }
    }

    private void onOpened()
    {
        final boolean isReopened = !isOpen && wasOpen;
        isOpen = true;
        if (isReopened)
        {
            handler.onReconnected();
        }
    }

    /** One Aeron client for all sessions of a process. Over UDP it has its own media driver, over IPC it uses the server's. */
    static final class Connector implements TransportConnector
    {
        private final Place place;
        private final WireFormat format;
        private final ErrorHandler errorHandler;
        private AeronConnection connection;
        private int transportCount;

        /** @param connection null over IPC until the server's media driver runs. */
        Connector(
            final Place place, final WireFormat format, final ErrorHandler errorHandler, final AeronConnection connection)
        {
            this.place = place;
            this.format = format;
            this.errorHandler = errorHandler;
            this.connection = connection;
        }

        @Override
        public AeronTransport newTransport()
        {
            return new AeronTransport(this, 0 == transportCount++, format.newCodec(true));
        }

        @Override
        public void close()
        {
            CloseHelper.quietClose(connection);
        }

        /** The Aeron client. Over IPC this waits for the server's media driver; fails if there is none in time. */
        private AeronConnection awaitConnection(final long timeoutNs)
        {
            if (null == connection)
            {
                if (!Deadline.in(timeoutNs).await(() ->
                    CommonContext.isDriverActive(new File(place.sharedFolder), DRIVER_TIMEOUT_MS, (line) -> { })))
                {
                    throw new NotConnectedException(
                        "no session with the server at " + place.endpoints + " within " + Quantity.formatNs(timeoutNs) +
                        ": no media driver runs in " + place.sharedFolder +
                        "; check that the server runs with this folder", null);
                }
                connection = AeronConnection.to(place.sharedFolder, errorHandler);
            }

            return connection;
        }
    }

    /**
     * Where the server is.
     *
     * @param replyChannel of the subscription to replies; over UDP with port 0.
     * @param sharedFolder of the server's media driver over IPC, else null.
     */
    record Place(String endpoints, String channel, String replyChannel, String sharedFolder)
    {
        boolean isShared()
        {
            return null != sharedFolder;
        }
    }
}
