package io.clusterecho.peers;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

import com.google.protobuf.BytesValue;

import io.clusterecho.client.transport.SendResult;
import io.clusterecho.peers.grpc.api.EchoGrpc;
import io.clusterecho.peers.grpc.api.Price;
import io.clusterecho.peers.grpc.api.PriceRequest;

import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.grpc.stub.StreamObserver;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A session over gRPC: a channel with a bidirectional stream, which carries the messages or, where each has a call of its own,
 * only detects the loss of the connection.
 */
final class GrpcSession extends Link implements ClientResponseObserver<BytesValue, BytesValue>
{
    private static final int REQUEST_COUNT = 64;

    private final ManagedChannel channel;
    private final EchoGrpc.EchoStub echo;
    private final boolean isUnary;
    private final int demand;
    private final CompletableFuture<Void> ready = new CompletableFuture<>();
    private ClientCallStreamObserver<BytesValue> requests;
    private int takenCount;

    /** @param demand of a stream of prices. */
    GrpcSession(final ManagedChannel channel, final ReplyQueue replies, final boolean isUnary, final int demand)
    {
        super(replies);
        this.channel = channel;
        echo = EchoGrpc.newStub(channel);
        this.isUnary = isUnary;
        this.demand = demand;
    }

    /** Open the stream, and wait for it; without success the channel is closed. */
    void open(final long timeoutNs) throws Exception
    {
        try
        {
            echo.stream(this);
            ready.get(timeoutNs, TimeUnit.NANOSECONDS);
        }
        catch (final Exception ex)
        {
            channel.shutdownNow();
            throw ex instanceof ExecutionException ? (Exception)ex.getCause() : ex;
        }
    }

    @Override
    public void beforeStart(final ClientCallStreamObserver<BytesValue> newRequests)
    {
        requests = newRequests;
        requests.disableAutoRequestWithInitial(REQUEST_COUNT);
        requests.setOnReadyHandler(() -> ready.complete(null));
    }

    @Override
    public void onNext(final BytesValue reply)
    {
        take(reply.getValue().asReadOnlyByteBuffer(), System.nanoTime());
        // In batches, because each request is passed to Netty's thread.
        if (++takenCount == REQUEST_COUNT / 2)
        {
            takenCount = 0;
            requests.request(REQUEST_COUNT / 2);
        }
    }

    @Override
    public void onError(final Throwable error)
    {
        fail();
        ready.completeExceptionally(error);
    }

    @Override
    public void onCompleted()
    {
        onError(Status.UNAVAILABLE.withDescription("the server ended the stream").asRuntimeException());
    }

    @Override
    protected boolean isReady(final int length)
    {
        return isUnary || requests.isReady();
    }

    @Override
    protected SendResult send(final byte[] message)
    {
        if (isUnary)
        {
            echo.call(GrpcPeer.message(message), new CallReceiver());
        }
        else
        {
            requests.onNext(GrpcPeer.message(message));
        }
        return SendResult.SENT;
    }

    @Override
    public SendResult trySendOneWay(final DirectBuffer message, final int offset, final int length)
    {
        final long count = Prices.requested(message, offset, length);
        if (count < 0)
        {
            return trySend(message, offset, length);
        }

        echo.prices(PriceRequest.newBuilder().setCount(count).build(), new PriceReceiver());
        return SendResult.SENT;
    }

    @Override
    protected void release()
    {
        channel.shutdownNow();
    }

    /**
     * Receives a stream of prices on gRPC's thread, and passes the values of each to the polling thread. Requests as many
     * messages at once as the demand is, and half of them again when they were received.
     */
    private final class PriceReceiver implements ClientResponseObserver<PriceRequest, Price>
    {
        private final Prices.Writer writer = new Prices.Writer();
        private final ByteBuffer encoded = ByteBuffer.allocate(Prices.ENCODED_LENGTH);
        private final UnsafeBuffer buffer = new UnsafeBuffer(encoded);
        private ClientCallStreamObserver<PriceRequest> priceRequests;
        private int priceCount;

        @Override
        public void beforeStart(final ClientCallStreamObserver<PriceRequest> newRequests)
        {
            priceRequests = newRequests;
            priceRequests.disableAutoRequestWithInitial(demand);
        }

        @Override
        public void onNext(final Price price)
        {
            final long nowNs = System.nanoTime();
            writer.write(
                price.getTimestampNs(), price.getInstrumentId(), price.getBidPrice(), price.getBidQuantity(),
                price.getAskPrice(), price.getAskQuantity(), buffer, 0);
            take(encoded, nowNs);
            // In batches, because each request is passed to Netty's thread.
            if (++priceCount >= demand / 2)
            {
                priceRequests.request(priceCount);
                priceCount = 0;
            }
        }

        @Override
        public void onError(final Throwable error)
        {
            fail();
        }

        @Override
        public void onCompleted()
        {
            // The last price was received in onNext.
        }
    }

    /** Receives the reply of a call. */
    private final class CallReceiver implements StreamObserver<BytesValue>
    {
        @Override
        public void onNext(final BytesValue reply)
        {
            take(reply.getValue().asReadOnlyByteBuffer(), System.nanoTime());
        }

        @Override
        public void onError(final Throwable error)
        {
            fail();
        }

        @Override
        public void onCompleted()
        {
            // The reply was received in onNext.
        }
    }
}
