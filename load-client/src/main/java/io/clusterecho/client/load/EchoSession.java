package io.clusterecho.client.load;

import java.util.SplittableRandom;

import io.clusterecho.client.transport.Transport;
import io.clusterecho.reporting.measurement.Counter;
import io.clusterecho.schema.EchoMessage;
import io.clusterecho.schema.codecs.EchoRequestDecoder;
import io.clusterecho.schema.codecs.EchoResponseDecoder;
import io.clusterecho.schema.codecs.MessageHeaderDecoder;
import io.clusterecho.schema.codecs.OrderedEchoRequestDecoder;
import io.clusterecho.schema.codecs.RepeatedEchoResponseDecoder;
import io.clusterecho.schema.codecs.SequenceGapDecoder;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** A session with an echo: a reply has the bytes of its message, and with exactly-once delivery lost messages are sent again. */
final class EchoSession extends LoadSession
{
    private final Delivery delivery;
    private final SequenceGapDecoder gap = new SequenceGapDecoder();
    private final UnsafeBuffer payload;
    private final UnsafeBuffer sent = new UnsafeBuffer(0, 0);
    private final UnsafeBuffer received = new UnsafeBuffer(0, 0);
    private final boolean isExactlyOnce;
    private final boolean isOrdered;
    private final int requestTemplateId;
    /** Of a reply to a message that was seen for the first time. */
    private final int replyTemplateId;
    /** Of a reply to one that was seen before; the same where the system does not know which it has seen. */
    private final int repeatedTemplateId;

    /** When the message that {@link #indexOf(DirectBuffer, int, int)} found last was due, since the start of the schedule. */
    long foundDueNs;
    private long firstUnacknowledged;
    private long resendSequence;
    private long resendDeadlineNs;
    private long gapExpected = -1;
    private long forgottenSeenNs = UNKNOWN_NS;

    EchoSession(final int number, final Transport transport, final Run run)
    {
        super(number, transport, run);
        delivery = plan.delivery();
        isExactlyOnce = delivery.isExactlyOnce();
        isOrdered = transport.isOrdered();
        requestTemplateId = isExactlyOnce ? OrderedEchoRequestDecoder.TEMPLATE_ID : EchoRequestDecoder.TEMPLATE_ID;
        replyTemplateId = transport.replyTemplateId();
        repeatedTemplateId = EchoResponseDecoder.TEMPLATE_ID == replyTemplateId ?
            RepeatedEchoResponseDecoder.TEMPLATE_ID : replyTemplateId;
        putPayload(message, clientId);
        payload = new UnsafeBuffer(
            message.byteArray().clone(), EchoMessage.MIN_LENGTH, message.capacity() - EchoMessage.MIN_LENGTH);
    }

    /**
     * Write what follows the fields in all messages of a client, generated from its id. No byte is zero: a log whose frames are
     * all zeros looks like one that was never written.
     */
    static void putPayload(final MutableDirectBuffer message, final long clientId)
    {
        final SplittableRandom random = new SplittableRandom(clientId);
        for (int i = EchoMessage.MIN_LENGTH; i < message.capacity(); i++)
        {
            message.putByte(i, (byte)random.nextInt(1, 256));
        }
    }

    @Override
    int encode(final long index, final long sequence, final long dueNs)
    {
        final int length = messages.lengthBytes(index);
        EchoMessage.encode(message, 0, length, requestTemplateId, clientId, sequence, dueNs, payloadCheck);
        return length;
    }

    @Override
    int sendDue(final long nowNs, final int limit)
    {
        if (!isExactlyOnce)
        {
            return super.sendDue(nowNs, limit);
        }
        if (isHistoryLost)
        {
            // Whatever is sent is rejected.
            return 0;
        }

        int sentCount = resend(nowNs, limit);
        if (resendSequence < nextSequence)
        {
            // Later messages would be rejected while earlier ones are missing.
            isHeldUp = true;
            return sentCount;
        }
        final long leftCount = firstUnacknowledged + delivery.unacknowledgedCount() - nextSequence;
        sentCount += super.sendDue(nowNs, (int)Math.min(limit - sentCount, leftCount));
        if (sentCount < limit && nextSequence - firstUnacknowledged >= delivery.unacknowledgedCount() && isDue(nowNs))
        {
            records.increment(Counter.BOUND_WAITS);
            isHeldUp = true;
        }
        return sentCount;
    }

    @Override
    public void onResponse(
        final DirectBuffer buffer, final int offset, final int length, final long receiveTimeNs, final long arrivalTimeNs)
    {
        final long index = indexOf(buffer, offset, length);
        if (index < 0)
        {
            if (!isMark(buffer, offset, length) && !isGap(buffer, offset, length, receiveTimeNs))
            {
                records.increment(Counter.CORRUPT);
            }
            return;
        }

        final int templateId = EchoMessage.templateId(buffer, offset);
        if (null != journal)
        {
            journal.onReply(
                clientId, EchoMessage.sequence(buffer, offset), EchoMessage.check(buffer, offset), templateId, receiveTimeNs);
        }

        final boolean isFirst = ledger.onAnswered(index);
        // With at-most-once delivery each further reply is a duplicate. With exactly-once delivery, a reply that a paused
        // leader had sent may arrive after the new leader's "applied before".
        final boolean isAppliedAgain = replyTemplateId == templateId && !ledger.onReply(0, index);
        if (!isFirst)
        {
            if (isExactlyOnce && !isAppliedAgain)
            {
                records.increment(Counter.REPEATED);
            }
            else if (isMeasured(index))
            {
                records.increment(Counter.DUPLICATES);
            }
            return;
        }

        // One that was applied before was sent again, because the first reply to it was lost with its leader.
        onAnswered(
            index, foundDueNs, receiveTimeNs, arrivalTimeNs, isOrdered && (!isExactlyOnce || replyTemplateId == templateId));
        if (isExactlyOnce)
        {
            onAcknowledged(receiveTimeNs);
        }
    }

    @Override
    void onSent(final long sendTimeNs)
    {
        if (nextSequence == firstUnacknowledged)
        {
            resendDeadlineNs = sendTimeNs + delivery.resendAfterNs();
        }
        resendSequence = nextSequence + 1;
        super.onSent(sendTimeNs);
    }

    /**
     * Send unacknowledged messages again, in order: from the resend sequence, which a new leader, a new session, a gap or the
     * deadline set, up to the newest message sent.
     */
    private int resend(final long nowNs, final int limit)
    {
        if (firstUnacknowledged < nextSequence && resendSequence == nextSequence && nowNs - resendDeadlineNs >= 0)
        {
            sendAllAgain();
        }

        int sentCount = 0;
        while (sentCount < limit && resendSequence < nextSequence)
        {
            if (!ledger.isAnswered(indexOf(resendSequence)))
            {
                if (!isSent(encodeAgain(indexOf(resendSequence)), resendSequence, nowNs))
                {
                    break;
                }
                records.increment(Counter.RESENT);
                sentCount++;
                resendDeadlineNs = nowNs + delivery.resendAfterNs();
            }
            resendSequence++;
        }

        return sentCount;
    }

    @Override
    void sendAllAgain()
    {
        if (isExactlyOnce)
        {
            resendSequence = firstUnacknowledged;
            gapExpected = -1;
        }
    }

    private void onAcknowledged(final long nowNs)
    {
        while (firstUnacknowledged < nextSequence && ledger.isAnswered(indexOf(firstUnacknowledged)))
        {
            firstUnacknowledged++;
        }
        forgottenSeenNs = UNKNOWN_NS;
        resendSequence = Math.max(resendSequence, firstUnacknowledged);
        resendDeadlineNs = nowNs + delivery.resendAfterNs();
    }

    /** The service misses an earlier message: go back to it, once for all later messages that were rejected too. */
    private boolean isGap(final DirectBuffer buffer, final int offset, final int length, final long receiveTimeNs)
    {
        if (length != MessageHeaderDecoder.ENCODED_LENGTH + SequenceGapDecoder.BLOCK_LENGTH ||
            SequenceGapDecoder.TEMPLATE_ID != EchoMessage.templateId(buffer, offset) ||
            SequenceGapDecoder.SCHEMA_ID != EchoMessage.schemaId(buffer, offset))
        {
            return false;
        }

        gap.wrap(
            buffer, offset + MessageHeaderDecoder.ENCODED_LENGTH, SequenceGapDecoder.BLOCK_LENGTH,
            SequenceGapDecoder.SCHEMA_VERSION);
        if (gap.clientId() != clientId)
        {
            return false;
        }

        records.increment(Counter.GAPS);
        final long expected = gap.expectedSequence();
        if (expected < firstUnacknowledged)
        {
            onForgotten(expected, receiveTimeNs);
        }
        else if (expected != gapExpected && expected < nextSequence)
        {
            gapExpected = expected;
            resendSequence = expected;
        }

        return true;
    }

    /**
     * The service misses a message that it has acknowledged. A leader that was paused may have sent this before the message was
     * applied, so it counts only if it is repeated after a resend without a reply in between.
     */
    private void onForgotten(final long expected, final long receiveTimeNs)
    {
        if (UNKNOWN_NS == forgottenSeenNs)
        {
            forgottenSeenNs = receiveTimeNs;
        }
        else if (!isHistoryLost && receiveTimeNs - forgottenSeenNs >= delivery.resendAfterNs())
        {
            isHistoryLost = true;
            records.add(Counter.FORGOTTEN, firstUnacknowledged - expected);
        }
    }

    /**
     * Index of the message that these bytes reply to, or -1 if they are not a complete reply to a sent message, of its length.
     * Sets {@link #foundDueNs}.
     */
    long indexOf(final DirectBuffer buffer, final int offset, final int length)
    {
        final long sequence = length < EchoMessage.MIN_LENGTH ? -1 : EchoMessage.sequence(buffer, offset);
        if (sequence < 0 || sequence >= nextSequence)
        {
            return -1;
        }

        final long index = indexOf(sequence);
        if (length != messages.lengthBytes(index) ||
            EchoMessage.VALID != EchoMessage.validate(buffer, offset, length, payloadCheck) ||
            clientId != EchoMessage.clientId(buffer, offset))
        {
            return -1;
        }

        final int templateId = EchoMessage.templateId(buffer, offset);
        foundDueNs = schedule.timeNs(index);
        return (replyTemplateId == templateId || repeatedTemplateId == templateId) &&
            (int)foundDueNs == EchoMessage.intendedSendTimeLow(buffer, offset) &&
            isPayload(buffer, offset, length) ? index : -1;
    }

    /** Whether a message has the payload sent. A matching check proves nothing about damage before the check was computed. */
    private boolean isPayload(final DirectBuffer buffer, final int offset, final int length)
    {
        sent.wrap(payload, 0, length - EchoMessage.MIN_LENGTH);
        received.wrap(buffer, offset + EchoMessage.MIN_LENGTH, length - EchoMessage.MIN_LENGTH);
        return EchoRequestDecoder.BLOCK_LENGTH == EchoMessage.blockLength(buffer, offset) && sent.equals(received);
    }
}
