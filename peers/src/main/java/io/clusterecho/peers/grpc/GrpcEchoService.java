package io.clusterecho.peers.grpc;

import com.google.protobuf.ByteString;
import com.google.protobuf.BytesValue;
import com.google.protobuf.UnsafeByteOperations;

import io.clusterecho.peers.grpc.api.EchoGrpc;
import io.clusterecho.peers.server.Conversation;

import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The service of {@code echo.proto}.
 */
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
        if (null == reply)
        {
            responses.onError(Status.INVALID_ARGUMENT.withDescription("not an echo request").asRuntimeException());
            return;
        }
        responses.onNext(reply);
        responses.onCompleted();
    }

    /**
     * A Protobuf message with a copy of the bytes.
     */
    static BytesValue message(final DirectBuffer buffer, final int offset, final int length)
    {
        final byte[] bytes = new byte[length];
        buffer.getBytes(offset, bytes);
        return BytesValue.newBuilder().setValue(UnsafeByteOperations.unsafeWrap(bytes)).build();
    }

    private static BytesValue reply(final Conversation conversation, final ByteString request)
    {
        final UnsafeBuffer message = new UnsafeBuffer(request.asReadOnlyByteBuffer());
        final int length = Conversation.replyLength(message, 0, request.size());
        final byte[] bytes = new byte[length];
        conversation.take(message, 0, request.size(), new UnsafeBuffer(bytes), 0);
        return 0 == length ? null : BytesValue.newBuilder().setValue(UnsafeByteOperations.unsafeWrap(bytes)).build();
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
        private final UnsafeBuffer price = new UnsafeBuffer(new byte[Conversation.PRICE_LENGTH]);
        private int heldCount;

        Session(final ServerCallStreamObserver<BytesValue> responses)
        {
            this.responses = responses;
            responses.disableAutoRequest();
            responses.setOnReadyHandler(this::onReady);
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
            stream();
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

        private void onReady()
        {
            stream();
            askForMore();
        }

        /**
         * In batches, because each request is passed to Netty's thread.
         */
        private void askForMore()
        {
            if (heldCount >= REQUEST_COUNT / 2 && responses.isReady())
            {
                responses.request(heldCount);
                heldCount = 0;
            }
        }

        private void stream()
        {
            while (conversation.isStreaming() && responses.isReady())
            {
                conversation.writePrice(price, 0);
                responses.onNext(message(price, 0, Conversation.PRICE_LENGTH));
                conversation.onPriceSent();
            }
        }
    }
}
