package io.clusterecho.client.load;

import java.util.ArrayList;
import java.util.List;

import io.clusterecho.client.record.FanOutLedger;
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
 * The sessions that send nothing and receive a copy of each reply, and the accounts of what they receive. Used by the thread
 * of the {@link LoadAgent} only; does not allocate, block or log.
 */
final class FanOut
{
    private final LoadPlan plan;
    private final Schedule schedule;
    private final LoadSession[] senders;
    private final long firstClientId;
    private final Receiver[] receivers;
    private final FanOutLedger ledger;
    private final PayloadCheck payloadCheck = new PayloadCheck();
    private final Histogram responseTimes = TimeRecorder.newHistogram();
    private final Histogram lastResponseTimes = TimeRecorder.newHistogram();
    private long startNs;
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
        final LoadSession[] senders,
        final long firstClientId,
        final Transport[] transports)
    {
        this.plan = plan;
        this.schedule = schedule;
        this.senders = senders;
        this.firstClientId = firstClientId;
        receivers = new Receiver[transports.length];
        for (int i = 0; i < receivers.length; i++)
        {
            receivers[i] = new Receiver(i, transports[i]);
        }
        ledger = new FanOutLedger(plan.messageCount(), receivers.length);
    }

    void begin(final long newStartNs)
    {
        startNs = newStartNs;
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
    FanOutOutcome outcome(final long endNs)
    {
        long scheduled = 0;
        long neverSent = 0;
        final long[] missing = new long[receivers.length];
        for (final LoadSession sender : senders)
        {
            final long step = plan.stride();
            final long number = sender.number();
            final long firstMeasured = number + (Math.max(0, plan.warmUpCount() - number) + step - 1) / step * step;
            for (long index = firstMeasured; index < sender.endIndex(); index += step)
            {
                scheduled++;
                neverSent += index >= sender.nextIndex() ? 1 : 0;
                if (!ledger.isComplete(index))
                {
                    final long ageNs = Math.max(0, endNs - startNs - schedule.timeNs(index));
                    lastResponseTimes.recordValue(bounded(ageNs));
                    addMissing(index, index < sender.nextIndex(), ageNs, missing);
                }
            }
        }

        final List<FanOutOutcome.Receiver> outcomes = new ArrayList<>();
        for (int i = 0; i < receivers.length; i++)
        {
            final Receiver receiver = receivers[i];
            outcomes.add(new FanOutOutcome.Receiver(
                scheduled, receiver.receivedCount, receiver.lateCount, missing[i], neverSent, receiver.duplicateCount,
                receiver.corruptCount, receiver.reconnectCount));
        }
        return new FanOutOutcome(List.copyOf(outcomes), completedCount, foreignCount, responseTimes, lastResponseTimes);
    }

    private void addMissing(final long index, final boolean isSent, final long ageNs, final long[] missing)
    {
        for (int i = 0; i < receivers.length; i++)
        {
            if (!ledger.isReceived(i, index))
            {
                missing[i] += isSent ? 1 : 0;
                responseTimes.recordValue(bounded(ageNs));
            }
        }
    }

    private static long bounded(final long timeNs)
    {
        return Math.min(timeNs, TimeRecorder.MAX_TIME_NS);
    }

    private final class Receiver implements ResponseHandler
    {
        private final int number;
        private final Transport transport;
        private long receivedCount;
        private long lateCount;
        private long duplicateCount;
        private long corruptCount;
        private long reconnectCount;

        Receiver(final int number, final Transport transport)
        {
            this.number = number;
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

            onCopy(index, receiveTimeNs - startNs - senders[(int)place].foundDueNs());
        }

        @Override
        public void onReconnected()
        {
            reconnectCount++;
        }

        private void onCopy(final long index, final long responseTimeNs)
        {
            final boolean isMeasured = index >= plan.warmUpCount();
            if (!ledger.onReceived(number, index))
            {
                duplicateCount += isMeasured ? 1 : 0;
                return;
            }

            firstCopyCount++;
            if (isMeasured)
            {
                if (responseTimeNs > plan.lateAfterNs())
                {
                    lateCount++;
                }
                else
                {
                    receivedCount++;
                }
                responseTimes.recordValue(bounded(responseTimeNs));
                if (ledger.isComplete(index))
                {
                    completedCount++;
                    lastResponseTimes.recordValue(bounded(responseTimeNs));
                }
            }
        }
    }
}
