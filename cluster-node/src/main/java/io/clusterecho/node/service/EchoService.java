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
 * Applies the requests of the log to a table of clients and answers them, as {@code echo-schema.xml} tells.
 * <p>
 * The state is a function of the log and of two bounds that must be equal on all members: how many clients are remembered and
 * how long a message may be. What is no request is counted and ignored; a message never makes the service throw, since
 * Aeron would then skip it on this member alone.
 * <p>
 * All methods are called by the thread of the service container. Steady state does not allocate, block or log.
 */
public final class EchoService extends AnsweringService
{
    private static final long STATE_CHANGES = -1;

    private final PayloadCheck payloadCheck = new PayloadCheck();
    private final UnsafeBuffer gapBuffer =
        new UnsafeBuffer(new byte[MessageHeaderEncoder.ENCODED_LENGTH + SequenceGapEncoder.BLOCK_LENGTH]);
    private final MessageHeaderEncoder gapHeader = new MessageHeaderEncoder();
    private final SequenceGapEncoder gap = new SequenceGapEncoder();
    private StageStamps stageStamps;

    /**
     * A service for one container.
     *
     * @param maxClients               that are remembered, at least 1; equal on all members.
     * @param egressBacklogLengthBytes of replies that may wait for one slow session, 0 or more.
     * @param maxMessageLengthBytes    of a request, at least {@link EchoMessage#MIN_LENGTH}; equal on all members.
     * @throws IllegalArgumentException for a value out of its range.
     */
    public EchoService(final int maxClients, final long egressBacklogLengthBytes, final int maxMessageLengthBytes)
    {
        this(
            maxClients,
            egressBacklogLengthBytes,
            totalBacklogLengthBytes(),
            maxMessageLengthBytes,
            AnsweringService::newCounter);
    }

    EchoService(
        final int maxClients,
        final long egressBacklogLengthBytes,
        final long totalBacklogLengthBytes,
        final int maxMessageLengthBytes,
        final BiFunction<Cluster, ServiceCounter, AtomicCounter> counterFactory)
    {
        super(
            new ClientTable(maxClients), egressBacklogLengthBytes, totalBacklogLengthBytes,
            checkedLength(maxMessageLengthBytes), counterFactory);
    }

    /**
     * Tell those who ask when their messages were where; before the service is launched. Without this they get no such times.
     *
     * @param stamps to put behind their replies.
     */
    public void stageStamps(final StageStamps stamps)
    {
        stageStamps = stamps;
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

    /**
     * After each entry, also one that changes nothing: an entry that should have changed something shows by that.
     */
    @Override
    void publishState()
    {
        final ServiceCounters counters = counters();
        final ClientTable table = table();
        counters.set(ServiceCounter.STATE_POSITION, STATE_CHANGES);
        counters.set(ServiceCounter.STATE_CHECKSUM, table.checksum());
        counters.set(ServiceCounter.APPLIED, table.appliedCount());
        counters.set(ServiceCounter.CLIENTS, table.clientCount());
        counters.set(ServiceCounter.CLIENTS_EVICTED, table.evictedCount());
        counters.set(ServiceCounter.STATE_POSITION, cluster().logPosition());
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

        // Before it is applied: what the service does with it belongs to the reply's way.
        final DirectBuffer stages = stages(templateId, timestamp, header);
        final Egress egress = egress();
        final ClientTable table = table();
        final long clientId = EchoMessage.clientId(buffer, offset);
        final int check = EchoMessage.check(buffer, offset);
        final int outcome = table.apply(
            clientId, sequence, check, EchoMessage.isOrdered(templateId), cluster().logPosition(), timestamp);
        // Before the reply: who has it must find the state that it speaks of.
        publishState();
        switch (outcome)
        {
            case ClientTable.APPLIED:
                egress.reply(session, buffer, offset, length, EchoResponseEncoder.TEMPLATE_ID, stages);
                break;

            case ClientTable.APPLIED_AFTER_GAP:
                counters().increment(ServiceCounter.APPLIED_AFTER_GAP);
                egress.reply(session, buffer, offset, length, EchoResponseEncoder.TEMPLATE_ID, stages);
                break;

            case ClientTable.REPEATED:
                counters().increment(ServiceCounter.REPEATED);
                egress.reply(session, buffer, offset, length, RepeatedEchoResponseEncoder.TEMPLATE_ID, stages);
                break;

            default:
                counters().increment(ServiceCounter.TOO_EARLY);
                gap.wrapAndApplyHeader(gapBuffer, 0, gapHeader)
                    .clientId(clientId)
                    .expectedSequence(table.expectedSequence(clientId))
                    .receivedSequence(sequence);
                egress.send(session, gapBuffer, 0, gapBuffer.capacity());
                break;
        }
    }

    /**
     * Only a leader's reply is sent, and only the leader put the message into the log by its own clock.
     */
    private DirectBuffer stages(final int templateId, final long timestamp, final Header header)
    {
        return null == stageStamps || !EchoMessage.isStaged(templateId) || Cluster.Role.LEADER != cluster().role() ? null :
            stageStamps.of(timestamp, cluster().logPosition(), header.sessionId());
    }

    private static int checkedLength(final int maxMessageLengthBytes)
    {
        if (maxMessageLengthBytes < EchoMessage.MIN_LENGTH)
        {
            throw new IllegalArgumentException(
                "maxMessageLengthBytes=" + maxMessageLengthBytes + ", at least " + EchoMessage.MIN_LENGTH + " is needed");
        }

        return maxMessageLengthBytes;
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
