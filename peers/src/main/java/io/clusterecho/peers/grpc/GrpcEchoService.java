package io.clusterecho.peers.grpc;

import com.google.protobuf.ByteString;
import com.google.protobuf.BytesValue;
import com.google.protobuf.UnsafeByteOperations;

import io.clusterecho.peers.grpc.api.EchoGrpc;
import io.clusterecho.peers.grpc.api.Price;
import io.clusterecho.peers.grpc.api.PriceRequest;
import io.clusterecho.peers.server.Conversation;
import io.clusterecho.peers.server.Prices;

import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;

import org.agrona.concurrent.UnsafeBuffer;

/** The service of {@code echo.proto}. */
final class GrpcEchoService implements EchoGrpc.AsyncService
{
    @Override
    public StreamObserver<BytesValue> stream(final StreamObserver<BytesValue> responses)
    {
        return new Session((ServerCallStreamObserver<BytesValue>)responses);
    }

    @Override
    public void call(final BytesValue request, final StreamObserver<BytesValue> responses)
    {
        final BytesValue reply = reply(new Conversation(), request.getValue());
        // Any other bytes come back as they are.
        responses.onNext(null == reply ? request : reply);
        responses.onCompleted();
    }

    @Override
    public void prices(final PriceRequest request, final StreamObserver<Price> responses)
    {
        new PriceSession((ServerCallStreamObserver<Price>)responses, request.getCount());
    }

    /** A Protobuf message with bytes, which must not change. */
    static BytesValue message(final byte[] bytes)
    {
        return BytesValue.newBuilder().setValue(UnsafeByteOperations.unsafeWrap(bytes)).build();
    }

    private static BytesValue reply(final Conversation conversation, final ByteString request)
    {
        final UnsafeBuffer message = new UnsafeBuffer(request.asReadOnlyByteBuffer());
        final int length = Conversation.replyLength(message, 0, request.size());
        final byte[] bytes = new byte[length];
        conversation.take(message, 0, request.size(), new UnsafeBuffer(bytes), 0);
        return 0 == length ? null : message(bytes);
    }

    /**
     * One stream. It requests messages only while its replies are accepted, so a client that does not read is not read from
     * either. gRPC calls it on one thread at a time.
     */
    private static final class Session implements StreamObserver<BytesValue>
    {
        private static final int REQUEST_COUNT = 64;

        private final ServerCallStreamObserver<BytesValue> responses;
        private final Conversation conversation = new Conversation();
        private int heldCount;

        Session(final ServerCallStreamObserver<BytesValue> responses)
        {
            this.responses = responses;
            responses.disableAutoRequest();
            responses.setOnReadyHandler(this::askForMore);
            responses.setOnCancelHandler(() -> { });
            responses.request(REQUEST_COUNT);
        }

        @Override
        public void onNext(final BytesValue request)
        {
            final BytesValue reply = reply(conversation, request.getValue());
            if (null != reply)
            {
                responses.onNext(reply);
            }
            heldCount++;
            askForMore();
        }

        @Override
        public void onError(final Throwable error)
        {
            // The client is gone: there is nothing left to do.
        }

        @Override
        public void onCompleted()
        {
            responses.onCompleted();
        }

        /** In batches, because each request is passed to Netty's thread. */
        private void askForMore()
        {
            if (heldCount >= REQUEST_COUNT / 2 && responses.isReady())
            {
                responses.request(heldCount);
                heldCount = 0;
            }
        }
    }

    /**
     * A stream of prices, each a message with its fields. It sends while gRPC accepts more, and continues when gRPC reports that
     * it does again.
     */
    private static final class PriceSession
    {
        private final ServerCallStreamObserver<Price> responses;
        private final long count;
        private long next;

        PriceSession(final ServerCallStreamObserver<Price> responses, final long count)
        {
            this.responses = responses;
            this.count = count;
            responses.setOnCancelHandler(() -> { });
            responses.setOnReadyHandler(this::stream);
        }

        private void stream()
        {
            if (next == count)
            {
                return;
            }

            while (next < count && responses.isReady() && !responses.isCancelled())
            {
                responses.onNext(Price.newBuilder().setTimestampNs(Prices.timestampNs(next))
                    .setInstrumentId(Prices.instrumentId(next))
                    .setBidPrice(Prices.bidPrice(next)).setBidQuantity(Prices.bidQuantity(next))
                    .setAskPrice(Prices.askPrice(next)).setAskQuantity(Prices.askQuantity(next)).build());
                next++;
            }
            if (next == count)
            {
                responses.onCompleted();
            }
        }
    }
}
