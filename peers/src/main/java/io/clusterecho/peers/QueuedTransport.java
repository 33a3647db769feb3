package io.clusterecho.peers;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

import io.clusterecho.client.transport.NotConnectedException;
import io.clusterecho.client.transport.ResponseHandler;
import io.clusterecho.client.transport.SendResult;
import io.clusterecho.client.transport.Transport;
import io.clusterecho.settings.Quantity;
import io.clusterecho.settings.Setting;

import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;

/**
 * A session over a library that calls back on its own threads. It limits the messages in flight to the capacity of the queue of
 * replies; beyond that sends meet back pressure. A separate thread reopens a lost connection.
 */
final class QueuedTransport implements Transport
{
    /** Maximum messages in flight in one session. */
    static final Setting<Integer> IN_FLIGHT = Setting.ofInt(
        "peer.in.flight", "65536", 1, 1 << 20,
        "Maximum messages in flight in one session, also limited by its queue of replies.");

    /** The same for libraries without back pressure on calls. */
    static final Setting<Integer> CALLS_IN_FLIGHT = Setting.ofInt(
        IN_FLIGHT.key(), "256", 1, 1 << 20,
        "Maximum calls in flight in one session, also limited by its queue of replies.");

    private static final long ATTEMPT_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(5);
    private static final long RETRY_DELAY_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Link.Dialer dialer;
    private final String endpoints;
    private final boolean isOrdered;
    private final ReplyQueue replies;
    private final int inFlightLimit;
    private final ResponseHandler counter = this::onResponse;
    private final AtomicReference<Link> redialed = new AtomicReference<>();
    private ResponseHandler handler;
    private Link link;
    private Thread redialer;
    private volatile boolean isClosed;
    private int inFlightCount;

    /**
     * A session that is not open yet.
     *
     * @param endpoints     of the server, for messages.
     * @param isOrdered     whether the library guarantees the order of replies.
     * @param inFlightLimit maximum messages in flight, from 1; also limited by the queue of replies.
     */
    QueuedTransport(
        final Link.Dialer dialer,
        final String endpoints,
        final boolean isOrdered,
        final int inFlightLimit,
        final int maxLength)
    {
        this.dialer = dialer;
        this.endpoints = endpoints;
        this.isOrdered = isOrdered;
        replies = new ReplyQueue(maxLength, inFlightLimit);
        this.inFlightLimit = Math.min(inFlightLimit, replies.capacity());
    }

    @Override
    public void connect(final long timeoutNs)
    {
        final long deadlineNs = System.nanoTime() + timeoutNs;
        Exception lastFailure = null;
        while (null == link)
        {
            final long leftNs = deadlineNs - System.nanoTime();
            if (leftNs <= 0 || Thread.currentThread().isInterrupted())
            {
                throw new NotConnectedException(
                    "no session with the server at " + endpoints + " within " + Quantity.formatNs(timeoutNs) +
                    ": " + (null == lastFailure ? "no answer" : lastFailure) + "; check that the server runs at this address",
                    lastFailure);
            }
            try
            {
                link = dialer.dial(replies, leftNs);
            }
            catch (final InterruptedException ex)
            {
                Thread.currentThread().interrupt();
            }
            catch (final Exception ex)
            {
                lastFailure = ex;
                LockSupport.parkNanos(Math.min(RETRY_DELAY_NS, Math.max(1, deadlineNs - System.nanoTime())));
            }
        }
    }

    @Override
    public SendResult trySend(final DirectBuffer message, final int offset, final int length)
    {
        if (null == link || !link.isOpen())
        {
            return SendResult.DISCONNECTED;
        }
        if (inFlightCount >= inFlightLimit)
        {
            return SendResult.BACK_PRESSURED;
        }

        final SendResult result = link.trySend(message, offset, length);
        if (SendResult.SENT == result)
        {
            inFlightCount++;
        }

        return result;
    }

    @Override
    public SendResult trySendOneWay(final DirectBuffer message, final int offset, final int length)
    {
        return null == link || !link.isOpen() ? SendResult.DISCONNECTED : link.trySendOneWay(message, offset, length);
    }

    @Override
    public int poll(final ResponseHandler responseHandler, final int limit)
    {
        handler = responseHandler;
        final int workCount = replies.drain(counter, limit);
        if (null != link && !link.isOpen())
        {
            // Poll the replies from before the loss first.
            if (0 == workCount)
            {
                lose();
            }
        }
        else if (null == link)
        {
            takeRedialed();
        }

        return workCount;
    }

    @Override
    public boolean isOrdered()
    {
        return isOrdered;
    }

    @Override
    public void close()
    {
        isClosed = true;
        replies.close();
        if (null != redialer)
        {
            redialer.interrupt();
        }
        CloseHelper.quietClose(redialed.getAndSet(null));
        CloseHelper.quietClose(link);
        link = null;
    }

    private void onResponse(final DirectBuffer buffer, final int offset, final int length, final long receiveTimeNs)
    {
        // Replies over the lost connection may come after the count was reset.
        inFlightCount = Math.max(0, inFlightCount - 1);
        handler.onResponse(buffer, offset, length, receiveTimeNs);
    }

    private void lose()
    {
        final Link lost = link;
        link = null;
        inFlightCount = 0;
        redialer = new Thread(() -> redial(lost), "redial");
        redialer.setDaemon(true);
        redialer.start();
    }

    private void takeRedialed()
    {
        final Link opened = redialed.getAndSet(null);
        if (null != opened)
        {
            link = opened;
            handler.onReconnected();
        }
    }

    private void redial(final Link lost)
    {
        CloseHelper.quietClose(lost);
        while (!isClosed)
        {
            try
            {
                redialed.set(dialer.dial(replies, ATTEMPT_TIMEOUT_NS));
                if (isClosed)
                {
                    CloseHelper.quietClose(redialed.getAndSet(null));
                }
                return;
            }
            catch (final InterruptedException ex)
            {
                return;
            }
            catch (final Exception ex)
            {
                // No server yet; callers see that the session is not connected.
                LockSupport.parkNanos(RETRY_DELAY_NS);
            }
        }
    }
}
