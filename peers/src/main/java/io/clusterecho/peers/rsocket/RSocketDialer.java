package io.clusterecho.peers.rsocket;

import java.time.Duration;

import io.clusterecho.client.transport.SendResult;
import io.clusterecho.peers.Endpoint;
import io.clusterecho.peers.server.Conversation;
import io.clusterecho.peers.session.Link;
import io.clusterecho.peers.session.QueuedConnector;
import io.clusterecho.peers.session.ReplyQueue;
import io.clusterecho.schema.peers.PriceRequestDecoder;

import io.rsocket.Payload;
import io.rsocket.RSocket;
import io.rsocket.core.RSocketConnector;
import io.rsocket.frame.decoder.PayloadDecoder;
import io.rsocket.transport.netty.client.TcpClientTransport;
import io.rsocket.util.DefaultPayload;

import org.agrona.DirectBuffer;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;

/** Opens sessions over RSocket, with one connection each. */
record RSocketDialer(Endpoint endpoint, boolean isChannel) implements QueuedConnector.Dialer
{
    @Override
    public Link dial(final ReplyQueue replies, final long timeoutNs) throws Exception
    {
        final RSocket socket = RSocketConnector.create()
            .payloadDecoder(PayloadDecoder.ZERO_COPY)
            .connect(TcpClientTransport.create(endpoint.host(), endpoint.port()))
            .block(Duration.ofNanos(timeoutNs));
        return isChannel ? new Channel(socket, replies) : new Calls(socket, replies);
    }

    private static Payload payload(final DirectBuffer message, final int offset, final int length)
    {
        final byte[] bytes = new byte[length];
        message.getBytes(offset, bytes);
        return DefaultPayload.create(bytes);
    }

    private static void take(final Payload reply, final ReplyQueue replies)
    {
        final long nowNs = System.nanoTime();
        replies.put(reply.getData(), nowNs);
        reply.release();
    }

    /** One request for each message. */
    private static final class Calls implements Link
    {
        private final RSocket socket;
        private final ReplyQueue replies;
        private volatile boolean isFailed;

        Calls(final RSocket socket, final ReplyQueue replies)
        {
            this.socket = socket;
            this.replies = replies;
        }

        @Override
        public SendResult trySend(final DirectBuffer message, final int offset, final int length)
        {
            socket.requestResponse(payload(message, offset, length))
                .subscribe((reply) -> take(reply, replies), (error) -> isFailed = true);
            return SendResult.SENT;
        }

        @Override
        public SendResult trySendOneWay(final DirectBuffer message, final int offset, final int length)
        {
            if (PriceRequestDecoder.TEMPLATE_ID != Conversation.peersTemplateId(message, offset, length))
            {
                return trySend(message, offset, length);
            }

            socket.requestStream(payload(message, offset, length)).subscribe(new Replies(replies, () -> isFailed = true));
            return SendResult.SENT;
        }

        @Override
        public boolean isOpen()
        {
            return !isFailed && !socket.isDisposed();
        }

        @Override
        public void close()
        {
            socket.dispose();
        }
    }

    /** One channel. Each side sends as many messages as the other has requested. */
    private static final class Channel implements Link, Publisher<Payload>, Subscription
    {
        private final RSocket socket;
        private volatile Subscriber<? super Payload> requests;
        private long sentCount;
        private volatile long askedCount;
        private volatile boolean isEnded;

        Channel(final RSocket socket, final ReplyQueue queue)
        {
            this.socket = socket;
            socket.requestChannel(this).subscribe(new Replies(queue, () -> isEnded = true));
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
            isEnded = true;
        }

        @Override
        public SendResult trySend(final DirectBuffer message, final int offset, final int length)
        {
            if (null == requests || sentCount >= askedCount)
            {
                return SendResult.BACK_PRESSURED;
            }

            sentCount++;
            requests.onNext(payload(message, offset, length));
            return SendResult.SENT;
        }

        @Override
        public boolean isOpen()
        {
            return !isEnded && !socket.isDisposed();
        }

        @Override
        public void close()
        {
            isEnded = true;
            socket.dispose();
        }
    }

    /** Receives messages and requests more in batches. */
    private static final class Replies extends BaseSubscriber<Payload>
    {
        private static final int ASKED_COUNT = 256;

        private final ReplyQueue queue;
        private final Runnable onFailed;
        private int takenCount;

        Replies(final ReplyQueue queue, final Runnable onFailed)
        {
            this.queue = queue;
            this.onFailed = onFailed;
        }

        @Override
        protected void hookOnSubscribe(final Subscription subscription)
        {
            subscription.request(ASKED_COUNT);
        }

        @Override
        protected void hookOnNext(final Payload reply)
        {
            take(reply, queue);
            if (++takenCount == ASKED_COUNT / 2)
            {
                takenCount = 0;
                request(ASKED_COUNT / 2);
            }
        }

        @Override
        protected void hookOnError(final Throwable error)
        {
            onFailed.run();
        }
    }
}
