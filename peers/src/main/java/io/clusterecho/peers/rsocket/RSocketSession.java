package io.clusterecho.peers.rsocket;

import io.clusterecho.client.transport.SendResult;
import io.clusterecho.peers.server.Conversation;
import io.clusterecho.peers.session.Link;
import io.clusterecho.peers.session.ReplyQueue;
import io.clusterecho.schema.peers.PriceRequestDecoder;

import io.rsocket.Payload;
import io.rsocket.RSocket;
import io.rsocket.util.DefaultPayload;

import org.agrona.DirectBuffer;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;

/** A session over RSocket, with one connection. */
abstract class RSocketSession extends Link
{
    private final RSocket socket;

    private RSocketSession(final RSocket socket, final ReplyQueue replies)
    {
        super(replies);
        this.socket = socket;
    }

    @Override
    public boolean isOpen()
    {
        return super.isOpen() && !socket.isDisposed();
    }

    @Override
    protected void release()
    {
        socket.dispose();
    }

    private void onReply(final Payload reply)
    {
        final long nowNs = System.nanoTime();
        take(reply.getData(), nowNs);
        reply.release();
    }

    private void onLost()
    {
        fail();
    }

    /** One request for each message. */
    static final class Calls extends RSocketSession
    {
        Calls(final RSocket socket, final ReplyQueue replies)
        {
            super(socket, replies);
        }

        @Override
        protected SendResult send(final byte[] message)
        {
            super.socket.requestResponse(DefaultPayload.create(message)).subscribe(super::onReply, (error) -> super.onLost());
            return SendResult.SENT;
        }

        @Override
        public SendResult trySendOneWay(final DirectBuffer message, final int offset, final int length)
        {
            if (PriceRequestDecoder.TEMPLATE_ID != Conversation.peersTemplateId(message, offset, length))
            {
                return trySend(message, offset, length);
            }

            super.socket.requestStream(DefaultPayload.create(copy(message, offset, length))).subscribe(new Replies(this));
            return SendResult.SENT;
        }
    }

    /** One channel. Each side sends as many messages as the other has requested. */
    static final class Channel extends RSocketSession implements Publisher<Payload>, Subscription
    {
        private volatile Subscriber<? super Payload> requests;
        private long sentCount;
        private volatile long askedCount;

        Channel(final RSocket socket, final ReplyQueue replies)
        {
            super(socket, replies);
            socket.requestChannel(this).subscribe(new Replies(this));
        }

        @Override
        public void subscribe(final Subscriber<? super Payload> subscriber)
        {
            requests = subscriber;
            subscriber.onSubscribe(this);
        }

        @Override
        public synchronized void request(final long count)
        {
            askedCount = askedCount + count < 0 ? Long.MAX_VALUE : askedCount + count;
        }

        @Override
        public void cancel()
        {
            super.onLost();
        }

        @Override
        protected boolean isReady(final int length)
        {
            return null != requests && sentCount < askedCount;
        }

        @Override
        protected SendResult send(final byte[] message)
        {
            sentCount++;
            requests.onNext(DefaultPayload.create(message));
            return SendResult.SENT;
        }
    }

    /** Receives messages and requests more in batches. */
    private static final class Replies extends BaseSubscriber<Payload>
    {
        private static final int ASKED_COUNT = 256;

        private final RSocketSession session;
        private int takenCount;

        Replies(final RSocketSession session)
        {
            this.session = session;
        }

        @Override
        protected void hookOnSubscribe(final Subscription subscription)
        {
            subscription.request(ASKED_COUNT);
        }

        @Override
        protected void hookOnNext(final Payload reply)
        {
            session.onReply(reply);
            if (++takenCount == ASKED_COUNT / 2)
            {
                takenCount = 0;
                request(ASKED_COUNT / 2);
            }
        }

        @Override
        protected void hookOnError(final Throwable error)
        {
            session.onLost();
        }
    }
}
