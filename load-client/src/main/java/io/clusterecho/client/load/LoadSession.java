package io.clusterecho.client.load;

import io.clusterecho.attribution.SlowestMessages;
import io.clusterecho.attribution.StageStamps;
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
import io.clusterecho.schema.PayloadCheck;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One session's share of a run: message n of the run is message {@code n / stride} of session {@code n % stride}, where the
 * stride is the number of sessions of all clients. A subclass knows the bytes of the messages; a run has sessions of one class.
 * Used by the thread of the {@link LoadAgent} only.
 */
abstract class LoadSession implements ResponseHandler
{
    /** What the sessions of a run share; the client id is that of session 0 of all clients, the journal null without one. */
    record Run(
        LoadPlan plan, Schedule schedule, long firstClientId, NanoClock clock, Ledger ledger, LoadRecords records,
        Journal journal)
    {
    }

    final LoadPlan plan;
    final Messages messages;
    final Schedule schedule;
    final Transport transport;
    final Ledger ledger;
    final LoadRecords records;
    final Journal journal;
    /** Distance between two messages of this session in the run. */
    final int stride;
    final long clientId;
    /** Where {@link #encode} writes. */
    final UnsafeBuffer message;
    /** Among those of all clients, which is the index of its first message. */
    private final int number;
    final PayloadCheck payloadCheck = new PayloadCheck();
    private final StageStamps stamps = new StageStamps();
    private final NanoClock clock;
    private final boolean isWithinClient;
    private final KindOutcome[] kinds;

    /** Whether a message that was due was not sent, and the session has not caught up since. */
    boolean isHeldUp;
    /** Whether the cluster has lost messages that it had acknowledged, so that it accepts no later ones. */
    boolean isHistoryLost;
    /** First message that was not sent, within this session. */
    long nextSequence;
    /** The same in the run, or the end of the schedule. */
    long nextIndex;
    /** When it is due, since the start of the schedule. */
    long nextIntendedNs;
    /** First message after the end of the schedule of this session. */
    long endIndex;
    private long startNs;
    private int nextLength;
    private long warmUpCount;
    private boolean isEncoded;
    private boolean isWarmUpOver;
    private long warmUpEndNs;
    private long newestAnswered = -1;
    /** Measured message that was answered last, until its mark arrives. */
    private long unmarked = -1;
    private SlowestMessages.Row unmarkedRow;
    private long unmarkedSentNs;
    private long unmarkedReceivedNs;

    LoadSession(final int number, final Transport transport, final Run run)
    {
        this.number = number;
        this.transport = transport;
        plan = run.plan();
        messages = plan.messages();
        schedule = run.schedule();
        clock = run.clock();
        ledger = run.ledger();
        records = run.records();
        journal = run.journal();
        clientId = run.firstClientId() + number;
        message = new UnsafeBuffer(new byte[messages.maxLengthBytes()]);
        stride = plan.stride();
        isWithinClient = transport.isWithinClient();
        kinds = records.kinds;
    }

    /** Encode a message at the beginning of the buffer; returns its length in bytes. */
    abstract int encode(long index, long sequence, long dueNs);

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
        if (!isWarmUpOver && nowNs - startNs >= warmUpEndNs)
        {
            endWarmUp();
        }

        while (sentCount < limit && isDue(sendTimeNs))
        {
            if (!isEncoded)
            {
                nextLength = encode(nextIndex, nextSequence, nextIntendedNs);
                isEncoded = true;
            }

            sendTimeNs = clock.nanoTime();
            if (!isSent(nextLength, nextSequence, sendTimeNs))
            {
                break;
            }

            onSent(sendTimeNs);
            sentCount++;
        }
        isHeldUp &= nextIntendedNs <= sendTimeNs - startNs;

        return sentCount;
    }

    @Override
    public void onResponse(final DirectBuffer buffer, final int offset, final int length, final long receiveTimeNs)
    {
        onResponse(buffer, offset, length, receiveTimeNs, UNKNOWN_NS);
    }

    /**
     * The first reply to a message was received.
     *
     * @param dueNs        since the start of the schedule.
     * @param isComparable whether it should follow those to earlier messages.
     */
    void onAnswered(
        final long index, final long dueNs, final long receiveTimeNs, final long arrivalTimeNs, final boolean isComparable)
    {
        records.increment(Counter.ANSWERED_ALL);
        final boolean isMeasured = isMeasured(index);
        final long responseTimeNs = responseTimeNs(dueNs, receiveTimeNs);
        final long sendTimeNs = ledger.sendTimeNs(index);
        // A message whose send time was overwritten by newer ones cannot have been sent before it was due.
        final long serviceTimeNs = Ledger.UNKNOWN == sendTimeNs ? responseTimeNs : receiveTimeNs - sendTimeNs;
        // A reply that arrived before its message was sent, or after it was taken, was stamped by another clock.
        final long waitedNs = receiveTimeNs - arrivalTimeNs;
        final long latenessNs = UNKNOWN_NS != arrivalTimeNs && waitedNs >= 0 && waitedNs <= serviceTimeNs ?
            waitedNs : TimeRecorder.UNKNOWN_NS;
        // Where the transport refused the message, all of its wait counts as the system's.
        final long sendDelayNs = ledger.isHeldUp(index) ? 0 : responseTimeNs - serviceTimeNs;
        // Those of the warm-up are recorded in the same way, so that the measured window begins with code that has run.
        final SlowestMessages.Row slowRow =
            records.slowest(isMeasured).add(index, dueNs, responseTimeNs, serviceTimeNs, sendDelayNs, latenessNs, true);
        records.times(isMeasured).onAnswered(
            responseTimeNs, serviceTimeNs, latenessNs, isWithinClient ? 0 : sendDelayNs + Math.max(0, latenessNs));
        if (isMeasured)
        {
            final Counter outcome = responseTimeNs > plan.lateAfterNs() ? Counter.LATE : Counter.ANSWERED;
            records.increment(outcome);
            if (kinds.length > 0)
            {
                LoadRecords.record(kinds[messages.kindOf(index)], outcome, responseTimeNs);
            }
            if (isComparable && index < newestAnswered)
            {
                records.increment(Counter.OUT_OF_ORDER);
            }
            if (plan.isStaged())
            {
                // Unless its mark follows.
                records.stages.onUnstamped(1);
                unmarked = index;
                unmarkedRow = slowRow;
                unmarkedSentNs = receiveTimeNs - serviceTimeNs;
                unmarkedReceivedNs = receiveTimeNs;
            }
        }
        newestAnswered = Math.max(newestAnswered, index);
        records.onEcho(isMeasured, receiveTimeNs, startNs + dueNs);
    }

    /**
     * Whether a message is the mark of a request, which is then read. The leader sends it when the service has handled the
     * request: an answer that comes later, or to another request, has no times.
     */
    boolean isMark(final DirectBuffer buffer, final int offset, final int length)
    {
        if (!plan.isStaged() || !StageStamps.isMark(buffer, offset, length))
        {
            return false;
        }

        if (unmarked >= 0 && stamps.read(buffer, offset, payloadCheck.compute(message, 0, encodeAgain(unmarked))))
        {
            records.stages.onUnstamped(-1);
            if (records.stages.onStamps(stamps, unmarkedSentNs, unmarkedReceivedNs) && null != unmarkedRow)
            {
                unmarkedRow.onStages(unmarked, stamps, unmarkedSentNs, unmarkedReceivedNs);
            }
            unmarked = -1;
        }
        return true;
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

    /** What was sent and not answered may be lost; it stays lost unless a session sends it again. */
    void sendAllAgain()
    {
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

    boolean isAllSent()
    {
        return nextIndex >= endIndex;
    }

    /** Whether a message is due that was not sent. */
    boolean isDue(final long nowNs)
    {
        return !isAllSent() && nextIntendedNs <= nowNs - startNs;
    }

    /** First message of this session after the warm-up. */
    long firstMeasured()
    {
        return number + (Math.max(0, warmUpCount - number) + stride - 1) / stride * stride;
    }

    /** Whether it is a message of this session that was sent, or skipped at the end of the warm-up. */
    boolean isOwn(final long index)
    {
        return index >= 0 && index < nextIndex && (1 == stride || number == index % stride);
    }

    boolean isMeasured(final long index)
    {
        return index >= warmUpCount;
    }

    /** Index in the run of a message of this session. */
    long indexOf(final long sequence)
    {
        return sequence * stride + number;
    }

    /** Time from when a message was due, since the start of the schedule, to the receive time on the agent's clock. */
    long responseTimeNs(final long dueNs, final long receiveTimeNs)
    {
        return receiveTimeNs - startNs - dueNs;
    }

    /** Encode a message of this session that was sent before, in place of the next one. */
    int encodeAgain(final long index)
    {
        isEncoded = false;
        return encode(index, index / stride, schedule.timeNs(index));
    }

    /** Send a message that is encoded; returns whether the transport accepted it. */
    boolean isSent(final int length, final long sequence, final long sendTimeNs)
    {
        final SendResult result = transport.trySend(message, 0, length);
        if (SendResult.SENT == result)
        {
            records.onSent(sendTimeNs);
            if (null != journal)
            {
                journal.onSent(clientId, sequence, transport.sessionId());
            }
            return true;
        }

        isHeldUp = true;
        records.onRefused(SendResult.BACK_PRESSURED == result ? Counter.BACK_PRESSURED : Counter.DISCONNECTED);
        return false;
    }

    void onSent(final long sendTimeNs)
    {
        final boolean isMeasured = isMeasured(nextIndex);
        ledger.onSent(nextIndex, sendTimeNs, isHeldUp);
        records.times(isMeasured).onSent(sendTimeNs - startNs - nextIntendedNs);
        records.increment(Counter.SENT_ALL);
        if (isMeasured)
        {
            records.increment(Counter.SENT);
        }
        isEncoded = false;
        advanceTo(nextSequence + 1);
    }

    private void endWarmUp()
    {
        isWarmUpOver = true;
        if (!plan.delivery().isExactlyOnce())
        {
            // If the cluster could not follow the warm-up, its backlog is not part of the measurement. With exactly-once delivery
            // none may be skipped: the service would wait for it.
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
        nextIndex = indexOf(sequence);
        if (nextIndex < plan.messageCount())
        {
            nextIntendedNs = schedule.timeNs(nextIndex);
        }
    }
}
