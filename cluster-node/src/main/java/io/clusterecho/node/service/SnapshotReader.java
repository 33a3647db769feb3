package io.clusterecho.node.service;

import java.util.ArrayList;

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
 * Reads the output of {@link SnapshotWriter}, and rejects anything else: another schema, a newer version, a wrong order, clients
 * that do not ascend, wrong counts or checksums, a state table of another length.
 * <p>
 * Parts of the state table are written into the service's table at once, which has no copy: after a failure it is useless.
 * <p>
 * A failure is kept until {@link #check()}, because an image swallows exceptions of its handler.
 */
final class SnapshotReader implements FragmentHandler
{
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final SnapshotBeginDecoder begin = new SnapshotBeginDecoder();
    private final ClientStateDecoder client = new ClientStateDecoder();
    private final StateBlockDecoder block = new StateBlockDecoder();
    private final SnapshotEndDecoder end = new SnapshotEndDecoder();
    private final ArrayList<ClientState> clients = new ArrayList<>();
    private final int maxClients;
    private final StateTable stateTable;
    private int stateReadBytes;
    private long stateChecksum;
    private String failure;
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

        if (length < MessageHeaderDecoder.ENCODED_LENGTH)
        {
            failure = "a message of " + length + " bytes is shorter than its header";
            return;
        }

        header.wrap(buffer, offset);
        if (header.schemaId() != MessageHeaderDecoder.SCHEMA_ID)
        {
            failure = "schema id " + header.schemaId() + ", expected " + MessageHeaderDecoder.SCHEMA_ID;
        }
        else if (header.version() < 1 || header.version() > MessageHeaderDecoder.SCHEMA_VERSION)
        {
            failure = "schema version " + header.version() + ", this member reads 1 to " + MessageHeaderDecoder.SCHEMA_VERSION +
                (header.version() < 1 ? "" : ": a newer version of the member has written it, start that one");
        }
        else if (isDone)
        {
            failure = "a message of template " + header.templateId() + " after SnapshotEnd";
        }
        else
        {
            onMessage(buffer, offset + MessageHeaderDecoder.ENCODED_LENGTH, length - MessageHeaderDecoder.ENCODED_LENGTH);
        }
    }

    /** Whether the snapshot was read up to a valid SnapshotEnd; throws the first failure. */
    boolean check()
    {
        if (null != failure)
        {
            throw new ClusterException("cannot load the snapshot of the echo service: " + failure);
        }

        return isDone;
    }

    /** The stream of the snapshot has ended; throws if it is incomplete. */
    void onEndOfSnapshot()
    {
        if (!check())
        {
            failure = hasBegun ?
                "it ends before SnapshotEnd, after " + clients.size() + " clients" : "it ends before SnapshotBegin";
            check();
        }
    }

    /** Restore the state. Only after {@link #check()} returned true. */
    void restore(final ClientTable table, final FlushTimer timer)
    {
        table.restore(appliedCount, checksum, clients.toArray(new ClientState[0]));
        timer.restore(flushTimerDeadline, lastMessageTime);
    }

    private void onMessage(final DirectBuffer buffer, final int offset, final int length)
    {
        final int templateId = header.templateId();
        final int expectedBlockLength = blockLength(templateId);
        if (expectedBlockLength < 0)
        {
            failure = "template " + templateId + " is not part of a snapshot";
        }
        else if (header.blockLength() < expectedBlockLength || length < header.blockLength())
        {
            failure = "template " + templateId + " has a block of " + Math.min(header.blockLength(), length) +
                " bytes, expected " + expectedBlockLength;
        }
        else if (hasBegun == (SnapshotBeginDecoder.TEMPLATE_ID == templateId))
        {
            failure = hasBegun ? "a second SnapshotBegin" : "template " + templateId + " before SnapshotBegin";
        }
        else if (SnapshotBeginDecoder.TEMPLATE_ID == templateId)
        {
            begin.wrap(buffer, offset, header.blockLength(), header.version());
            onBegin();
        }
        else if (ClientStateDecoder.TEMPLATE_ID == templateId)
        {
            client.wrap(buffer, offset, header.blockLength(), header.version());
            onClient();
        }
        else if (StateBlockDecoder.TEMPLATE_ID == templateId)
        {
            block.wrap(buffer, offset, header.blockLength(), header.version());
            onStateBlock(buffer, offset + header.blockLength(), length - header.blockLength());
        }
        else
        {
            end.wrap(buffer, offset, header.blockLength(), header.version());
            onEnd();
        }
    }

    private static int blockLength(final int templateId)
    {
        return switch (templateId)
        {
            case SnapshotBeginDecoder.TEMPLATE_ID -> SnapshotBeginDecoder.BLOCK_LENGTH;
            case ClientStateDecoder.TEMPLATE_ID -> ClientStateDecoder.BLOCK_LENGTH;
            case StateBlockDecoder.TEMPLATE_ID -> StateBlockDecoder.BLOCK_LENGTH;
            case SnapshotEndDecoder.TEMPLATE_ID -> SnapshotEndDecoder.BLOCK_LENGTH;
            default -> -1;
        };
    }

    private void onBegin()
    {
        hasBegun = true;
        clientCount = begin.clientCount();
        appliedCount = begin.appliedCount();
        checksum = begin.checksum();
        flushTimerDeadline = begin.flushTimerDeadline();
        lastMessageTime = begin.lastMessageTime();
        if (clientCount < 0 || appliedCount < 0)
        {
            failure = "clientCount=" + clientCount + ", appliedCount=" + appliedCount + ", both must be 0 or more";
        }
        else if (clientCount > maxClients)
        {
            failure = "it contains " + clientCount + " clients, this member is configured for at most " + maxClients;
        }
        else if (FlushTimer.NOT_SET != flushTimerDeadline && FlushTimer.NOT_SET == lastMessageTime)
        {
            failure = "flushTimerDeadline=" + flushTimerDeadline + " without a lastMessageTime";
        }
    }

    private void onClient()
    {
        final ClientState state = new ClientState().reset(client.clientId());
        state.lastSequence = client.lastSequence();
        state.appliedCount = client.appliedCount();
        state.checksum = client.checksum();
        state.lastPosition = client.lastPosition();
        state.lastTime = client.lastTime();

        if (!clients.isEmpty() && clients.get(clients.size() - 1).clientId >= state.clientId)
        {
            failure = "client " + state.clientId + " after client " + clients.get(clients.size() - 1).clientId +
                ", they must ascend";
        }
        else if (clients.size() == clientCount)
        {
            failure = "more clients than the " + clientCount + " announced";
        }
        else if (state.lastSequence < 0 || state.appliedCount < 1 || state.appliedCount - 1 > state.lastSequence)
        {
            failure = "client " + state.clientId + " has lastSequence=" + state.lastSequence + " and appliedCount=" +
                state.appliedCount;
        }
        else
        {
            clients.add(state);
            clientsChecksum = state.foldInto(clientsChecksum);
            clientsAppliedCount += state.appliedCount;
        }
    }

    private void onStateBlock(final DirectBuffer buffer, final int offset, final int length)
    {
        if (block.stateLength() != stateTable.lengthBytes())
        {
            failure = "it contains a state of " + block.stateLength() + " bytes, this member is configured with " +
                "echo.state.length=" + stateTable.lengthBytes();
        }
        else if (clients.size() != clientCount)
        {
            failure = "a StateBlock after " + clients.size() + " of " + clientCount + " clients";
        }
        else if (block.stateOffset() != stateReadBytes)
        {
            failure = "a StateBlock with offset " + block.stateOffset() + ", expected " + stateReadBytes;
        }
        else if (0 == length || length % Long.BYTES != 0 || length > stateTable.lengthBytes() - stateReadBytes)
        {
            failure = "a StateBlock of " + length + " bytes at offset " + stateReadBytes + ", expected a multiple of " +
                Long.BYTES + " up to " + (stateTable.lengthBytes() - stateReadBytes);
        }
        else if (stateReadBytes > 0 && block.stateChecksum() != stateChecksum)
        {
            failure = "stateChecksum=" + block.stateChecksum() + " at offset " + stateReadBytes + ", before that " +
                stateChecksum;
        }
        else
        {
            stateChecksum = block.stateChecksum();
            stateTable.restore(stateReadBytes, buffer, offset, length);
            stateReadBytes += length;
        }
    }

    private void onEnd()
    {
        if (clients.size() != clientCount || end.clientCount() != clientCount)
        {
            failure = "SnapshotBegin announced " + clientCount + " clients, " + clients.size() + " were read, SnapshotEnd has " +
                end.clientCount();
        }
        else if (end.clientsChecksum() != clientsChecksum)
        {
            failure = "clientsChecksum=" + end.clientsChecksum() + ", computed " + clientsChecksum;
        }
        else if (clientsAppliedCount > appliedCount)
        {
            failure = "appliedCount=" + appliedCount + ", but its clients have " + clientsAppliedCount;
        }
        else if (stateReadBytes != stateTable.lengthBytes())
        {
            failure = "it contains " + stateReadBytes + " bytes of state, this member is configured with echo.state.length=" +
                stateTable.lengthBytes();
        }
        else if (stateTable.restored() != stateChecksum)
        {
            failure = "stateChecksum=" + stateChecksum + ", computed " + stateTable.checksum();
        }
        else
        {
            isDone = true;
        }
    }
}
