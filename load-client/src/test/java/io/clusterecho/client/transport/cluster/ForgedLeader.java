package io.clusterecho.client.transport.cluster;

import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

import io.aeron.Aeron;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.cluster.client.AeronCluster;
import io.aeron.cluster.codecs.EventCode;
import io.aeron.cluster.codecs.MessageHeaderDecoder;
import io.aeron.cluster.codecs.MessageHeaderEncoder;
import io.aeron.cluster.codecs.SessionCloseRequestDecoder;
import io.aeron.cluster.codecs.SessionConnectRequestDecoder;
import io.aeron.cluster.codecs.SessionEventEncoder;
import io.aeron.cluster.codecs.SessionMessageHeaderDecoder;
import io.aeron.cluster.codecs.SessionMessageHeaderEncoder;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.logbuffer.Header;

import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A leader over real sockets. It opens each requested session, returns each message of the current term unchanged, and sends the
 * bytes that a test gives it besides, before the answer to a request or in an open session. Used by one thread.
 */
final class ForgedLeader implements AutoCloseable
{
    /** In forged bytes: replaced by the id of the newest session. */
    static final long SESSION_ID = 0x5E55_1073_5E55_1071L;
    /** In forged bytes: replaced by the correlation id of the request that they answer. */
    static final long CORRELATION_ID = 0x7C0E_6A71_7C0E_6A75L;
    static final int MEMBER_ID = 0;
    static final long TERM_ID = 7;

    private static final int INGRESS_STREAM_ID = 101;
    private static final int FRAGMENT_LIMIT = 10;

    private final MediaDriver driver = MediaDriver.launchEmbedded(new MediaDriver.Context()
        .threadingMode(ThreadingMode.SHARED).termBufferSparseFile(true).publicationTermBufferLength(64 * 1024)
        .dirDeleteOnStart(true).dirDeleteOnShutdown(true));
    private final Aeron aeron =
        Aeron.connect(new Aeron.Context().aeronDirectoryName(driver.aeronDirectoryName()));
    private final Subscription ingress = aeron.addSubscription("aeron:udp?endpoint=localhost:0", INGRESS_STREAM_ID);
    private final Map<Long, Publication> sessions = new TreeMap<>();
    private final Deque<Runnable> answers = new ArrayDeque<>();
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final UnsafeBuffer event = new UnsafeBuffer(new byte[1024]);
    private final UnsafeBuffer echo = new UnsafeBuffer(new byte[1024]);
    private long newestId;
    private long correlationId = -1;
    private byte[] answer;

    /** The endpoint of its ingress. */
    String endpoint()
    {
        String endpoint = ingress.resolvedEndpoint();
        while (null == endpoint)
        {
            Thread.yield();
            endpoint = ingress.resolvedEndpoint();
        }
        return endpoint;
    }

    /** Send bytes before the answer to the next request for a session. */
    void answerNext(final byte[] forged)
    {
        answer = forged;
    }

    /**
     * Send bytes in the newest session now.
     *
     * @return whether they were sent.
     */
    boolean send(final byte[] forged)
    {
        return offer(newestId, new UnsafeBuffer(genuine(forged)), forged.length);
    }

    /**
     * Report the newest session as closed.
     *
     * @return whether the message was sent.
     */
    boolean closeNewest()
    {
        return sendEvent(newestId, EventCode.CLOSED);
    }

    /**
     * One duty cycle.
     *
     * @return work count.
     */
    int poll()
    {
        final int count = ingress.poll(this::onFragment, FRAGMENT_LIMIT);
        for (int i = answers.size(); i > 0; i--)
        {
            answers.poll().run();
        }
        return count;
    }

    private void onFragment(final DirectBuffer buffer, final int offset, final int length, final Header ignored)
    {
        final int body = offset + MessageHeaderDecoder.ENCODED_LENGTH;
        header.wrap(buffer, offset);
        switch (header.templateId())
        {
            case SessionConnectRequestDecoder.TEMPLATE_ID ->
            {
                final SessionConnectRequestDecoder request =
                    new SessionConnectRequestDecoder().wrap(buffer, body, header.blockLength(), header.version());
                correlationId = request.correlationId();
                final int streamId = request.responseStreamId();
                open(aeron.addExclusivePublication(request.responseChannel(), streamId));
            }

            case SessionCloseRequestDecoder.TEMPLATE_ID -> CloseHelper.close(sessions.remove(
                new SessionCloseRequestDecoder().wrap(buffer, body, header.blockLength(), header.version()).clusterSessionId()));

            case SessionMessageHeaderDecoder.TEMPLATE_ID ->
            {
                final SessionMessageHeaderDecoder message =
                    new SessionMessageHeaderDecoder().wrap(buffer, body, header.blockLength(), header.version());
                if (TERM_ID == message.leadershipTermId())
                {
                    new SessionMessageHeaderEncoder().wrapAndApplyHeader(echo, 0, new MessageHeaderEncoder())
                        .leadershipTermId(TERM_ID).clusterSessionId(message.clusterSessionId()).timestamp(0);
                    final int headerLength = AeronCluster.SESSION_HEADER_LENGTH;
                    echo.putBytes(headerLength, buffer, offset + headerLength, length - headerLength);
                    offer(message.clusterSessionId(), echo, length);
                }
            }

            default ->
            {
            }
        }
    }

    private void open(final Publication egress)
    {
        sessions.values().removeIf((old) ->
        {
            final boolean isGone = !old.isConnected();
            CloseHelper.close(isGone ? old : null);
            return isGone;
        });
        final long id = ++newestId;
        sessions.put(id, egress);
        final byte[] before = answer;
        answer = null;
        if (null != before)
        {
            final byte[] bytes = genuine(before);
            answers.add(() -> retry(id, () -> offer(id, new UnsafeBuffer(bytes), bytes.length)));
        }
        final long answered = correlationId;
        answers.add(() -> retry(id, () ->
        {
            correlationId = answered;
            return sendEvent(id, EventCode.OK);
        }));
    }

    private void retry(final long id, final BooleanSupplier action)
    {
        if (sessions.containsKey(id) && !action.getAsBoolean())
        {
            answers.add(() -> retry(id, action));
        }
    }

    private boolean sendEvent(final long id, final EventCode code)
    {
        final SessionEventEncoder encoder =
            new SessionEventEncoder().wrapAndApplyHeader(event, 0, new MessageHeaderEncoder());
        encoder.clusterSessionId(id).correlationId(correlationId).leadershipTermId(TERM_ID).leaderMemberId(MEMBER_ID)
            .code(code).version(AeronCluster.Configuration.PROTOCOL_SEMANTIC_VERSION)
            .leaderHeartbeatTimeoutNs(SessionEventEncoder.leaderHeartbeatTimeoutNsNullValue()).detail("");
        return offer(id, event, MessageHeaderEncoder.ENCODED_LENGTH + encoder.encodedLength());
    }

    private boolean offer(final long id, final DirectBuffer message, final int length)
    {
        final Publication egress = sessions.get(id);
        return null != egress && egress.offer(message, 0, length) > 0;
    }

    private byte[] genuine(final byte[] forged)
    {
        final UnsafeBuffer bytes = new UnsafeBuffer(forged.clone());
        for (int i = 0; i + Long.BYTES <= bytes.capacity(); i++)
        {
            final long value = bytes.getLong(i, ByteOrder.LITTLE_ENDIAN);
            if (SESSION_ID == value || CORRELATION_ID == value)
            {
                bytes.putLong(i, SESSION_ID == value ? newestId : correlationId, ByteOrder.LITTLE_ENDIAN);
            }
        }
        return bytes.byteArray();
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(aeron, driver);
    }
}
