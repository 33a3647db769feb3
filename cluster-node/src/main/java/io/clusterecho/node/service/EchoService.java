package io.clusterecho.node.service;

import java.util.function.BiFunction;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.AtomicCounter;

import io.aeron.cluster.service.ClientSession;
import io.aeron.cluster.service.Cluster;
import io.aeron.logbuffer.Header;
import io.clusterecho.media.counters.ServiceCounter;
import io.clusterecho.node.stage.StageStamps;
import io.clusterecho.schema.EchoMessage;
import io.clusterecho.schema.PayloadCheck;
import io.clusterecho.schema.codecs.EchoResponseEncoder;
import io.clusterecho.schema.codecs.MessageHeaderEncoder;
import io.clusterecho.schema.codecs.RepeatedEchoResponseEncoder;
import io.clusterecho.schema.codecs.SequenceGapEncoder;

/**
 * Applies the requests of the log to a table of clients and answers them, as described in {@code echo-schema.xml}.
 * <p>
 * The state is a function of the log and of two bounds that must be the same on all members: the number of clients and the
 * length of a message. Anything that is not a request is counted and ignored; no message makes the service throw, because
 * Aeron would then skip it on this member alone.
 * <p>
 * All methods are called by the thread of the service container. Steady state does not allocate, block or log.
 */
public final class EchoService extends PlainEchoService
{
    private static final long STATE_CHANGES = -1;

    private final PayloadCheck payloadCheck = new PayloadCheck();
    private final UnsafeBuffer gapBuffer =
        new UnsafeBuffer(new byte[MessageHeaderEncoder.ENCODED_LENGTH + SequenceGapEncoder.BLOCK_LENGTH]);
    private final MessageHeaderEncoder gapHeader = new MessageHeaderEncoder();
    private final SequenceGapEncoder gap = new SequenceGapEncoder();
    private StageStamps stageStamps;

    /**
     * At most so many clients, backlog in bytes for a slow session, and bytes of a request; the first and the last are the
     * same on all members.
     */
    public EchoService(final int maxClients, final long egressBacklogLengthBytes, final int maxMessageLengthBytes)
    {
        this(
            maxClients, egressBacklogLengthBytes, totalBacklogLengthBytes(), maxMessageLengthBytes, PlainEchoService::newCounter);
    }

    EchoService(
        final int maxClients,
        final long egressBacklogLengthBytes,
        final long totalBacklogLengthBytes,
        final int maxMessageLengthBytes,
        final BiFunction<Cluster, ServiceCounter, AtomicCounter> counterFactory)
    {
        super(
            new ClientTable(maxClients), egressBacklogLengthBytes, totalBacklogLengthBytes, maxMessageLengthBytes,
            counterFactory);
        if (maxMessageLengthBytes < EchoMessage.MIN_LENGTH)
        {
            throw new IllegalArgumentException(
                "maxMessageLengthBytes=" + maxMessageLengthBytes + ", must be at least " + EchoMessage.MIN_LENGTH);
        }
    }

    /**
     * Append stage times to the replies of requests that ask for them. Call before the service is launched; without it no reply
     * has stage times.
     */
    public void stageStamps(final StageStamps stamps)
    {
        stageStamps = stamps;
    }

    /** Keep a state of a given length beside the clients. Call before the service is launched; without it there is none. */
    public void stateTable(final StateTable newTable)
    {
        stateTable = newTable;
    }

    @Override
    void answer(
        final ClientSession session,
        final long timestamp,
        final DirectBuffer buffer,
        final int offset,
        final int length,
        final Header header)
    {
        final int verdict = EchoMessage.validate(buffer, offset, length, payloadCheck);
        if (EchoMessage.VALID == verdict)
        {
            onEchoMessage(session, timestamp, buffer, offset, length, header);
        }
        else
        {
            refuse(refusal(verdict));
        }
    }

    /** Called after each entry, also one that changes nothing: an entry that should have changed something becomes visible. */
    @Override
    void publishState()
    {
        counters.set(ServiceCounter.STATE_POSITION, STATE_CHANGES);
        counters.set(ServiceCounter.STATE_CHECKSUM, table.checksum());
        counters.set(ServiceCounter.APPLIED, table.appliedCount());
        counters.set(ServiceCounter.CLIENTS, table.clientCount());
        counters.set(ServiceCounter.CLIENTS_EVICTED, table.evictedCount());
        counters.set(ServiceCounter.STATE_POSITION, cluster.logPosition());
    }

    private void onEchoMessage(
        final ClientSession session,
        final long timestamp,
        final DirectBuffer buffer,
        final int offset,
        final int length,
        final Header header)
    {
        final int templateId = EchoMessage.templateId(buffer, offset);
        if (!EchoMessage.isRequest(templateId))
        {
            refuse(ServiceCounter.REFUSED_RESPONSE);
            return;
        }

        final long sequence = EchoMessage.sequence(buffer, offset);
        if (sequence < 0)
        {
            refuse(ServiceCounter.REFUSED_NEGATIVE_SEQUENCE);
            return;
        }

        // Before the request is applied: the service's work counts as part of the way back.
        final DirectBuffer stages = stages(templateId, timestamp, header);
        final long clientId = EchoMessage.clientId(buffer, offset);
        final int check = EchoMessage.check(buffer, offset);
        final int outcome = table.apply(
            clientId, sequence, check, EchoMessage.isOrdered(templateId), cluster.logPosition(), timestamp);
        if (ClientTable.APPLIED == outcome || ClientTable.APPLIED_AFTER_GAP == outcome)
        {
            stateTable.onApplied(table.checksum());
            work();
        }
        // Before the reply: the client that receives it must find the state it refers to.
        publishState();
        switch (outcome)
        {
            case ClientTable.REPEATED ->
            {
                counters.increment(ServiceCounter.REPEATED);
                egress.reply(session, buffer, offset, length, RepeatedEchoResponseEncoder.TEMPLATE_ID, stages);
            }
            case ClientTable.TOO_EARLY ->
            {
                counters.increment(ServiceCounter.TOO_EARLY);
                gap.wrapAndApplyHeader(gapBuffer, 0, gapHeader)
                    .clientId(clientId)
                    .expectedSequence(table.expectedSequence(clientId))
                    .receivedSequence(sequence);
                egress.send(session, gapBuffer, 0, gapBuffer.capacity());
            }
            default ->
            {
                if (ClientTable.APPLIED_AFTER_GAP == outcome)
                {
                    counters.increment(ServiceCounter.APPLIED_AFTER_GAP);
                }
                egress.reply(session, buffer, offset, length, EchoResponseEncoder.TEMPLATE_ID, stages);
                fanOut(session, buffer, offset, length);
            }
        }
    }

    /**
     * A copy of the reply for each receiver, once: a request that is repeated sends none, since its copies were sent when it was
     * applied. A receiver that is slow has a backlog of its own, as any session, and does not delay the others.
     */
    private void fanOut(final ClientSession sender, final DirectBuffer buffer, final int offset, final int length)
    {
        for (int i = 0, count = receivers.size(); i < count; i++)
        {
            final ClientSession receiver = receivers.get(i);
            if (receiver != sender)
            {
                egress.reply(receiver, buffer, offset, length, EchoResponseEncoder.TEMPLATE_ID, null);
            }
        }
    }

    /** Only the leader's replies are sent, and only the leader added the message to the log by its own clock. */
    private DirectBuffer stages(final int templateId, final long timestamp, final Header header)
    {
        return null == stageStamps || !EchoMessage.isStaged(templateId) || Cluster.Role.LEADER != cluster.role() ? null :
            stageStamps.of(timestamp, cluster.logPosition(), header.sessionId());
    }

    private static ServiceCounter refusal(final int verdict)
    {
        return switch (verdict)
        {
            case EchoMessage.SHORT -> ServiceCounter.REFUSED_SHORT;
            case EchoMessage.WRONG_SCHEMA -> ServiceCounter.REFUSED_WRONG_SCHEMA;
            case EchoMessage.UNKNOWN_TEMPLATE -> ServiceCounter.REFUSED_UNKNOWN_TEMPLATE;
            default -> ServiceCounter.REFUSED_CORRUPT;
        };
    }
}
