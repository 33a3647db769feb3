package io.clusterecho.failover.audit;

import java.util.ArrayList;
import java.util.List;

import io.aeron.protocol.DataHeaderFlyweight;
import io.clusterecho.schema.codecs.ClientStateDecoder;
import io.clusterecho.schema.codecs.MessageHeaderDecoder;
import io.clusterecho.schema.codecs.SnapshotBeginDecoder;
import io.clusterecho.schema.codecs.SnapshotEndDecoder;

/** State of the echo service in a snapshot taken at a log position: over all clients, and of those that it remembers. */
record SnapshotState(int memberId, long logPosition, long appliedCount, long checksum, List<Client> clients)
{
    record Client(long clientId, long lastSequence, long appliedCount, long checksum)
    {
    }

    /** Last sequence of a client, or {@link ReplayedClient#NO_SEQUENCE} if the snapshot has none of it. */
    long lastSequence(final long clientId)
    {
        return clients.stream().filter((client) -> clientId == client.clientId).mapToLong(Client::lastSequence).findFirst()
            .orElse(ReplayedClient.NO_SEQUENCE);
    }

    /** @return null if the recording does not contain a complete snapshot of the echo service. */
    static SnapshotState read(final int memberId, final MemberLog.Snapshot snapshot, final Findings findings)
    {
        final MessageHeaderDecoder header = new MessageHeaderDecoder();
        final SnapshotBeginDecoder begin = new SnapshotBeginDecoder();
        final ClientStateDecoder state = new ClientStateDecoder();
        final List<Client> clients = new ArrayList<>();
        boolean hasBegun = false;
        long appliedCount = 0;
        long checksum = 0;
        final String name = "the snapshot at position " + snapshot.logPosition() + " of member " + memberId;
        try (LogReader reader = new LogReader(snapshot.stream(), memberId, name, findings))
        {
            while (reader.next())
            {
                final int offset = reader.frameIndex() + DataHeaderFlyweight.HEADER_LENGTH;
                final int length = reader.frameLength() - DataHeaderFlyweight.HEADER_LENGTH;
                if (reader.isPadding() || length < MessageHeaderDecoder.ENCODED_LENGTH)
                {
                    continue;
                }
                header.wrap(reader.buffer(), offset);
                final int bodyOffset = offset + MessageHeaderDecoder.ENCODED_LENGTH;
                if (header.schemaId() != MessageHeaderDecoder.SCHEMA_ID ||
                    length - MessageHeaderDecoder.ENCODED_LENGTH < header.blockLength())
                {
                    continue;
                }

                if (SnapshotBeginDecoder.TEMPLATE_ID == header.templateId())
                {
                    begin.wrap(reader.buffer(), bodyOffset, header.blockLength(), header.version());
                    appliedCount = begin.appliedCount();
                    checksum = begin.checksum();
                    hasBegun = true;
                }
                else if (ClientStateDecoder.TEMPLATE_ID == header.templateId())
                {
                    state.wrap(reader.buffer(), bodyOffset, header.blockLength(), header.version());
                    clients.add(new Client(state.clientId(), state.lastSequence(), state.appliedCount(), state.checksum()));
                }
                else if (SnapshotEndDecoder.TEMPLATE_ID == header.templateId())
                {
                    return hasBegun ?
                        new SnapshotState(memberId, snapshot.logPosition(), appliedCount, checksum, clients) : null;
                }
            }
        }

        return null;
    }
}
