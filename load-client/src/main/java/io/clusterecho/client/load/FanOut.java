package io.clusterecho.client.load;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.clusterecho.client.record.Ledger;
import io.clusterecho.client.schedule.Schedule;
import io.clusterecho.client.transport.ResponseHandler;
import io.clusterecho.client.transport.Transport;
import io.clusterecho.reporting.measurement.FanOutOutcome;
import io.clusterecho.reporting.measurement.TimeRecorder;
import io.clusterecho.schema.EchoMessage;
import io.clusterecho.schema.PayloadCheck;

import org.HdrHistogram.Histogram;
import org.agrona.DirectBuffer;

/**
 * The sessions that send nothing and receive a copy of each reply, and the accounts of what they receive: a bit for each
 * receiver and message, and a byte for each message. Used by the thread of the {@link LoadAgent} only; does not allocate, block
 * or log.
 */
public final class FanOut
{
    public static final int MAX_RECEIVERS = 100;
    /** Messages of a load with receivers, warm-up included. */
    public static final long MAX_MESSAGES = Integer.MAX_VALUE - 8;

    private final LoadPlan plan;
    private final Schedule schedule;
    private final EchoSession[] senders;
    private final long firstClientId;
    private final Receiver[] receivers;
    /** Receivers of each message that have a copy. */
    private final byte[] copyCounts;
    private final PayloadCheck payloadCheck = new PayloadCheck();
    private final Histogram responseTimes = TimeRecorder.newHistogram();
    private final Histogram lastResponseTimes = TimeRecorder.newHistogram();
    private long firstCopyCount;
    private long completedCount;
    private long foreignCount;

    /**
     * Receivers that have received nothing, one for each connected transport; client ids of the sessions of the only client count
     * up from the first.
     */
    FanOut(
        final LoadPlan plan,
        final Schedule schedule,
        final EchoSession[] senders,
        final long firstClientId,
        final Transport[] transports)
    {
        this.plan = plan;
        this.schedule = schedule;
        this.senders = senders;
        this.firstClientId = firstClientId;
        receivers = Stream.of(transports).map(Receiver::new).toArray(Receiver[]::new);
        copyCounts = new byte[Math.toIntExact(plan.messageCount())];
    }

    /** Memory that the accounts need, in bytes. */
    public static long lengthBytes(final long messageCount, final int receiverCount)
    {
        return messageCount + messageCount / 8 * receiverCount;
    }

    int poll(final int limit)
    {
        int workCount = 0;
        for (final Receiver receiver : receivers)
        {
            workCount += receiver.transport.poll(receiver, limit);
        }

        return workCount;
    }

    /** Whether each receiver has a copy of each message sent, warm-up included. */
    boolean isComplete(final long sentCount)
    {
        return firstCopyCount == sentCount * receivers.length;
    }

    /** Account for the copies of all messages of the measured window; once, after the last copy. */
    FanOutOutcome outcome(final long startNs, final long endNs)
    {
        long scheduled = 0;
        long neverSent = 0;
        for (final EchoSession sender : senders)
        {
            for (long index = sender.firstMeasured(); index < sender.endIndex; index += plan.stride())
            {
                scheduled++;
                neverSent += index >= sender.nextIndex ? 1 : 0;
                if (!hasAllCopies(index))
                {
                    final long ageNs = endNs - startNs - schedule.timeNs(index);
                    lastResponseTimes.recordValue(TimeRecorder.bounded(ageNs));
                    addMissing(index, index < sender.nextIndex, ageNs);
                }
            }
        }

        final List<FanOutOutcome.Receiver> outcomes = new ArrayList<>();
        for (final Receiver receiver : receivers)
        {
            outcomes.add(new FanOutOutcome.Receiver(
                scheduled, receiver.receivedCount, receiver.lateCount, receiver.missingCount, neverSent,
                receiver.duplicateCount, receiver.corruptCount, receiver.reconnectCount));
        }
        return new FanOutOutcome(List.copyOf(outcomes), completedCount, foreignCount, responseTimes, lastResponseTimes);
    }

    private boolean hasAllCopies(final long index)
    {
        return receivers.length == copyCounts[(int)index];
    }

    private void addMissing(final long index, final boolean isSent, final long ageNs)
    {
        for (final Receiver receiver : receivers)
        {
            if (!receiver.received.contains(index))
            {
                receiver.missingCount += isSent ? 1 : 0;
                responseTimes.recordValue(TimeRecorder.bounded(ageNs));
            }
        }
    }

    private final class Receiver implements ResponseHandler
    {
        private final Transport transport;
        private final Ledger.MessageSet received = new Ledger.MessageSet(plan.messageCount());
        private long receivedCount;
        private long lateCount;
        private long missingCount;
        private long duplicateCount;
        private long corruptCount;
        private long reconnectCount;

        Receiver(final Transport transport)
        {
            this.transport = transport;
        }

        @Override
        public void onResponse(final DirectBuffer buffer, final int offset, final int length, final long receiveTimeNs)
        {
            final long place = length < EchoMessage.MIN_LENGTH ? -1 : EchoMessage.clientId(buffer, offset) - firstClientId;
            final boolean isOfSender = place >= 0 && place < senders.length;
            final long index = isOfSender ? senders[(int)place].indexOf(buffer, offset, length) : -1;
            if (index < 0)
            {
                final boolean isForeign =
                    !isOfSender && EchoMessage.VALID == EchoMessage.validate(buffer, offset, length, payloadCheck);
                foreignCount += isForeign ? 1 : 0;
                corruptCount += isForeign ? 0 : 1;
                return;
            }

            final boolean isMeasured = index >= plan.warmUpCount();
            if (!received.add(index))
            {
                duplicateCount += isMeasured ? 1 : 0;
                return;
            }

            copyCounts[(int)index]++;
            firstCopyCount++;
            if (isMeasured)
            {
                final EchoSession sender = senders[(int)place];
                final long responseTimeNs = sender.responseTimeNs(sender.foundDueNs, receiveTimeNs);
                final boolean isLate = responseTimeNs > plan.lateAfterNs();
                lateCount += isLate ? 1 : 0;
                receivedCount += isLate ? 0 : 1;
                responseTimes.recordValue(TimeRecorder.bounded(responseTimeNs));
                if (hasAllCopies(index))
                {
                    completedCount++;
                    lastResponseTimes.recordValue(TimeRecorder.bounded(responseTimeNs));
                }
            }
        }

        @Override
        public void onReconnected()
        {
            reconnectCount++;
        }
    }
}
