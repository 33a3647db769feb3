package io.clusterecho.peers.grpc;

import io.clusterecho.peers.grpc.api.Price;
import io.clusterecho.peers.grpc.api.PriceRequest;
import io.clusterecho.peers.server.Prices;
import io.clusterecho.peers.session.ReplyQueue;

import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;

import org.agrona.concurrent.UnsafeBuffer;

/** Receives a stream of prices on gRPC's thread, and passes the values of each to the polling thread. */
final class PriceReceiver implements ClientResponseObserver<PriceRequest, Price>
{
    private static final int REQUEST_COUNT = 64;

    private final ReplyQueue replies;
    private final Runnable onFailed;
    private final Prices.Writer writer = new Prices.Writer();
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[Prices.ENCODED_LENGTH]);
    private ClientCallStreamObserver<PriceRequest> requests;
    private int takenCount;

    PriceReceiver(final ReplyQueue replies, final Runnable onFailed)
    {
        this.replies = replies;
        this.onFailed = onFailed;
    }

    @Override
    public void beforeStart(final ClientCallStreamObserver<PriceRequest> newRequests)
    {
        requests = newRequests;
        requests.disableAutoRequestWithInitial(REQUEST_COUNT);
    }

    @Override
    public void onNext(final Price price)
    {
        final long nowNs = System.nanoTime();
        writer.write(
            price.getSequence(), price.getInstrumentId(), price.getBidPrice(), price.getBidQuantity(), price.getAskPrice(),
            price.getAskQuantity(), buffer, 0);
        replies.put(buffer, 0, Prices.ENCODED_LENGTH, nowNs);
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
        onFailed.run();
    }

    @Override
    public void onCompleted()
    {
        // The last price was received in onNext.
    }
}
