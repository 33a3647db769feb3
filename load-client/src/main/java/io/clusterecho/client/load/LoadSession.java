package io.clusterecho.client.load;

import java.util.SplittableRandom;

import io.clusterecho.client.record.Counter;
import io.clusterecho.client.record.Counters;
import io.clusterecho.client.record.Ledger;
import io.clusterecho.client.schedule.Schedule;
import io.clusterecho.client.transport.ResponseHandler;
import io.clusterecho.client.transport.SendResult;
import io.clusterecho.client.transport.Transport;
import io.clusterecho.schema.EchoMessage;
import io.clusterecho.schema.PayloadCheck;
import io.clusterecho.schema.codecs.EchoRequestDecoder;
import io.clusterecho.schema.codecs.EchoResponseDecoder;
import io.clusterecho.schema.codecs.RepeatedEchoResponseDecoder;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One session's share of a run: message n of the run is message {@code n / sessionCount} of session
 * {@code n % sessionCount}. Used by the thread of the {@link LoadAgent} only.
 */
final class LoadSession implements ResponseHandler
{
    private final int number;
    private final long clientId;
    private final LoadPlan plan;
    private final Schedule schedule;
    private final Transport transport;
    private final NanoClock clock;
    private final Ledger ledger;
    private final LoadRecords records;
    private final Counters counters;
    private final PayloadCheck payloadCheck = new PayloadCheck();
    private final UnsafeBuffer message;

    private long startNs;
    private long nextSequence;
    private long nextIndex;
    private long nextIntendedNs;
    private long endIndex;
    private boolean isEncoded;
    private long newestAnswered = -1;

    LoadSession(
        final int number,
        final long clientId,
        final LoadPlan plan,
        final Schedule schedule,
        final Transport transport,
        final NanoClock clock,
        final Ledger ledger,
        final LoadRecords records)
    {
        this.number = number;
        this.clientId = clientId;
        this.plan = plan;
        this.schedule = schedule;
        this.transport = transport;
        this.clock = clock;
        this.ledger = ledger;
        this.records = records;
        counters = records.counters();
        message = new UnsafeBuffer(java.nio.ByteBuffer.allocateDirect(plan.lengthBytes()));
        fillPayload();
    }

    /**
     * Fix the time at which the schedule begins.
     */
    void begin(final long newStartNs)
    {
        startNs = newStartNs;
        endIndex = plan.messageCount();
        nextIndex = number;
        advanceTo(0);
    }

    /**
     * Send what is due, at most {@code limit} messages, and stop at the first that is not taken.
     */
    int sendDue(final long nowNs, final int limit)
    {
        int sentCount = 0;
        long sendTimeNs = nowNs;
        while (sentCount < limit && nextIndex < endIndex && nextIntendedNs <= sendTimeNs - startNs)
        {
            if (!isEncoded)
            {
                EchoMessage.encode(
                    message, 0, plan.lengthBytes(), EchoRequestDecoder.TEMPLATE_ID, clientId, nextSequence, nextIntendedNs,
                    payloadCheck);
                isEncoded = true;
            }

            sendTimeNs = clock.nanoTime();
            final SendResult result = transport.trySend(message, 0, plan.lengthBytes());
            if (SendResult.SENT != result)
            {
                counters.increment(
                    SendResult.BACK_PRESSURED == result ? Counter.BACK_PRESSURED : Counter.DISCONNECTED);
                break;
            }

            onSent(sendTimeNs);
            sentCount++;
        }

        return sentCount;
    }

    int poll(final int limit)
    {
        return transport.poll(this, limit);
    }

    @Override
    public void onResponse(final DirectBuffer buffer, final int offset, final int length, final long receiveTimeNs)
    {
        final long index = indexOf(buffer, offset, length);
        if (index < 0)
        {
            counters.increment(Counter.CORRUPT);
            return;
        }

        final boolean isMeasured = index >= plan.warmUpCount();
        if (!ledger.onAnswered(index))
        {
            if (isMeasured)
            {
                counters.increment(Counter.DUPLICATES);
            }
            return;
        }

        counters.increment(Counter.ANSWERED_ALL);
        final long responseTimeNs = receiveTimeNs - startNs - schedule.timeNs(index);
        final long sendTimeNs = ledger.sendTimeNs(index);
        // A message whose send time made room for newer ones cannot have been sent before it was due.
        final long serviceTimeNs = Ledger.UNKNOWN == sendTimeNs ? responseTimeNs : receiveTimeNs - sendTimeNs;
        records.times(isMeasured).onAnswered(responseTimeNs, serviceTimeNs);

        if (isMeasured)
        {
            counters.increment(responseTimeNs > plan.lateAfterNs() ? Counter.LATE : Counter.ANSWERED);
            if (index < newestAnswered)
            {
                counters.increment(Counter.OUT_OF_ORDER);
            }
            records.onMeasuredAnswer(receiveTimeNs);
        }
        newestAnswered = Math.max(newestAnswered, index);
    }

    @Override
    public void onNewLeader(final int memberId, final long leadershipTermId)
    {
        records.onNewLeader(memberId);
    }

    /**
     * End the schedule with the last message that was due at a time.
     */
    void endAt(final long timeNs)
    {
        long index = nextIndex;
        while (index < endIndex && schedule.timeNs(index) <= timeNs - startNs)
        {
            index += plan.sessionCount();
        }
        endIndex = Math.min(endIndex, index);
    }

    boolean isAllSent()
    {
        return nextIndex >= endIndex;
    }

    boolean isNextDue(final long nowNs)
    {
        return nextIntendedNs <= nowNs - startNs;
    }

    /**
     * First message that was not sent, or past the end.
     */
    long nextIndex()
    {
        return nextIndex;
    }

    /**
     * Message at which the schedule ends for this session: the first that is not part of it any more.
     */
    long endIndex()
    {
        return endIndex;
    }

    Transport transport()
    {
        return transport;
    }

    private void onSent(final long sendTimeNs)
    {
        final boolean isMeasured = nextIndex >= plan.warmUpCount();
        ledger.onSent(nextIndex, sendTimeNs);
        records.times(isMeasured).onSent(sendTimeNs - startNs - nextIntendedNs);
        counters.increment(Counter.SENT_ALL);
        if (isMeasured)
        {
            counters.increment(Counter.SENT);
        }
        isEncoded = false;
        advanceTo(nextSequence + 1);
    }

    private void advanceTo(final long sequence)
    {
        nextSequence = sequence;
        nextIndex = sequence * plan.sessionCount() + number;
        if (nextIndex < plan.messageCount())
        {
            nextIntendedNs = schedule.timeNs(nextIndex);
        }
    }

    /**
     * Index of the message that these bytes are the reply to, or -1 if they are not a whole reply to one that was sent.
     */
    private long indexOf(final DirectBuffer buffer, final int offset, final int length)
    {
        if (length != plan.lengthBytes() ||
            EchoMessage.VALID != EchoMessage.validate(buffer, offset, length, payloadCheck) ||
            clientId != EchoMessage.clientId(buffer, offset))
        {
            return -1;
        }

        final int templateId = EchoMessage.templateId(buffer, offset);
        final long sequence = EchoMessage.sequence(buffer, offset);
        if (EchoResponseDecoder.TEMPLATE_ID != templateId && RepeatedEchoResponseDecoder.TEMPLATE_ID != templateId ||
            sequence < 0 || sequence >= nextSequence)
        {
            return -1;
        }

        final long index = sequence * plan.sessionCount() + number;
        return (int)schedule.timeNs(index) == EchoMessage.intendedSendTimeLow(buffer, offset) ? index : -1;
    }

    /**
     * Bytes that are not zero: a log whose frames are all zeros cannot be told from one that was never written.
     */
    private void fillPayload()
    {
        final SplittableRandom random = new SplittableRandom(clientId);
        for (int i = EchoMessage.MIN_LENGTH; i < plan.lengthBytes(); i++)
        {
            message.putByte(i, (byte)random.nextInt(1, 256));
        }
    }
}
