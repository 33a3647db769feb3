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
