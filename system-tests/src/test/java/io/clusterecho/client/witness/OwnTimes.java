package io.clusterecho.client.witness;

import java.util.Arrays;

import io.clusterecho.client.transport.ResponseHandler;
import io.clusterecho.client.transport.SendResult;
import io.clusterecho.client.transport.Sessions;
import io.clusterecho.client.transport.Transport;
import io.clusterecho.reporting.measurement.TimeRecorder;
import io.clusterecho.schema.EchoMessage;

import org.HdrHistogram.Histogram;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.NanoClock;

/**
 * The send and receive time of each message as the load client itself has them, kept between the client and its transports: the
 * send time is the last reading of the client's clock before a message is handed over, the receive time is what the transport
 * passes on. Whether these are the times that the client reports is checked afterwards, by {@link #isSameAs}.
 * <p>
 * Used by the agent's thread during the load, and by any other before and afterwards.
 */
final class OwnTimes implements NanoClock
{
    /** Of a message without a reply. */
    static final long NONE = Long.MIN_VALUE;

    private final NanoClock clock;
    private final long firstClientId;
    private final int sessionCount;
    private final long[] sendNs;
    private final long[] receiveNs;
    private Thread agentThread;
    private long lastReadingNs;

    /** @param firstClientId of the run; the others count up from it. */
    OwnTimes(final NanoClock clock, final long firstClientId, final int sessionCount, final int messageCount)
    {
        this.clock = clock;
        this.firstClientId = firstClientId;
        this.sessionCount = sessionCount;
        sendNs = new long[messageCount];
        receiveNs = new long[messageCount];
        Arrays.fill(receiveNs, NONE);
    }

    /**
     * Open sessions whose messages are recorded.
     *
     * @param sessions closed with the returned ones.
     */
    Sessions over(final Sessions sessions)
    {
        final Sessions recorded = new Sessions(sessions);
        for (final Transport transport : sessions.transports())
        {
            recorded.add(new Recorded(transport), 1);
        }
        return recorded;
    }

    @Override
    public long nanoTime()
    {
        final long nowNs = clock.nanoTime();
        // Another thread reads the same clock to take the intervals.
        if (Thread.currentThread() == agentThread)
        {
            lastReadingNs = nowNs;
        }
        return nowNs;
    }

    /**
     * Time from send to receive.
     *
     * @return in ns, or {@link #NONE} without a reply.
     */
    long serviceTimeNs(final int index)
    {
        return NONE == receiveNs[index] ? NONE : receiveNs[index] - sendNs[index];
    }

    /** Whether the service times here are those that the client reports. */
    boolean isSameAs(final Histogram reported, final int firstIndex)
    {
        final Histogram own = TimeRecorder.newHistogram();
        for (int i = firstIndex; i < receiveNs.length; i++)
        {
            if (NONE != receiveNs[i])
            {
                own.recordValue(Math.max(0, Math.min(TimeRecorder.MAX_TIME_NS, serviceTimeNs(i))));
            }
        }
        return own.equals(reported);
    }

    private int indexOf(final DirectBuffer message, final int offset)
    {
        final long session = EchoMessage.clientId(message, offset) - firstClientId;
        final long sequence = EchoMessage.sequence(message, offset);
        final long index = sequence * sessionCount + session;
        return session < 0 || session >= sessionCount || sequence < 0 || sequence >= sendNs.length || index >= sendNs.length ?
            -1 : (int)index;
    }

    private final class Recorded implements Transport, ResponseHandler
    {
        private final Transport transport;
        private ResponseHandler handler;

        private Recorded(final Transport transport)
        {
            this.transport = transport;
        }

        @Override
        public void connect(final long timeoutNs)
        {
            // It is open.
        }

        @Override
        public SendResult trySend(final DirectBuffer message, final int offset, final int length)
        {
            if (Thread.currentThread() != agentThread)
            {
                // Before the first poll the readings of the agent's thread are unknown; the message is offered again.
                return SendResult.BACK_PRESSURED;
            }
            final long sendTimeNs = lastReadingNs;
            final SendResult result = transport.trySend(message, offset, length);
            final int index = SendResult.SENT == result ? indexOf(message, offset) : -1;
            if (index >= 0)
            {
                sendNs[index] = sendTimeNs;
            }
            return result;
        }

        @Override
        public int poll(final ResponseHandler newHandler, final int limit)
        {
            handler = newHandler;
            agentThread = Thread.currentThread();
            return transport.poll(this, limit);
        }

        @Override
        public void onResponse(final DirectBuffer buffer, final int offset, final int length, final long receiveTimeNs)
        {
            final int index = length < EchoMessage.MIN_LENGTH ? -1 : indexOf(buffer, offset);
            if (index >= 0 && NONE == receiveNs[index])
            {
                receiveNs[index] = receiveTimeNs;
            }
            handler.onResponse(buffer, offset, length, receiveTimeNs);
        }

        @Override
        public void onNewLeader(final int memberId, final long leadershipTermId)
        {
            handler.onNewLeader(memberId, leadershipTermId);
        }

        @Override
        public void onReconnected()
        {
            handler.onReconnected();
        }

        @Override
        public boolean isOrdered()
        {
            return transport.isOrdered();
        }

        @Override
        public int replyTemplateId()
        {
            return transport.replyTemplateId();
        }

        @Override
        public void close()
        {
            // Closed with the sessions that this one is over.
        }
    }
}
