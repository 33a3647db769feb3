package io.clusterecho.peers.grpc;

import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

import com.google.protobuf.BytesValue;

import io.clusterecho.client.transport.SendResult;
import io.clusterecho.peers.Endpoint;
import io.clusterecho.peers.grpc.api.EchoGrpc;
import io.clusterecho.peers.grpc.api.Price;
import io.clusterecho.peers.grpc.api.PriceRequest;
import io.clusterecho.peers.server.Prices;
import io.clusterecho.peers.session.Link;
import io.clusterecho.peers.session.QueuedConnector;
import io.clusterecho.peers.session.ReplyQueue;

import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.grpc.stub.StreamObserver;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Opens sessions over gRPC, with one channel each.
 *
 * @param certificate file of the one that is trusted, or null for no TLS.
 * @param demand      of a stream of prices.
 */
record GrpcDialer(Endpoint endpoint, boolean isDirect, boolean isUnary, Path certificate, int demand)
    implements QueuedConnector.Dialer
{
    private static final int MAX_MESSAGE_LENGTH = 16 << 20;

    @Override
    public Link dial(final ReplyQueue replies, final long timeoutNs) throws Exception
    {
        final NettyChannelBuilder builder =
            NettyChannelBuilder.forAddress(endpoint.host(), endpoint.port())
                .maxInboundMessageSize(MAX_MESSAGE_LENGTH);
        if (null == certificate)
        {
            builder.usePlaintext();
        }
        else
        {
            // Read for each session, since a server that was started again has another one.
            builder.sslContext(GrpcTls.ofClient(certificate));
        }
        if (isDirect)
        {
            builder.directExecutor();
        }
        final ManagedChannel channel = builder.build();
        final Stream stream = new Stream(channel, replies, demand);
        try
        {
            EchoGrpc.newStub(channel).stream(stream);
            stream.ready.get(timeoutNs, TimeUnit.NANOSECONDS);
        }
        catch (final ExecutionException ex)
        {
            channel.shutdownNow();
            throw (Exception)ex.getCause();
        }
        catch (final Exception ex)
        {
            channel.shutdownNow();
            throw ex;
        }

        return isUnary ? new Calls(stream, replies) : stream;
    }

    /** A bidirectional stream and its channel. */
    private static final class Stream implements Link, ClientResponseObserver<BytesValue, BytesValue>
    {
        private static final int REQUEST_COUNT = 64;

        private final ManagedChannel channel;
        private final ReplyQueue replies;
        private final int demand;
        private final CompletableFuture<Void> ready = new CompletableFuture<>();
        private ClientCallStreamObserver<BytesValue> requests;
        private int takenCount;
        private volatile boolean isOpen = true;

        Stream(final ManagedChannel channel, final ReplyQueue replies, final int demand)
        {
            this.demand = demand;
            this.channel = channel;
            this.replies = replies;
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
            replies.put(reply.getValue().asReadOnlyByteBuffer(), System.nanoTime());
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
            isOpen = false;
            ready.completeExceptionally(error);
        }

        @Override
        public void onCompleted()
        {
            onError(Status.UNAVAILABLE.withDescription("the server ended the stream").asRuntimeException());
        }

        @Override
        public SendResult trySend(final DirectBuffer message, final int offset, final int length)
        {
            if (!requests.isReady())
            {
                return isOpen ? SendResult.BACK_PRESSURED : SendResult.DISCONNECTED;
            }

            requests.onNext(GrpcEchoService.message(message, offset, length));
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

            EchoGrpc.newStub(channel).prices(
                PriceRequest.newBuilder().setCount(count).build(),
                new PriceReceiver(demand, replies, () -> isOpen = false));
            return SendResult.SENT;
        }

        @Override
        public boolean isOpen()
        {
            return isOpen;
        }

        @Override
        public void close()
        {
            isOpen = false;
            channel.shutdownNow();
        }
    }

    /** One call for each message. An otherwise idle stream on the same channel detects the loss of the connection. */
    private static final class Calls implements Link, StreamObserver<BytesValue>
    {
        private final Stream stream;
        private final EchoGrpc.EchoStub echo;
        private final ReplyQueue replies;
        private volatile boolean isOpen = true;

        Calls(final Stream stream, final ReplyQueue replies)
        {
            this.stream = stream;
            this.echo = EchoGrpc.newStub(stream.channel);
            this.replies = replies;
        }

        @Override
        public SendResult trySend(final DirectBuffer message, final int offset, final int length)
        {
            echo.call(GrpcEchoService.message(message, offset, length), this);
            return SendResult.SENT;
        }

        @Override
        public boolean isOpen()
        {
            return isOpen && stream.isOpen();
        }

        @Override
        public void close()
        {
            isOpen = false;
            stream.close();
        }

        @Override
        public void onNext(final BytesValue reply)
        {
            replies.put(reply.getValue().asReadOnlyByteBuffer(), System.nanoTime());
        }

        @Override
        public void onError(final Throwable error)
        {
            isOpen = false;
        }

        @Override
        public void onCompleted()
        {
            // The reply was received in onNext.
        }
    }

    /** Receives a stream of prices on gRPC's thread, and passes the values of each to the polling thread. */
    private static final class PriceReceiver implements ClientResponseObserver<PriceRequest, Price>
    {
        private final int demand;
        private final ReplyQueue replies;
        private final Runnable onFailed;
        private final Prices.Writer writer = new Prices.Writer();
        private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[Prices.ENCODED_LENGTH]);
        private ClientCallStreamObserver<PriceRequest> requests;
        private int takenCount;

        /** @param demand messages that are requested at once; half of them are requested again when they were received. */
        PriceReceiver(final int demand, final ReplyQueue replies, final Runnable onFailed)
        {
            this.demand = demand;
            this.replies = replies;
            this.onFailed = onFailed;
        }

        @Override
        public void beforeStart(final ClientCallStreamObserver<PriceRequest> newRequests)
        {
            requests = newRequests;
            requests.disableAutoRequestWithInitial(demand);
        }

        @Override
        public void onNext(final Price price)
        {
            final long nowNs = System.nanoTime();
            writer.write(
                price.getTimestampNs(), price.getInstrumentId(), price.getBidPrice(), price.getBidQuantity(), price.getAskPrice(),
                price.getAskQuantity(), buffer, 0);
            replies.put(buffer, 0, Prices.ENCODED_LENGTH, nowNs);
            // In batches, because each request is passed to Netty's thread.
            if (++takenCount >= demand / 2)
            {
                requests.request(takenCount);
                takenCount = 0;
            }
        }

        @Override
        public void onError(final Throwable error)
        {
            onFailed.run();
        }

        @Override
        public void onCompleted()
        {
            // The last price was received in onNext.
        }
    }
}
