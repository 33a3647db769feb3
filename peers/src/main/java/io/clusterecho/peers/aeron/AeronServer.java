package io.clusterecho.peers.aeron;

import java.util.concurrent.TimeUnit;

import io.aeron.ControlledFragmentAssembler;
import io.aeron.Subscription;
import io.aeron.logbuffer.ControlledFragmentHandler;
import io.aeron.logbuffer.ControlledFragmentHandler.Action;
import io.aeron.logbuffer.Header;

import io.clusterecho.client.transport.aeron.AeronConnection;
import io.clusterecho.peers.PeerServer;
import io.clusterecho.peers.Conversation;
import io.clusterecho.schema.peers.MessageHeaderDecoder;
import io.clusterecho.schema.peers.SessionOpenDecoder;

import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.concurrent.IdleStrategy;

/**
 * Server over plain Aeron. One thread runs the media driver (if it has no threads of its own), receives and, unless a worker
 * does, answers. A message whose reply meets back pressure is not consumed: its session waits, the others do not.
 */
final class AeronServer implements PeerServer
{
    private static final int FRAGMENT_LIMIT = 16;
    private static final long LOOK_INTERVAL_NS = TimeUnit.SECONDS.toNanos(1);

    private final AeronConnection connection;
    private final AeronSettings settings;
    private final WireFormat format;
    private final Subscription subscription;
    private final CallWorker worker;
    private final Int2ObjectHashMap<ServerSession> sessions = new Int2ObjectHashMap<>();
    private final ControlledFragmentHandler assembler = new ControlledFragmentAssembler(this::onFragment);
    private final SessionOpenDecoder sessionOpen = new SessionOpenDecoder();
    private long nextLookNs = System.nanoTime();

    AeronServer(final AeronConnection connection, final String channel, final AeronSettings settings, final WireFormat format)
    {
        this.connection = connection;
        this.settings = settings;
        this.format = format;
        subscription = connection.aeron().addSubscription(channel, AeronPeer.STREAM_ID);
        worker = format.isCalls() ? CallWorker.start(settings.maxMessageLength()) : null;
    }

    @Override
    public void work(final IdleStrategy idleStrategy)
    {
        idleStrategy.idle(doWork());
    }

    private int doWork()
    {
        int workCount = connection.drive();
        workCount += subscription.controlledPoll(assembler, FRAGMENT_LIMIT);
        for (final ServerSession session : sessions.values())
        {
            workCount += session.doWork();
        }

        final long nowNs = System.nanoTime();
        if (nowNs - nextLookNs >= 0)
        {
            nextLookNs = nowNs + LOOK_INTERVAL_NS;
            closeEnded();
        }

        return workCount;
    }

    @Override
    public void close()
    {
        CloseHelper.quietClose(worker);
        sessions.values().forEach(CloseHelper::quietClose);
        CloseHelper.quietClose(subscription);
        CloseHelper.quietClose(connection);
    }

    private Action onFragment(final DirectBuffer buffer, final int offset, final int length, final Header header)
    {
        final ServerSession session = sessions.get(header.sessionId());
        if (SessionOpenDecoder.TEMPLATE_ID == Conversation.peersTemplateId(buffer, offset, length))
        {
            if (null == session)
            {
                sessionOpen.wrap(
                    buffer, offset + MessageHeaderDecoder.ENCODED_LENGTH, SessionOpenDecoder.BLOCK_LENGTH,
                    SessionOpenDecoder.SCHEMA_VERSION);
                open(header.sessionId(), sessionOpen.streamId(), sessionOpen.channel());
            }
            // Otherwise the client repeated its request before the answer reached it.
            return Action.CONTINUE;
        }

        // A client of an earlier server notices that this one does not answer, and opens a new session.
        return null == session || session.take(buffer, offset, length) ? Action.CONTINUE : Action.ABORT;
    }

    private void open(final int sessionId, final int streamId, final String channel)
    {
        final String full = channel + (channel.indexOf('?') < 0 ? "?" : "|") + settings.publicationParameters();
        sessions.put(
            sessionId, new ServerSession(connection.aeron(), full, streamId, format.newCodec(false), worker));
    }

    private void closeEnded()
    {
        sessions.entrySet().removeIf((session) ->
        {
            final boolean isEnded = null == subscription.imageBySessionId(session.getKey());
            if (isEnded)
            {
                CloseHelper.quietClose(session.getValue());
            }
            return isEnded;
        });
    }
}
