package com.example.orderbook;

import com.example.orderbook.codecs.AcceptedEncoder;
import com.example.orderbook.codecs.CancelOrderDecoder;
import com.example.orderbook.codecs.FilledEncoder;
import com.example.orderbook.codecs.MessageHeaderDecoder;
import com.example.orderbook.codecs.MessageHeaderEncoder;
import com.example.orderbook.codecs.NewOrderDecoder;
import com.example.orderbook.codecs.OpenOrderDecoder;
import com.example.orderbook.codecs.OpenOrderEncoder;
import com.example.orderbook.codecs.Reason;
import com.example.orderbook.codecs.RejectedEncoder;
import com.example.orderbook.codecs.Side;
import com.example.orderbook.codecs.SnapshotEndDecoder;
import com.example.orderbook.codecs.SnapshotEndEncoder;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import io.aeron.ExclusivePublication;
import io.aeron.Image;
import io.aeron.Publication;
import io.aeron.cluster.client.ClusterException;
import io.aeron.cluster.codecs.CloseReason;
import io.aeron.cluster.service.ClientSession;
import io.aeron.cluster.service.Cluster;
import io.aeron.cluster.service.ClusteredService;
import io.aeron.logbuffer.Header;

/**
 * An order book for one instrument, with the messages of {@code order-book-schema.xml}.
 * <p>
 * The book is a function of the log: it does not depend on a clock, on a random number, or on whether a reply was sent. A
 * message that is not a request is ignored, because an exception would make this member skip what others apply. All methods are
 * called by the thread of the service container; steady state does not allocate.
 */
public final class OrderBookService implements ClusteredService
{
    /** Orders in the book at most; the same on all members. */
    static final int CAPACITY = 100_000;
    /**
     * Time for which a reply is offered to a session that does not read. A member whose components share one thread sends no
     * heartbeats meanwhile, and 150 ms without any may be an election.
     */
    private static final long SEND_TIMEOUT_NS = 20_000_000;

    private static final int HEADER_LENGTH = MessageHeaderDecoder.ENCODED_LENGTH;
    private static final int MAX_REPLY_LENGTH = 64;
    private static final int SNAPSHOT_FRAGMENT_LIMIT = 64;

    private final OrderBook book = new OrderBook(CAPACITY, this::onFill);
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[MAX_REPLY_LENGTH]);
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final NewOrderDecoder newOrder = new NewOrderDecoder();
    private final CancelOrderDecoder cancelOrder = new CancelOrderDecoder();
    private final MessageHeaderEncoder replyHeader = new MessageHeaderEncoder();
    private final AcceptedEncoder accepted = new AcceptedEncoder();
    private final RejectedEncoder rejected = new RejectedEncoder();
    private final FilledEncoder filled = new FilledEncoder();
    private Cluster cluster;
    private boolean isRestored;

    @Override
    public void onStart(final Cluster newCluster, final Image snapshotImage)
    {
        start(newCluster);
        while (null != snapshotImage && !isRestored)
        {
            final boolean isAtEnd = snapshotImage.isEndOfStream() || snapshotImage.isClosed();
            final int fragments = snapshotImage.poll(
                (fragment, offset, length, ignored) -> restore(fragment, offset), SNAPSHOT_FRAGMENT_LIMIT);
            if (0 == fragments && isAtEnd)
            {
                throw new ClusterException("the snapshot has no end");
            }
            newCluster.idleStrategy().idle(fragments);
        }
    }

    void start(final Cluster newCluster)
    {
        cluster = newCluster;
    }

    @Override
    public void onSessionOpen(final ClientSession session, final long timestamp)
    {
        // A session without orders has no state.
    }

    @Override
    public void onSessionClose(final ClientSession session, final long timestamp, final CloseReason closeReason)
    {
        book.cancelAll(session.id());
    }

    @Override
    public void onSessionMessage(
        final ClientSession session,
        final long timestamp,
        final DirectBuffer message,
        final int offset,
        final int length,
        final Header ignored)
    {
        if (length < HEADER_LENGTH || MessageHeaderDecoder.SCHEMA_ID != header.wrap(message, offset).schemaId())
        {
            return;
        }

        final int bodyLength = length - HEADER_LENGTH;
        if (NewOrderDecoder.TEMPLATE_ID == header.templateId() && bodyLength >= NewOrderDecoder.BLOCK_LENGTH)
        {
            newOrder.wrapAndApplyHeader(message, offset, header);
            onNewOrder(session.id());
        }
        else if (CancelOrderDecoder.TEMPLATE_ID == header.templateId() && bodyLength >= CancelOrderDecoder.BLOCK_LENGTH)
        {
            cancelOrder.wrapAndApplyHeader(message, offset, header);
            onCancelOrder(session.id());
        }
    }

    @Override
    public void onTimerEvent(final long correlationId, final long timestamp)
    {
        // There are no timers.
    }

    @Override
    public void onTakeSnapshot(final ExclusivePublication snapshotPublication)
    {
        takeSnapshot(snapshotPublication::offer);
    }

    @Override
    public void onRoleChange(final Cluster.Role newRole)
    {
        // The container sends replies of the leader only.
    }

    @Override
    public void onTerminate(final Cluster terminatingCluster)
    {
        // Nothing to close.
    }

    private void onNewOrder(final long sessionId)
    {
        final long requestId = newOrder.requestId();
        final boolean isBuy = Side.BUY.value() == newOrder.sideRaw();
        final int price = newOrder.price();
        final int quantity = newOrder.quantity();
        if (!isBuy && Side.SELL.value() != newOrder.sideRaw() || price < 1 || price > OrderBook.MAX_PRICE || quantity < 1)
        {
            reject(sessionId, requestId, Reason.INVALID_ORDER);
        }
        else if (book.contains(requestId))
        {
            reject(sessionId, requestId, Reason.DUPLICATE_ID);
        }
        else if (book.isFull())
        {
            reject(sessionId, requestId, Reason.BOOK_FULL);
        }
        else
        {
            accept(sessionId, requestId);
            book.add(requestId, sessionId, isBuy, price, quantity);
        }
    }

    private void onCancelOrder(final long sessionId)
    {
        if (book.cancel(cancelOrder.orderId()))
        {
            accept(sessionId, cancelOrder.requestId());
        }
        else
        {
            reject(sessionId, cancelOrder.requestId(), Reason.UNKNOWN_ORDER);
        }
    }

    private void accept(final long sessionId, final long requestId)
    {
        accepted.wrapAndApplyHeader(buffer, 0, replyHeader).requestId(requestId);
        send(sessionId, accepted.encodedLength());
    }

    private void reject(final long sessionId, final long requestId, final Reason reason)
    {
        rejected.wrapAndApplyHeader(buffer, 0, replyHeader).requestId(requestId).reason(reason);
        send(sessionId, rejected.encodedLength());
    }

    private void onFill(
        final long orderId, final long sessionId, final int price, final int quantity, final int openQuantity)
    {
        filled.wrapAndApplyHeader(buffer, 0, replyHeader)
            .requestId(orderId).price(price).quantity(quantity).openQuantity(openQuantity);
        send(sessionId, filled.encodedLength());
    }

    /**
     * Send what is in the buffer to a session. One that has no room for long is closed, so that it delays the others only once;
     * one that is gone, or whose client is not connected, gets nothing. On followers the container accepts and drops it.
     */
    private void send(final long sessionId, final int bodyLength)
    {
        final ClientSession session = cluster.getClientSession(sessionId);
        if (null == session || session.isClosing())
        {
            return;
        }

        long result = session.offer(buffer, 0, HEADER_LENGTH + bodyLength);
        if (isToBeOfferedAgain(result))
        {
            // The clock decides only whether a reply is sent, never what is in the book.
            final long deadlineNs = System.nanoTime() + SEND_TIMEOUT_NS;
            while (isToBeOfferedAgain(result) && deadlineNs - System.nanoTime() > 0)
            {
                cluster.idleStrategy().idle();
                result = session.offer(buffer, 0, HEADER_LENGTH + bodyLength);
            }
            if (isToBeOfferedAgain(result))
            {
                session.close();
            }
        }
    }

    private static boolean isToBeOfferedAgain(final long result)
    {
        return Publication.BACK_PRESSURED == result || Publication.ADMIN_ACTION == result;
    }

    /** A stream that takes messages, as a publication does. */
    @FunctionalInterface
    interface Stream
    {
        long offer(DirectBuffer message, int offset, int length);
    }

    void takeSnapshot(final Stream stream)
    {
        final OpenOrderEncoder openOrder = new OpenOrderEncoder();
        book.forEach((orderId, sessionId, isBuy, price, quantity) ->
        {
            openOrder.wrapAndApplyHeader(buffer, 0, replyHeader).orderId(orderId).sessionId(sessionId)
                .price(price).quantity(quantity).side(isBuy ? Side.BUY : Side.SELL);
            write(stream, openOrder.encodedLength());
        });
        final SnapshotEndEncoder end = new SnapshotEndEncoder();
        end.wrapAndApplyHeader(buffer, 0, replyHeader).orderCount(book.orderCount());
        write(stream, end.encodedLength());
    }

    private void write(final Stream stream, final int bodyLength)
    {
        long result = stream.offer(buffer, 0, HEADER_LENGTH + bodyLength);
        while (result < 0)
        {
            if (!isToBeOfferedAgain(result))
            {
                throw new ClusterException("cannot write the snapshot: " + Publication.errorString(result));
            }
            cluster.idleStrategy().idle();
            result = stream.offer(buffer, 0, HEADER_LENGTH + bodyLength);
        }
    }

    /** Read a message of a snapshot; the member does not start with one that is damaged. */
    void restore(final DirectBuffer message, final int offset)
    {
        header.wrap(message, offset);
        switch (header.templateId())
        {
            case OpenOrderDecoder.TEMPLATE_ID ->
            {
                final OpenOrderDecoder order = new OpenOrderDecoder().wrapAndApplyHeader(message, offset, header);
                book.add(order.orderId(), order.sessionId(), Side.BUY == order.side(), order.price(), order.quantity());
            }
            case SnapshotEndDecoder.TEMPLATE_ID ->
            {
                final int orderCount = new SnapshotEndDecoder().wrapAndApplyHeader(message, offset, header).orderCount();
                if (book.orderCount() != orderCount)
                {
                    throw new ClusterException("the snapshot has " + book.orderCount() + " orders, expected " + orderCount);
                }
                isRestored = true;
            }
            default -> throw new ClusterException("not a message of a snapshot: template " + header.templateId());
        }
    }
}
