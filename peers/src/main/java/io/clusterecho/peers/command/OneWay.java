package io.clusterecho.peers.command;

import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongPredicate;

import io.clusterecho.client.load.LoopWarmUp;
import io.clusterecho.client.transport.ResponseHandler;
import io.clusterecho.client.transport.SendResult;
import io.clusterecho.client.transport.Transport;
import io.clusterecho.peers.Conversation;
import io.clusterecho.schema.peers.MessageHeaderDecoder;
import io.clusterecho.schema.peers.OneWayReportDecoder;
import io.clusterecho.settings.Quantity;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;

/** Sends at full speed for a time, without replies, and then requests the server's counts. Not thread-safe. */
final class OneWay implements ResponseHandler
{
    static final String FORMAT = "cluster-echo-one-way/1";
    private static final int SENDS_PER_TURN = 64;
    private static final int POLL_LIMIT = 16;
    private static final long SILENCE_TIMEOUT_NS = 30_000_000_000L;

    private final Transport transport;
    private final UnsafeBuffer message;
    private final OneWayReportDecoder report = new OneWayReportDecoder();
    private final long runId = ThreadLocalRandom.current().nextLong();
    private long sentCount;
    private long backPressuredCount;
    private long receivedCount = -1;
    private long receivedBytes;
    private long reportNs;

    OneWay(final Transport transport, final int length)
    {
        this.transport = transport;
        message = new UnsafeBuffer(ByteBuffer.allocateDirect(length));
        // No SBE message begins with these bytes.
        message.setMemory(0, length, (byte)0x7F);
    }

    /** Send for a while and wait for the server's report; the warm-up has a report of its own. */
    WorkloadCommand.Result run(final LoopWarmUp warmUp, final long timeNs, final IdleStrategy idleStrategy)
    {
        if (!warmUp.isOver(System.nanoTime(), 0))
        {
            send((nowNs) -> warmUp.isOver(nowNs, sentCount), idleStrategy);
        }

        final long beginNs = System.nanoTime();
        send((nowNs) -> nowNs - beginNs >= timeNs, idleStrategy);
        final long durationNs = reportNs - beginNs;
        final double rate = receivedCount < 1 ? 0 : receivedCount * 1e9 / durationNs;
        final Figures figures = new Figures(
            message.capacity(), sentCount, receivedCount, backPressuredCount, durationNs, Math.round(rate),
            Math.round(rate * message.capacity()));
        return new WorkloadCommand.Result(
            FORMAT, receivedCount == sentCount && receivedBytes == sentCount * message.capacity() && sentCount > 0, figures,
            String.format(
                Locale.ROOT, "%,d of %,d messages of %,d bytes in %s: %,d/s, %,.1f MB/s; %,d sends met back pressure%s",
                receivedCount, sentCount, figures.lengthBytes, Quantity.formatNs(durationNs), figures.ratePerSecond,
                figures.bytesPerSecond / 1e6, backPressuredCount, warmUp.text()));
    }

    private void send(final LongPredicate isOver, final IdleStrategy idleStrategy)
    {
        sentCount = 0;
        backPressuredCount = 0;
        receivedCount = -1;
        while (!isOver.test(System.nanoTime()))
        {
            int workCount = 0;
            for (int i = 0; i < SENDS_PER_TURN; i++)
            {
                if (SendResult.SENT != transport.trySendOneWay(message, 0, message.capacity()))
                {
                    backPressuredCount++;
                    break;
                }
                workCount++;
            }
            sentCount += workCount;
            idleStrategy.idle(workCount + transport.poll(this, POLL_LIMIT));
        }

        final UnsafeBuffer end = new UnsafeBuffer(Conversation.end(runId));
        final long deadlineNs = System.nanoTime() + SILENCE_TIMEOUT_NS;
        boolean isSent = false;
        while (receivedCount < 0 && System.nanoTime() - deadlineNs < 0)
        {
            isSent = isSent || SendResult.SENT == transport.trySendOneWay(end, 0, end.capacity());
            idleStrategy.idle(transport.poll(this, POLL_LIMIT));
        }
    }

    @Override
    public void onResponse(final DirectBuffer buffer, final int offset, final int length, final long receiveTimeNs)
    {
        if (OneWayReportDecoder.TEMPLATE_ID == Conversation.peersTemplateId(buffer, offset, length))
        {
            report.wrap(
                buffer, offset + MessageHeaderDecoder.ENCODED_LENGTH, OneWayReportDecoder.BLOCK_LENGTH,
                OneWayReportDecoder.SCHEMA_VERSION);
            if (report.runId() == runId)
            {
                reportNs = receiveTimeNs;
                receivedCount = report.messageCount();
                receivedBytes = report.byteCount();
            }
        }
    }

    /**
     * The result.
     *
     * @param received   messages received according to the server's report, -1 without a report.
     * @param durationNs from the first message to the report.
     */
    record Figures(
        int lengthBytes, long sent, long received, long backPressured, long durationNs, long ratePerSecond, long bytesPerSecond)
    {
    }
}
