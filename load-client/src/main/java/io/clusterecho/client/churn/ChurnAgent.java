package io.clusterecho.client.churn;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;

import io.aeron.cluster.client.ClusterException;
import io.aeron.cluster.client.EgressListener;
import io.aeron.cluster.ConsensusModule;
import io.aeron.exceptions.AeronException;
import io.aeron.exceptions.TimeoutException;
import io.aeron.logbuffer.Header;
import io.aeron.security.AuthenticationException;

import io.clusterecho.client.transport.cluster.SessionSource;
import io.clusterecho.client.transport.cluster.SessionSource.Attempt;
import io.clusterecho.client.transport.cluster.SessionSource.Session;
import io.clusterecho.reporting.measurement.ChurnCounter;
import io.clusterecho.reporting.measurement.TimeRecorder;
import io.clusterecho.schema.EchoMessage;
import io.clusterecho.schema.PayloadCheck;
import io.clusterecho.schema.codecs.EchoRequestDecoder;

import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.collections.ArrayListUtil;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;

/**
 * Opens each session when it is due, whatever became of the others, but at most 32 at a time: further ones
 * wait, and are given up after the timeout of an attempt. Sends a message, and closes the session after the reply.
 * <pre>
 *   due --> connecting --> open: message, reply --> closed
 *                |                    |
 *        refused, timed out,    lost, unanswered
 *        failed
 * </pre>
 * Each session has a client id of its own while it lives; ids are reused, so that the service's table of clients does not grow.
 * Not on the path of the measured messages: opening a session allocates. One thread; {@link #begin} and {@link #requestEnd} may
 * be called by any.
 */
final class ChurnAgent
{
    private static final int SIGNIFICANT_DIGITS = 3;
    private static final int BEGIN_LIMIT = 16;
    /** Each attempt has streams that driver and client must serve: with more of them all become slower than if some wait. */
    private static final int MOST_ATTEMPTS = 32;
    /** Attempts that one duty cycle polls, so that driver and open sessions are served at the same pace under any load. */
    private static final int POLL_LIMIT = 8;
    private static final int MESSAGE_LENGTH = 64;
    /** A time that is not known yet. */
    private static final long UNKNOWN_NS = Long.MIN_VALUE;

    private final ChurnPlan plan;
    private final SessionSource source;
    /** The agent's thread writes accounts and times; one other thread may read at any time. */
    private final AtomicLongArray accounts = new AtomicLongArray(ChurnCounter.values().length);
    private final SingleWriterRecorder connectTimes = new SingleWriterRecorder(TimeRecorder.MAX_TIME_NS, SIGNIFICANT_DIGITS);
    private final NanoClock clock;
    private final long timeoutNs;
    private final long firstClientId;
    private final PayloadCheck payloadCheck = new PayloadCheck();
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[MESSAGE_LENGTH]);
    private final ArrayList<ChurnClient> connecting = new ArrayList<>();
    private final ArrayList<ChurnClient> open = new ArrayList<>();
    private final ArrayList<ChurnClient> idle = new ArrayList<>();
    /** The first message of each reason for which attempts failed; for others after the last duty cycle. */
    final Map<ChurnCounter, String> firstFailures = new EnumMap<>(ChurnCounter.class);
    private volatile long startNs = UNKNOWN_NS;
    private volatile boolean isEndRequested;
    private long endNs = Long.MAX_VALUE;
    private long begunCount;
    private int clientCount;
    private int nextPolled;

    /**
     * An agent that has not begun.
     *
     * @param timeoutNs     of an attempt, and of each reply, in ns.
     * @param firstClientId of the ids of the sessions, which count up from it.
     */
    ChurnAgent(
        final ChurnPlan plan,
        final SessionSource source,
        final NanoClock clock,
        final long timeoutNs,
        final long firstClientId)
    {
        this.plan = plan;
        this.source = source;
        this.clock = clock;
        this.timeoutNs = timeoutNs;
        this.firstClientId = firstClientId;
    }

    /** Begin, from the start of the schedule on this clock; before that only the connection is kept alive. */
    void begin(final long newStartNs)
    {
        startNs = newStartNs;
    }

    /** Open no more sessions; those that exist continue. */
    void requestEnd()
    {
        isEndRequested = true;
    }

    int doWork()
    {
        int workCount = source.drive();
        final long nowNs = clock.nanoTime();
        if (UNKNOWN_NS != startNs)
        {
            workCount += beginDue(nowNs);
        }
        workCount += pollConnecting() + pollOpen(nowNs);
        set(ChurnCounter.IN_PROGRESS, connecting.size());
        set(ChurnCounter.OPEN, open.size());
        return workCount;
    }

    /** Whether no session is being opened and none waits for a reply. */
    boolean isDrained()
    {
        return connecting.isEmpty() && open.isEmpty();
    }

    /** Close what is open. The accounts stay as they are. */
    void close()
    {
        connecting.forEach((client) -> CloseHelper.quietClose(client.attempt));
        open.forEach((client) -> CloseHelper.quietClose(client.session));
        connecting.clear();
        open.clear();
    }

    private int beginDue(final long nowNs)
    {
        final boolean isEnded = isEndRequested;
        // By the time of this thread: that of the request may be before the last session that was begun.
        endNs = isEnded ? Math.min(endNs, nowNs) : endNs;
        final long dueCount = plan.dueCount(Math.min(endNs, nowNs) - startNs);
        int workCount = 0;
        while (!isEnded && begunCount < dueCount && nowNs - startNs - plan.dueNs(begunCount) >= timeoutNs)
        {
            increment(ChurnCounter.NOT_ATTEMPTED);
            begunCount++;
        }
        while (!isEnded && begunCount < dueCount && workCount < BEGIN_LIMIT && connecting.size() < MOST_ATTEMPTS)
        {
            final ChurnClient client =
                idle.isEmpty() ? new ChurnClient(firstClientId + clientCount++) : idle.remove(idle.size() - 1);
            client.begin(begunCount++);
            workCount++;
        }
        set(ChurnCounter.DUE, dueCount);
        set(ChurnCounter.NOT_BEGUN, dueCount - begunCount);
        return workCount;
    }

    /** The next attempts in turn. */
    private int pollConnecting()
    {
        int workCount = 0;
        for (int polled = Math.min(POLL_LIMIT, connecting.size()); polled > 0; polled--)
        {
            nextPolled = nextPolled <= 0 || nextPolled > connecting.size() ? connecting.size() - 1 : nextPolled - 1;
            final ChurnClient client = connecting.get(nextPolled);
            final boolean isFailed = client.connect();
            if (isFailed || null != client.session)
            {
                workCount++;
                ArrayListUtil.fastUnorderedRemove(connecting, nextPolled);
                (isFailed ? idle : open).add(client);
            }
        }
        return workCount;
    }

    private int pollOpen(final long nowNs)
    {
        int workCount = 0;
        for (int i = open.size() - 1; i >= 0; i--)
        {
            final ChurnClient client = open.get(i);
            if (client.converse(nowNs))
            {
                workCount++;
                ArrayListUtil.fastUnorderedRemove(open, i);
                idle.add(client);
            }
        }
        return workCount;
    }

    long value(final ChurnCounter counter)
    {
        return accounts.get(counter.ordinal());
    }

    /** Move the times from when sessions were due until they were open, since the last call, into a histogram. */
    void connectTimes(final Histogram histogram)
    {
        connectTimes.getIntervalHistogramInto(histogram);
    }

    private void increment(final ChurnCounter counter)
    {
        set(counter, value(counter) + 1);
    }

    private void set(final ChurnCounter counter, final long value)
    {
        accounts.lazySet(counter.ordinal(), value);
    }

    private void fail(final ChurnCounter reason, final AeronException failure)
    {
        increment(reason);
        firstFailures.computeIfAbsent(
            reason, (key) -> String.valueOf(failure.getMessage()).lines().findFirst().orElse("no message")
            // Aeron's message of a timeout has all settings of the client; its state says how far the attempt came.
            .replaceFirst("^.*?cluster connect timeout: state=([A-Z_]+).*$", "no answer in state $1"));
    }

    private static ChurnCounter reason(final AeronException failure, final boolean isRequested)
    {
        if (failure instanceof TimeoutException)
        {
            return isRequested ? ChurnCounter.TIMED_OUT_UNANSWERED : ChurnCounter.TIMED_OUT_UNREACHED;
        }
        if (failure instanceof AuthenticationException)
        {
            return ChurnCounter.REFUSED_OTHER;
        }
        if (failure instanceof ClusterException && isRequested)
        {
            return String.valueOf(failure.getMessage()).contains(ConsensusModule.Configuration.SESSION_LIMIT_MSG) ?
                ChurnCounter.REFUSED_LIMIT : ChurnCounter.REFUSED_OTHER;
        }

        return ChurnCounter.FAILED;
    }

    /** A client that opens one session after the other, each time it is chosen. */
    private final class ChurnClient implements EgressListener
    {
        private final long clientId;
        private long sequence;
        private long number;
        private Attempt attempt;
        private Session session;
        private boolean isSent;
        private boolean isAnswered;
        private long deadlineNs;

        private ChurnClient(final long clientId)
        {
            this.clientId = clientId;
        }

        private void begin(final long newNumber)
        {
            number = newNumber;
            isSent = false;
            isAnswered = false;
            try
            {
                attempt = source.begin(timeoutNs, this);
                connecting.add(this);
            }
            catch (final AeronException ex)
            {
                fail(ChurnCounter.FAILED, ex);
                idle.add(this);
            }
        }

        /** @return whether the attempt failed. */
        private boolean connect()
        {
            final boolean isRequested = attempt.isRequested();
            try
            {
                session = attempt.poll();
            }
            catch (final AeronException ex)
            {
                fail(reason(ex, isRequested), ex);
                CloseHelper.quietClose(attempt);
                attempt = null;
                return true;
            }
            if (null != session)
            {
                final long openNs = clock.nanoTime();
                attempt = null;
                increment(ChurnCounter.CONNECTED);
                connectTimes.recordValue(Math.max(0, Math.min(openNs - startNs - plan.dueNs(number), TimeRecorder.MAX_TIME_NS)));
                deadlineNs = openNs + timeoutNs;
            }
            return false;
        }

        /** @return whether the session ended. */
        private boolean converse(final long nowNs)
        {
            try
            {
                session.pollEgress();
            }
            catch (final TimeoutException ex)
            {
                // A new leader was announced but not reached.
                return end(ChurnCounter.LOST);
            }
            if (session.isClosed())
            {
                return end(ChurnCounter.LOST);
            }
            if (isAnswered)
            {
                return end(ChurnCounter.CLOSED);
            }
            if (!isSent)
            {
                send(nowNs);
            }
            return nowNs - deadlineNs >= 0 && end(ChurnCounter.UNANSWERED);
        }

        private void send(final long nowNs)
        {
            EchoMessage.encode(
                message, 0, MESSAGE_LENGTH, EchoRequestDecoder.TEMPLATE_ID, clientId, sequence, nowNs - startNs, payloadCheck);
            // Without effect while the ingress is not connected, as after the loss of the leader: repeated until the deadline.
            if (session.offer(message, 0, MESSAGE_LENGTH) > 0)
            {
                isSent = true;
                sequence++;
                deadlineNs = nowNs + timeoutNs;
            }
        }

        private boolean end(final ChurnCounter counter)
        {
            increment(counter);
            CloseHelper.quietClose(session);
            session = null;
            return true;
        }

        @Override
        public void onMessage(
            final long clusterSessionId,
            final long timestamp,
            final DirectBuffer buffer,
            final int offset,
            final int length,
            final Header header)
        {
            if (EchoMessage.VALID == EchoMessage.validate(buffer, offset, length, payloadCheck) &&
                clientId == EchoMessage.clientId(buffer, offset) && sequence - 1 == EchoMessage.sequence(buffer, offset))
            {
                isAnswered = true;
            }
        }
    }
}
