package io.clusterecho.peers.command;

import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.function.LongPredicate;

import io.clusterecho.client.load.LoopWarmUp;
import io.clusterecho.client.transport.ResponseHandler;
import io.clusterecho.client.transport.SendResult;
import io.clusterecho.client.transport.Transport;
import io.clusterecho.settings.Quantity;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A closed loop of calls that return their bytes. A call that is not answered within a timeout is lost, which ends the loop. Not
 * thread-safe.
 */
final class Calls implements ResponseHandler
{
    private static final String FORMAT = "cluster-echo-calls/1";
    private static final long TIMEOUT_NS = 1_000_000_000L;
    private static final int POLL_LIMIT = 64;

    private final Transport transport;
    private final UnsafeBuffer message;
    private final UnsafeBuffer received = new UnsafeBuffer(0, 0);
    private final int concurrency;
    private long sentCount;
    private long answeredCount;
    private long wrongCount;
    private long lastReplyNs;

    Calls(final Transport transport, final int length, final int concurrency)
    {
        this.transport = transport;
        this.concurrency = concurrency;
        message = new UnsafeBuffer(ByteBuffer.allocateDirect(length));
        // No SBE message begins with these bytes.
        message.setMemory(0, length, (byte)0x7F);
    }

    /** Warm up, call for a while, and wait for the last replies. */
    WorkloadCommand.Result run(final LoopWarmUp warmUp, final long timeNs, final IdleStrategy idleStrategy)
    {
        loop((nowNs) -> warmUp.isOver(nowNs, answeredCount), idleStrategy);
        final long beginNs = System.nanoTime();
        final long beginCount = answeredCount;
        final boolean isAlive = loop((nowNs) -> nowNs - beginNs >= timeNs, idleStrategy);
        final long durationNs = System.nanoTime() - beginNs;
        final long count = answeredCount - beginCount;
        if (isAlive)
        {
            drain(idleStrategy);
        }

        return result(new Figures(
            message.capacity(), concurrency, count, sentCount - answeredCount, wrongCount, durationNs,
            Math.round(count * 1e9 / durationNs), Math.round(count * 1e9 / durationNs * message.capacity())), warmUp);
    }

    private static WorkloadCommand.Result result(final Figures figures, final LoopWarmUp warmUp)
    {
        return new WorkloadCommand.Result(
            FORMAT, figures.count > 0 && 0 == figures.lost && 0 == figures.wrong, figures, String.format(
            Locale.ROOT, "%,d calls of %,d bytes, %,d in flight, in %s: %,d/s, %,.1f MB/s; %,d lost, %,d wrong%s", figures.count,
            figures.lengthBytes, figures.concurrency, Quantity.formatNs(figures.durationNs), figures.ratePerSecond,
            figures.bytesPerSecond / 1e6, figures.lost, figures.wrong, warmUp.text()));
    }

    /** @return false if calls were lost. */
    private boolean loop(final LongPredicate isOver, final IdleStrategy idleStrategy)
    {
        long nowNs = System.nanoTime();
        lastReplyNs = nowNs;
        while (!isOver.test(nowNs))
        {
            int workCount = 0;
            while (sentCount - answeredCount < concurrency &&
                SendResult.SENT == transport.trySend(message, 0, message.capacity()))
            {
                sentCount++;
                workCount++;
            }
            workCount += transport.poll(this, POLL_LIMIT);
            idleStrategy.idle(workCount);
            nowNs = System.nanoTime();
            if (nowNs - lastReplyNs > TIMEOUT_NS)
            {
                return false;
            }
        }

        return true;
    }

    private void drain(final IdleStrategy idleStrategy)
    {
        lastReplyNs = System.nanoTime();
        while (sentCount > answeredCount && System.nanoTime() - lastReplyNs < TIMEOUT_NS)
        {
            idleStrategy.idle(transport.poll(this, POLL_LIMIT));
        }
    }

    @Override
    public void onResponse(final DirectBuffer buffer, final int offset, final int length, final long receiveTimeNs)
    {
        answeredCount++;
        lastReplyNs = receiveTimeNs;
        received.wrap(buffer, offset, length);
        if (length != message.capacity() || 0 != received.compareTo(message))
        {
            wrongCount++;
        }
    }

    /**
     * The result.
     *
     * @param count      calls answered in the measured time.
     * @param lost       calls without a reply, warm-up included.
     * @param wrong      replies with other bytes, warm-up included.
     */
    record Figures(
        int lengthBytes, int concurrency, long count, long lost, long wrong, long durationNs, long ratePerSecond,
        long bytesPerSecond)
    {
    }
}
