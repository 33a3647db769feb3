package io.clusterecho.node.service;

import java.util.ArrayList;
import java.util.Map;
import java.util.function.Supplier;

import org.agrona.DirectBuffer;

import io.aeron.cluster.client.ClusterException;
import io.aeron.logbuffer.FragmentHandler;
import io.aeron.logbuffer.Header;
import io.clusterecho.schema.codecs.ClientStateDecoder;
import io.clusterecho.schema.codecs.MessageHeaderDecoder;
import io.clusterecho.schema.codecs.SnapshotBeginDecoder;
import io.clusterecho.schema.codecs.SnapshotEndDecoder;
import io.clusterecho.schema.codecs.StateBlockDecoder;

/**
 * Reads the output of {@link SnapshotWriter}, and rejects anything else: another schema, a newer version, a wrong order of parts,
 * wrong counts or checksums, a state table of another length.
 * <p>
 * Parts of the state table are written into the service's table at once, which has no copy: after a failure it is useless.
 * <p>
 * The first failure is kept until {@link #check()}, because an image swallows exceptions of its handler.
 */
final class SnapshotReader implements FragmentHandler
{
    /** Of the messages of a snapshot, by template. */
    private static final Map<Integer, Integer> BLOCK_LENGTHS = Map.of(
        SnapshotBeginDecoder.TEMPLATE_ID, SnapshotBeginDecoder.BLOCK_LENGTH,
        ClientStateDecoder.TEMPLATE_ID, ClientStateDecoder.BLOCK_LENGTH,
        StateBlockDecoder.TEMPLATE_ID, StateBlockDecoder.BLOCK_LENGTH,
        SnapshotEndDecoder.TEMPLATE_ID, SnapshotEndDecoder.BLOCK_LENGTH);

    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final SnapshotBeginDecoder begin = new SnapshotBeginDecoder();
    private final ClientStateDecoder client = new ClientStateDecoder();
    private final StateBlockDecoder block = new StateBlockDecoder();
    private final SnapshotEndDecoder end = new SnapshotEndDecoder();
    private final ArrayList<ClientTable.ClientState> clients = new ArrayList<>();
    private final int maxClients;
    private final StateTable stateTable;
    private int stateReadBytes;
    private long stateChecksum;
    private ClusterException failure;
    private boolean hasBegun;
    private boolean isDone;
    private long clientCount;
    private long appliedCount;
    private long clientsAppliedCount;
    private long checksum;
    private long clientsChecksum;
    private long flushTimerDeadline;
    private long lastMessageTime;

    /** With the bound of the table of clients, and the table to read the service's other state into. */
    SnapshotReader(final int maxClients, final StateTable stateTable)
    {
        this.stateTable = stateTable;
        this.maxClients = maxClients;
    }

    @Override
    public void onFragment(final DirectBuffer buffer, final int offset, final int length, final Header fragmentHeader)
    {
        if (null != failure)
        {
            return;
        }

        try
        {
            onMessage(buffer, offset, length);
        }
        catch (final ClusterException ex)
        {
            failure = ex;
        }
    }

    /** Whether the snapshot was read up to a valid SnapshotEnd; throws the first failure. */
    boolean check()
    {
        if (null != failure)
        {
            throw failure;
        }

        return isDone;
    }

    /** The stream of the snapshot has ended; throws if it is incomplete. */
    void onEndOfSnapshot()
    {
        require(check(), () -> hasBegun ?
            "it ends before SnapshotEnd, after " + clients.size() + " clients" : "it ends before SnapshotBegin");
    }

    /** Restore the state. Only after {@link #check()} returned true. */
    void restore(final ClientTable table, final FlushTimer timer)
    {
        table.restore(appliedCount, checksum, clients.toArray(new ClientTable.ClientState[0]));
        timer.deadline = flushTimerDeadline;
        timer.lastMessageTime = lastMessageTime;
    }

    private void onMessage(final DirectBuffer buffer, final int offset, final int length)
    {
        require(
            length >= MessageHeaderDecoder.ENCODED_LENGTH, () -> "a message of " + length + " bytes is shorter than its header");
        header.wrap(buffer, offset);
        final int version = header.version();
        final int templateId = header.templateId();
        final int expectedBlockLength = BLOCK_LENGTHS.getOrDefault(templateId, -1);
        final int blockLength = header.blockLength();
        final int bodyOffset = offset + MessageHeaderDecoder.ENCODED_LENGTH;
        final int bodyLength = length - MessageHeaderDecoder.ENCODED_LENGTH;
        require(
            MessageHeaderDecoder.SCHEMA_ID == header.schemaId(),
            () -> "schema id " + header.schemaId() + ", expected " + MessageHeaderDecoder.SCHEMA_ID);
        require(
            version >= 1 && version <= MessageHeaderDecoder.SCHEMA_VERSION,
            () -> "schema version " + version + ", this member reads 1 to " + MessageHeaderDecoder.SCHEMA_VERSION +
            (version < 1 ? "" : ": a newer version of the member has written it, start that one"));
        require(!isDone, () -> "a message of template " + templateId + " after SnapshotEnd");
        require(expectedBlockLength >= 0, () -> "template " + templateId + " is not part of a snapshot");
        require(
            blockLength >= expectedBlockLength && bodyLength >= blockLength, () -> "template " + templateId +
            " has a block of " + Math.min(blockLength, bodyLength) + " bytes, expected " + expectedBlockLength);
        require(
            hasBegun != (SnapshotBeginDecoder.TEMPLATE_ID == templateId),
            () -> hasBegun ? "a second SnapshotBegin" : "template " + templateId + " before SnapshotBegin");
        switch (templateId)
        {
            case SnapshotBeginDecoder.TEMPLATE_ID -> onBegin(begin.wrap(buffer, bodyOffset, blockLength, version));
            case ClientStateDecoder.TEMPLATE_ID -> onClient(client.wrap(buffer, bodyOffset, blockLength, version));
            case StateBlockDecoder.TEMPLATE_ID -> onStateBlock(
                block.wrap(buffer, bodyOffset, blockLength, version), buffer, bodyOffset + blockLength, bodyLength - blockLength);
            default -> onEnd(end.wrap(buffer, bodyOffset, blockLength, version));
        }
    }

    private void onBegin(final SnapshotBeginDecoder message)
    {
        hasBegun = true;
        clientCount = message.clientCount();
        appliedCount = message.appliedCount();
        checksum = message.checksum();
        flushTimerDeadline = message.flushTimerDeadline();
        lastMessageTime = message.lastMessageTime();
        require(
            clientCount >= 0 && appliedCount >= 0,
            () -> "clientCount=" + clientCount + ", appliedCount=" + appliedCount + ", both must be 0 or more");
        require(
            FlushTimer.NOT_SET == flushTimerDeadline || FlushTimer.NOT_SET != lastMessageTime,
            () -> "flushTimerDeadline=" + flushTimerDeadline + " without a lastMessageTime");
        require(
            clientCount <= maxClients,
            () -> "it contains " + clientCount + " clients, this member is configured for at most " + maxClients);
    }

    private void onClient(final ClientStateDecoder message)
    {
        final ClientTable.ClientState state = new ClientTable.ClientState().reset(message.clientId());
        state.lastSequence = message.lastSequence();
        state.appliedCount = message.appliedCount();
        state.checksum = message.checksum();
        state.lastPosition = message.lastPosition();
        state.lastTime = message.lastTime();
        clients.add(state);
        clientsChecksum = state.foldInto(clientsChecksum);
        clientsAppliedCount += state.appliedCount;
    }

    private void onStateBlock(final StateBlockDecoder message, final DirectBuffer buffer, final int offset, final int length)
    {
        final int leftBytes = stateTable.lengthBytes() - stateReadBytes;
        require(
            message.stateLength() == stateTable.lengthBytes(),
            () -> "it contains a state of " + message.stateLength() + " bytes, this member is configured with " +
            "echo.state.length=" + stateTable.lengthBytes());
        require(
            clients.size() == clientCount, () -> "a StateBlock after " + clients.size() + " of " + clientCount + " clients");
        require(
            message.stateOffset() == stateReadBytes,
            () -> "a StateBlock with offset " + message.stateOffset() + ", expected " + stateReadBytes);
        require(
            0 != length && 0 == length % Long.BYTES && length <= leftBytes,
            () -> "a StateBlock of " + length + " bytes at offset " + stateReadBytes + ", expected a multiple of " +
            Long.BYTES + " up to " + leftBytes);
        require(
            0 == stateReadBytes || message.stateChecksum() == stateChecksum,
            () -> "stateChecksum=" + message.stateChecksum() + " at offset " + stateReadBytes + ", before that " + stateChecksum);
        stateChecksum = message.stateChecksum();
        stateTable.restore(stateReadBytes, buffer, offset, length);
        stateReadBytes += length;
    }

    private void onEnd(final SnapshotEndDecoder message)
    {
        require(
            clients.size() == clientCount && message.clientCount() == clientCount,
            () -> "SnapshotBegin announced " + clientCount + " clients, " + clients.size() + " were read, SnapshotEnd has " +
            message.clientCount());
        require(
            message.clientsChecksum() == clientsChecksum,
            () -> "clientsChecksum=" + message.clientsChecksum() + ", computed " + clientsChecksum);
        require(
            clientsAppliedCount <= appliedCount,
            () -> "appliedCount=" + appliedCount + ", but its clients have " + clientsAppliedCount);
        require(
            stateReadBytes == stateTable.lengthBytes(),
            () -> "it contains " + stateReadBytes + " bytes of state, this member is configured with echo.state.length=" +
            stateTable.lengthBytes());
        require(
            stateTable.restored() == stateChecksum,
            () -> "stateChecksum=" + stateChecksum + ", computed " + stateTable.checksum);
        isDone = true;
    }

    private static void require(final boolean isSound, final Supplier<String> otherwise)
    {
        if (!isSound)
        {
            throw new ClusterException("cannot load the snapshot of the echo service: " + otherwise.get());
        }
    }
}
