package io.clusterecho.node.service;

import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.IdleStrategy;

import io.aeron.Publication;
import io.aeron.cluster.client.ClusterException;
import io.clusterecho.schema.codecs.ClientStateEncoder;
import io.clusterecho.schema.codecs.MessageHeaderEncoder;
import io.clusterecho.schema.codecs.SnapshotBeginEncoder;
import io.clusterecho.schema.codecs.SnapshotEndEncoder;
import io.clusterecho.schema.codecs.StateBlockEncoder;

/**
 * Writes the replicated state: SnapshotBegin, one ClientState per client in ascending client id, the StateBlocks in
 * ascending offset, SnapshotEnd.
 */
final class SnapshotWriter
{
    @FunctionalInterface
    interface Sink
    {
        /** Offer one message; returns a result of {@link Publication#offer(DirectBuffer, int, int)}. */
        long offer(DirectBuffer buffer, int offset, int length);
    }

    private final Sink sink;
    private final IdleStrategy idleStrategy;
    private final int maxBlockLength;
    private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer(128);
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final SnapshotBeginEncoder begin = new SnapshotBeginEncoder();
    private final ClientStateEncoder client = new ClientStateEncoder();
    private final StateBlockEncoder block = new StateBlockEncoder();
    private final SnapshotEndEncoder end = new SnapshotEndEncoder();
    private long clientsChecksum;

    /** A message is at most so long in bytes that it is one fragment; waits idly while the sink is back-pressured. */
    SnapshotWriter(final Sink sink, final int maxLength, final IdleStrategy idleStrategy)
    {
        final int blockLength = maxLength - MessageHeaderEncoder.ENCODED_LENGTH - StateBlockEncoder.BLOCK_LENGTH;
        maxBlockLength = BitUtil.align(blockLength - (Long.BYTES - 1), Long.BYTES);
        this.sink = sink;
        this.idleStrategy = idleStrategy;
    }

    /** Write the whole snapshot up to a position of the log in bytes. */
    void write(final long logPosition, final ClientTable table, final StateTable state, final FlushTimer timer)
    {
        begin.wrapAndApplyHeader(buffer, 0, header)
            .logPosition(logPosition)
            .clientCount(table.clientCount())
            .appliedCount(table.appliedCount)
            .checksum(table.checksum)
            .flushTimerDeadline(timer.deadline)
            .lastMessageTime(timer.lastMessageTime);
        offer(begin.encodedLength());

        clientsChecksum = 0;
        table.forEachAscending(this::write);
        write(state);

        end.wrapAndApplyHeader(buffer, 0, header)
            .clientCount(table.clientCount())
            .clientsChecksum(clientsChecksum);
        offer(end.encodedLength());
    }

    private void write(final ClientTable.ClientState state)
    {
        clientsChecksum = state.foldInto(clientsChecksum);
        client.wrapAndApplyHeader(buffer, 0, header)
            .clientId(state.clientId)
            .lastSequence(state.lastSequence)
            .appliedCount(state.appliedCount)
            .checksum(state.checksum)
            .lastPosition(state.lastPosition)
            .lastTime(state.lastTime);
        offer(client.encodedLength());
    }

    private void write(final StateTable state)
    {
        for (int offset = 0; offset < state.lengthBytes(); offset += maxBlockLength)
        {
            final int length = Math.min(maxBlockLength, state.lengthBytes() - offset);
            block.wrapAndApplyHeader(buffer, 0, header)
                .stateLength(state.lengthBytes())
                .stateChecksum(state.checksum)
                .stateOffset(offset);
            buffer.putBytes(
                MessageHeaderEncoder.ENCODED_LENGTH + StateBlockEncoder.BLOCK_LENGTH, state.words, offset, length);
            offer(StateBlockEncoder.BLOCK_LENGTH + length);
        }
    }

    private void offer(final int blockLength)
    {
        final int length = MessageHeaderEncoder.ENCODED_LENGTH + blockLength;
        long result = sink.offer(buffer, 0, length);
        while (result <= 0)
        {
            if (!EgressBacklog.isTemporary(result))
            {
                throw new ClusterException("cannot write the snapshot: " + Publication.errorString(result));
            }

            idleStrategy.idle();
            result = sink.offer(buffer, 0, length);
        }
    }
}
