package io.clusterecho.client.load;

import io.clusterecho.client.record.Journal;
import io.clusterecho.client.record.Ledger;
import io.clusterecho.client.schedule.Messages;
import io.clusterecho.client.schedule.Schedule;
import io.clusterecho.client.transport.ResponseHandler;
import io.clusterecho.client.transport.SendResult;
import io.clusterecho.client.transport.Transport;
import io.clusterecho.reporting.measurement.Counter;
import io.clusterecho.reporting.measurement.KindOutcome;
import io.clusterecho.reporting.measurement.TimeRecorder;
import io.clusterecho.schema.EchoMessage;
import io.clusterecho.schema.PayloadCheck;
import io.clusterecho.schema.codecs.EchoRequestDecoder;
import io.clusterecho.schema.codecs.EchoResponseDecoder;
import io.clusterecho.schema.codecs.MessageHeaderDecoder;
import io.clusterecho.schema.codecs.OrderedEchoRequestDecoder;
import io.clusterecho.schema.codecs.RepeatedEchoResponseDecoder;
import io.clusterecho.schema.codecs.SequenceGapDecoder;
import io.clusterecho.schema.codecs.StagedEchoRequestDecoder;
import io.clusterecho.schema.codecs.StagedOrderedEchoRequestDecoder;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One session's share of a run: message n of the run is message {@code n / stride} of session {@code n % stride}, where the
 * stride is the number of sessions of all clients. Used by the thread of the {@link LoadAgent} only.
 */
final class LoadSession implements ResponseHandler
{
    /** Among those of all clients, which is the index of its first message. */
    private final int number;
    private final long clientId;
    private final LoadPlan plan;
    private final Schedule schedule;
    private final Messages messages;
    private final Transport transport;
    private final NanoClock clock;
    private final Ledger ledger;
    private final LoadRecords records;
    private final Journal journal;
    private final PayloadCheck payloadCheck = new PayloadCheck();
    private final SequenceGapDecoder gap = new SequenceGapDecoder();
    private final UnsafeBuffer message;
    private final Payload payload;
    private final Delivery delivery;
    private final boolean isExactlyOnce;
    private final long stride;
    private final long lateAfterNs;
    private final int requestTemplateId;
    /** Of a reply to a message that was seen for the first time. */
    private final int replyTemplateId;
    /** Of a reply to one that was seen before; the same where the system does not know which it has seen. */
    private final int repeatedTemplateId;
    private final boolean isOrdered;
    private final boolean isWithinClient;
    private final boolean isStaged;
    private final KindOutcome[] kinds;

    private long startNs;
    private long nextSequence;
    private long nextIndex;
    private long nextIntendedNs;
    private int nextLength;
    private long endIndex;
    private long warmUpCount;
    private boolean isEncoded;
    /** Whether the transport did not accept a message that was due, and the session has not caught up since. */
    private boolean isHeldUp;
    private boolean isWarmUpOver;
    private long warmUpEndNs;
    private long newestAnswered = -1;
    private long foundDueNs;

    private long firstUnacknowledged;
    private long resendSequence;
    private long resendDeadlineNs;
    private long gapExpected = -1;
    private long forgottenSeenNs = UNKNOWN_NS;
    private boolean isHistoryLost;

    LoadSession(
        final int number,
        final long clientId,
        final LoadPlan plan,
        final Schedule schedule,
        final Transport transport,
        final NanoClock clock,
        final Ledger ledger,
        final LoadRecords records,
        final Journal journal)
    {
        this.journal = journal;
        this.number = number;
        this.clientId = clientId;
        this.plan = plan;
        this.schedule = schedule;
        this.transport = transport;
        this.clock = clock;
        this.ledger = ledger;
        this.records = records;
        messages = plan.messages();
        delivery = plan.delivery();
        isExactlyOnce = delivery.isExactlyOnce();
        stride = plan.stride();
        lateAfterNs = plan.lateAfterNs();
        final int maxLength = messages.maxLengthBytes();
        message = new UnsafeBuffer(new byte[maxLength]);
        isOrdered = transport.isOrdered();
        isWithinClient = transport.isWithinClient();
        isStaged = plan.isStaged();
        kinds = records.kinds();
        requestTemplateId = isStaged ?
            isExactlyOnce ? StagedOrderedEchoRequestDecoder.TEMPLATE_ID : StagedEchoRequestDecoder.TEMPLATE_ID :
            isExactlyOnce ? OrderedEchoRequestDecoder.TEMPLATE_ID : EchoRequestDecoder.TEMPLATE_ID;
        replyTemplateId = transport.replyTemplateId();
        repeatedTemplateId = EchoResponseDecoder.TEMPLATE_ID == replyTemplateId ?
            RepeatedEchoResponseDecoder.TEMPLATE_ID : replyTemplateId;
        payload = new Payload(clientId, maxLength);
        payload.copyTo(message);
    }

    void begin(final long newStartNs)
    {
        startNs = newStartNs;
        endIndex = plan.messageCount();
        warmUpCount = plan.warmUpCount();
        warmUpEndNs = schedule.timeNs(warmUpCount);
        advanceTo(0);
    }

    /**
     * Shorten the warm-up, and with it the schedule: the measured window keeps its length.
     *
     * @param count messages of the warm-up over all sessions, none of which is after a message that was sent.
     */
    void warmUpCount(final long count)
    {
        warmUpCount = count;
        warmUpEndNs = schedule.timeNs(count);
        endIndex = Math.min(endIndex, count + plan.measuredCount());
    }

    /** Send due messages, at most {@code limit}, and stop at the first that is not accepted. */
    int sendDue(final long nowNs, final int limit)
    {
        int sentCount = 0;
        long sendTimeNs = nowNs;
        if (isHistoryLost)
        {
            // Whatever is sent is rejected.
            return 0;
        }
        if (!isWarmUpOver && nowNs - startNs >= warmUpEndNs)
        {
            endWarmUp();
        }
        if (isExactlyOnce)
        {
            sentCount = resend(nowNs, limit);
            if (resendSequence < nextSequence)
            {
                // Later messages would be rejected while earlier ones are missing.
                isHeldUp = true;
                return sentCount;
            }
        }

        while (sentCount < limit && nextIndex < endIndex && nextIntendedNs <= sendTimeNs - startNs)
        {
            if (isExactlyOnce && nextSequence - firstUnacknowledged >= delivery.unacknowledgedCount())
            {
                records.increment(Counter.BOUND_WAITS);
                isHeldUp = true;
                break;
            }
            if (!isEncoded)
            {
                EchoMessage.encode(
                    message, 0, nextLength, requestTemplateId, clientId, nextSequence, nextIntendedNs, payloadCheck);
                isEncoded = true;
            }

            sendTimeNs = clock.nanoTime();
            final SendResult result = transport.trySend(message, 0, nextLength);
            if (SendResult.SENT != result)
            {
                onNotSent(result);
                break;
            }

            onSent(sendTimeNs);
            sentCount++;
        }
        isHeldUp &= nextIntendedNs <= sendTimeNs - startNs;

        return sentCount;
    }

    int poll(final int limit)
    {
        return transport.poll(this, limit);
    }

    @Override
    public void onResponse(final DirectBuffer buffer, final int offset, final int length, final long receiveTimeNs)
    {
        onResponse(buffer, offset, length, receiveTimeNs, UNKNOWN_NS);
    }

    @Override
    public void onResponse(
        final DirectBuffer buffer, final int offset, final int length, final long receiveTimeNs, final long arrivalTimeNs)
    {
        final long index = indexOf(buffer, offset, length);
        if (index < 0)
        {
            if (!isGap(buffer, offset, length, receiveTimeNs))
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

        final boolean isMeasured = index >= warmUpCount;
        final boolean isFirst = ledger.onAnswered(index);
        // With at-most-once delivery each further reply is a duplicate. With exactly-once delivery, a reply that a paused
        // leader had sent may arrive after the new leader's "applied before".
        final boolean isAppliedAgain = replyTemplateId == templateId && !ledger.onApplied(index);
        if (!isFirst)
        {
            if (isExactlyOnce && !isAppliedAgain)
            {
                records.increment(Counter.REPEATED);
            }
            else if (isMeasured)
            {
                records.increment(Counter.DUPLICATES);
            }
            return;
        }

        records.increment(Counter.ANSWERED_ALL);
        final long responseTimeNs = receiveTimeNs - foundDueNs;
        final long sendTimeNs = ledger.sendTimeNs(index);
        // A message whose send time was overwritten by newer ones cannot have been sent before it was due.
        final long serviceTimeNs = Ledger.UNKNOWN == sendTimeNs ? responseTimeNs : receiveTimeNs - sendTimeNs;
        // A reply that arrived before its message was sent, or after it was taken, was stamped by another clock.
        final long waitedNs = receiveTimeNs - arrivalTimeNs;
        final boolean isArrivalKnown = UNKNOWN_NS != arrivalTimeNs && waitedNs >= 0 && waitedNs <= serviceTimeNs;
        // Where the transport refused the message, all of its wait counts as the system's.
        final long sendDelayNs = ledger.isHeldUp(index) ? 0 : responseTimeNs - serviceTimeNs;
        // Those of the warm-up are recorded in the same way, so that the measured window begins with code that has run.
        records.times(isMeasured).onAnswered(
            responseTimeNs, serviceTimeNs, isArrivalKnown ? waitedNs : TimeRecorder.UNKNOWN_NS,
            isWithinClient ? 0 : sendDelayNs + (isArrivalKnown ? waitedNs : 0));
        if (isMeasured)
        {
            final boolean isLate = responseTimeNs > lateAfterNs;
            records.increment(isLate ? Counter.LATE : Counter.ANSWERED);
            if (kinds.length > 0)
            {
                LoadRecords.record(kinds[messages.kindOf(index)], isLate ? Counter.LATE : Counter.ANSWERED, responseTimeNs);
            }
            // One that was applied before was sent again, because the first reply to it was lost with its leader.
            if (isOrdered && index < newestAnswered && (!isExactlyOnce || replyTemplateId == templateId))
            {
                records.increment(Counter.OUT_OF_ORDER);
            }
            if (isStaged)
            {
                final int echoLength = messages.lengthBytes(index);
                records.onStages(
                    buffer, offset + echoLength, length - echoLength, receiveTimeNs - serviceTimeNs, receiveTimeNs);
            }
        }
        newestAnswered = Math.max(newestAnswered, index);
        records.onEcho(isMeasured, receiveTimeNs, foundDueNs);
        if (isExactlyOnce)
        {
            onAcknowledged(receiveTimeNs);
        }
    }

    @Override
    public void onNewLeader(final int memberId, final long leadershipTermId)
    {
        records.onNewLeader(memberId, leadershipTermId, clock.nanoTime());
        sendAllAgain();
    }

    @Override
    public void onReconnected()
    {
        records.onReconnected(clock.nanoTime());
        sendAllAgain();
    }

    /** End the schedule after the last message due at a given time. */
    void endAt(final long timeNs)
    {
        long index = nextIndex;
        while (index < endIndex && schedule.timeNs(index) <= timeNs - startNs)
        {
            index += stride;
        }
        endIndex = Math.min(endIndex, index);
    }

    /** Whether the cluster has lost messages that it had acknowledged, so that it accepts no later ones. */
    boolean isHistoryLost()
    {
        return isHistoryLost;
    }

    boolean isAllSent()
    {
        return nextIndex >= endIndex;
    }

    long nextDueNs()
    {
        return nextIntendedNs;
    }

    /** First message that was not sent, or the end of the schedule. */
    long nextIndex()
    {
        return nextIndex;
    }

    /** First message after the end of the schedule of this session. */
    long endIndex()
    {
        return endIndex;
    }

    /** First message of this session after the warm-up. */
    long firstMeasured()
    {
        return number + (Math.max(0, warmUpCount - number) + stride - 1) / stride * stride;
    }

    private void onSent(final long sendTimeNs)
    {
        final boolean isMeasured = nextIndex >= warmUpCount;
        ledger.onSent(nextIndex, sendTimeNs, isHeldUp);
        records.onSent(sendTimeNs);
        if (null != journal)
        {
            journal.onSent(clientId, nextSequence);
        }
        records.times(isMeasured).onSent(sendTimeNs - startNs - nextIntendedNs);
        records.increment(Counter.SENT_ALL);
        if (isMeasured)
        {
            records.increment(Counter.SENT);
        }
        isEncoded = false;
        if (nextSequence == firstUnacknowledged)
        {
            resendDeadlineNs = sendTimeNs + delivery.resendAfterNs();
        }
        resendSequence = nextSequence + 1;
        advanceTo(nextSequence + 1);
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
            final long index = resendSequence * stride + number;
            if (!ledger.isAnswered(index))
            {
                final int resentLength = messages.lengthBytes(index);
                EchoMessage.encode(
                    message, 0, resentLength, requestTemplateId, clientId, resendSequence, schedule.timeNs(index), payloadCheck);
                // The next message is no longer in the buffer.
                isEncoded = false;
                final SendResult result = transport.trySend(message, 0, resentLength);
                if (SendResult.SENT != result)
                {
                    onNotSent(result);
                    break;
                }
                records.onSent(nowNs);
                if (null != journal)
                {
                    journal.onSent(clientId, resendSequence);
                }
                records.increment(Counter.RESENT);
                sentCount++;
                resendDeadlineNs = nowNs + delivery.resendAfterNs();
            }
            resendSequence++;
        }

        return sentCount;
    }

    private void onNotSent(final SendResult result)
    {
        isHeldUp = true;
        if (SendResult.BACK_PRESSURED == result)
        {
            records.increment(Counter.BACK_PRESSURED);
        }
        else
        {
            records.increment(Counter.DISCONNECTED);
            records.onDisconnected();
        }
    }

    private void sendAllAgain()
    {
        if (isExactlyOnce)
        {
            resendSequence = firstUnacknowledged;
            gapExpected = -1;
        }
    }

    private void onAcknowledged(final long nowNs)
    {
        while (firstUnacknowledged < nextSequence &&
            ledger.isAnswered(firstUnacknowledged * stride + number))
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
     * If the cluster could not follow the warm-up, its backlog is not part of the measurement. With exactly-once delivery none
     * may be skipped: the service would wait for it.
     */
    private void endWarmUp()
    {
        isWarmUpOver = true;
        if (!isExactlyOnce)
        {
            while (nextIndex < warmUpCount)
            {
                records.increment(Counter.WARM_UP_SKIPPED);
                advanceTo(nextSequence + 1);
            }
            isEncoded = false;
        }
    }

    private void advanceTo(final long sequence)
    {
        nextSequence = sequence;
        nextIndex = sequence * stride + number;
        if (nextIndex < plan.messageCount())
        {
            nextIntendedNs = schedule.timeNs(nextIndex);
            nextLength = messages.lengthBytes(nextIndex);
        }
    }

    /**
     * Index of the message that these bytes reply to, or -1 if they are not a complete reply to a sent message, of its length.
     * Sets {@link #foundDueNs()}.
     */
    long indexOf(final DirectBuffer buffer, final int offset, final int length)
    {
        final long sequence = length < EchoMessage.MIN_LENGTH ? -1 : EchoMessage.sequence(buffer, offset);
        if (sequence < 0 || sequence >= nextSequence)
        {
            return -1;
        }

        final long index = sequence * stride + number;
        final int echoLength = messages.lengthBytes(index);
        if (length != echoLength && (!isStaged || length != echoLength + LoadRecords.STAGES_LENGTH) ||
            EchoMessage.VALID != EchoMessage.validate(buffer, offset, echoLength, payloadCheck) ||
            clientId != EchoMessage.clientId(buffer, offset))
        {
            return -1;
        }

        final int templateId = EchoMessage.templateId(buffer, offset);
        final long dueNs = schedule.timeNs(index);
        foundDueNs = startNs + dueNs;
        return (replyTemplateId == templateId || repeatedTemplateId == templateId) &&
            (int)dueNs == EchoMessage.intendedSendTimeLow(buffer, offset) &&
            payload.isIn(buffer, offset, echoLength) ? index : -1;
    }

    /** Intended send time, on the agent's clock, of the message that {@link #indexOf} found last. */
    long foundDueNs()
    {
        return foundDueNs;
    }
}
