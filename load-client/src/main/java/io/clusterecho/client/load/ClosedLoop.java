package io.clusterecho.client.load;

import java.util.Locale;

import io.clusterecho.client.transport.ResponseHandler;
import io.clusterecho.client.transport.SendResult;
import io.clusterecho.client.transport.Transport;
import io.clusterecho.reporting.measurement.ClosedLoopResult;
import io.clusterecho.reporting.measurement.TimeRecorder;
import io.clusterecho.schema.EchoMessage;
import io.clusterecho.schema.PayloadCheck;
import io.clusterecho.schema.codecs.EchoRequestDecoder;
import io.clusterecho.settings.Cause;

import org.HdrHistogram.Histogram;
import org.agrona.DirectBuffer;
import org.agrona.collections.Long2LongHashMap;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Keeps a fixed number of messages in flight: each reply triggers the next message. It shows how fast a system is without
 * queueing, and which rate a number of callers reaches; it does not show how a stall affects messages due meanwhile, since none
 * is due. One thread calls {@link #run}; any thread may call {@link #requestEnd()}.
 */
public final class ClosedLoop
{
    private static final int POLL_LIMIT = 64;

    private final Lane[] lanes;
    private final int concurrency;
    private final long measuredCount;
    private final long silenceTimeoutNs;
    private final long timeLimitNs;
    private final Histogram roundTrips = TimeRecorder.newHistogram();
    /** Null for a number of round trips or a time. */
    private final LoopWarmUp warmUp;
    private long warmUpCount;
    private long sentCount;
    private int mostInFlight;
    private long answeredCount;
    private long lostCount;
    private long damagedCount;
    private long lastAnswerNs;
    private long measuredSinceNs;
    private long sendEndNs;
    private boolean isDraining;
    private boolean isPartial;
    private String failure;
    private volatile boolean isEndRequested;

    /**
     * A loop that has not started.
     *
     * @param transports       one connected session each, used round-robin.
     * @param lengthBytes      of each message, at least {@link EchoMessage#MIN_LENGTH}.
     * @param concurrency      messages in flight over all sessions, at least one for each session.
     * @param warmUp           until the pace is steady, not begun, or null for a number of round trips or a time.
     * @param firstClientId    client id of the first session; the others count up from it.
     * @param silenceTimeoutNs time without a reply after which the loop gives up, in ns.
     * @param timeLimitNs      time limit of the warm-up, and of sending in the measured part, in ns; messages in flight by then
     *                         are still awaited.
     */
    public ClosedLoop(
        final Transport[] transports,
        final int lengthBytes,
        final int concurrency,
        final LoopWarmUp warmUp,
        final long warmUpCount,
        final long count,
        final long firstClientId,
        final long silenceTimeoutNs,
        final long timeLimitNs)
    {
        this.concurrency = concurrency;
        this.warmUp = warmUp;
        this.warmUpCount = null == warmUp ? warmUpCount : Long.MAX_VALUE - count;
        measuredCount = count;
        this.silenceTimeoutNs = silenceTimeoutNs;
        this.timeLimitNs = timeLimitNs;
        lanes = new Lane[transports.length];
        for (int i = 0; i < lanes.length; i++)
        {
            final int quota = concurrency / lanes.length + (i < concurrency % lanes.length ? 1 : 0);
            lanes[i] = new Lane(transports[i], firstClientId + i, lengthBytes, quota);
        }
    }

    /** End soon and keep what was measured. */
    public void requestEnd()
    {
        isEndRequested = true;
    }

    /** Run until all round trips are measured, the time is up, or replies cease. */
    public ClosedLoopResult run(final IdleStrategy idleStrategy)
    {
        final long beginNs = System.nanoTime();
        lastAnswerNs = beginNs;
        measuredSinceNs = beginNs;
        try
        {
            loop(idleStrategy, beginNs);
        }
        catch (final RuntimeException | InternalError ex)
        {
            // Keep what was measured, whatever the transport did.
            failure = "the loop ended early: " + Cause.ofError(ex);
        }

        mostInFlight = Math.max(mostInFlight, inFlight());
        final long count = Math.max(0, answeredCount - warmUpCount);
        if (null == failure && !isPartial && 0 == count)
        {
            failure = "no round trip completed in time";
        }
        if (null != failure || isPartial)
        {
            final long endNs = System.nanoTime();
            // Those in flight at an interruption are not slow, unless they are older than any round trip.
            final long fromNs = null == failure ? roundTrips.getMaxValue() : 0;
            for (final Lane lane : lanes)
            {
                recordAges(lane, endNs, fromNs);
            }
        }
        return new ClosedLoopResult(
            count, lostCount, damagedCount, inFlight(), mostInFlight,
            (int)Math.min(concurrency, sentCount),
            (isDraining ? Math.max(lastAnswerNs, sendEndNs) : lastAnswerNs) - measuredSinceNs, roundTrips, failure, isPartial);
    }

    private void loop(final IdleStrategy idleStrategy, final long beginNs)
    {
        while (answeredCount + lostCount < warmUpCount + measuredCount && null == failure && !isPartial &&
            (!isDraining || inFlight() > 0))
        {
            int workCount = 0;
            for (final Lane lane : lanes)
            {
                workCount += lane.transport.poll(lane, POLL_LIMIT);
                workCount += isDraining ? 0 : lane.send();
            }
            if (mostInFlight < concurrency)
            {
                mostInFlight = Math.max(mostInFlight, inFlight());
            }
            idleStrategy.idle(workCount);

            final long nowNs = System.nanoTime();
            if (isEndRequested)
            {
                isPartial = true;
            }
            else if (0 == workCount && nowNs - lastAnswerNs > silenceTimeoutNs)
            {
                failure = String.format(
                    Locale.ROOT, "no reply for %.1f s, with %d messages in flight", (nowNs - lastAnswerNs) / 1e9, inFlight());
            }
            else if (answeredCount < warmUpCount &&
                (null == warmUp ? nowNs - beginNs > timeLimitNs : warmUp.isOver(nowNs, answeredCount)))
            {
                warmUpCount = answeredCount;
                measuredSinceNs = nowNs;
            }
            else if (!isDraining && answeredCount >= warmUpCount && nowNs - measuredSinceNs > timeLimitNs)
            {
                isDraining = true;
                sendEndNs = nowNs;
            }
        }
    }

    /** A message without a reply took at least its age. */
    private void recordAges(final Lane lane, final long nowNs, final long fromNs)
    {
        if (answeredCount >= warmUpCount)
        {
            lane.sendTimesNs.values().stream().map((timeNs) -> nowNs - timeNs).filter((ageNs) -> ageNs >= fromNs)
                .forEach((ageNs) -> roundTrips.recordValue(TimeRecorder.bounded(ageNs)));
        }
    }

    private int inFlight()
    {
        return (int)(sentCount - answeredCount - lostCount);
    }

    /** One session. */
    private final class Lane implements ResponseHandler
    {
        private static final long NONE = Long.MIN_VALUE;

        private final Transport transport;
        private final long clientId;
        private final int length;
        private final int quota;
        private final UnsafeBuffer message;
        private final PayloadCheck payloadCheck = new PayloadCheck();
        private final Long2LongHashMap sendTimesNs = new Long2LongHashMap(NONE);
        private long sequence;

        Lane(final Transport transport, final long clientId, final int length, final int quota)
        {
            this.transport = transport;
            this.clientId = clientId;
            this.length = length;
            this.quota = quota;
            message = new UnsafeBuffer(new byte[length]);
            EchoSession.putPayload(message, clientId);
        }

        int send()
        {
            int count = 0;
            while (sentCount < warmUpCount + measuredCount && sendTimesNs.size() < quota)
            {
                EchoMessage.encode(
                    message, 0, length, EchoRequestDecoder.TEMPLATE_ID, clientId, sequence, sequence, payloadCheck);
                final long nowNs = System.nanoTime();
                if (SendResult.SENT != transport.trySend(message, 0, length))
                {
                    break;
                }
                sendTimesNs.put(sequence++, nowNs);
                sentCount++;
                count++;
            }

            return count;
        }

        @Override
        public void onResponse(
            final DirectBuffer buffer, final int offset, final int responseLength, final long receiveTimeNs)
        {
            final boolean isReply =
                responseLength == length && EchoMessage.VALID == EchoMessage.validate(buffer, offset, length, payloadCheck) &&
                transport.replyTemplateId() == EchoMessage.templateId(buffer, offset) &&
                clientId == EchoMessage.clientId(buffer, offset);
            final long sendTimeNs = isReply ? sendTimesNs.remove(EchoMessage.sequence(buffer, offset)) : NONE;
            if (NONE == sendTimeNs)
            {
                damagedCount++;
                return;
            }

            // Threads of a library take the times, and replies of several sessions can be polled in another order.
            lastAnswerNs = Math.max(lastAnswerNs, receiveTimeNs);
            if (++answeredCount == warmUpCount)
            {
                measuredSinceNs = receiveTimeNs;
            }
            else if (answeredCount > warmUpCount)
            {
                roundTrips.recordValue(TimeRecorder.bounded(receiveTimeNs - sendTimeNs));
            }
        }

        @Override
        public void onReconnected()
        {
            lostCount += sendTimesNs.size();
            recordAges(this, System.nanoTime(), 0);
            sendTimesNs.clear();
        }
    }
}
