package io.clusterecho.failover.audit;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.aeron.protocol.DataHeaderFlyweight;

import io.clusterecho.schema.codecs.ClientStateDecoder;
import io.clusterecho.schema.codecs.MessageHeaderDecoder;
import io.clusterecho.schema.codecs.SnapshotBeginDecoder;
import io.clusterecho.schema.codecs.SnapshotEndDecoder;
import io.clusterecho.settings.Io;

/**
 * State of a member's echo service at the end of a log entry, over all clients: a digest that it wrote, or a snapshot.
 *
 * @param clients that a snapshot remembers; null in a digest.
 */
record MemberState(int memberId, long position, long appliedCount, long checksum, List<Client> clients)
{
    private static final List<String> FILES = List.of("state-earlier.log", "state.log");
    private static final Pattern LINE = Pattern.compile("(\\d{1,18}) (\\d{1,18}) ([0-9a-f]{16})");

    record Client(long clientId, long lastSequence, long appliedCount, long checksum)
    {
    }

    boolean isSnapshot()
    {
        return null != clients;
    }

    /**
     * Read the digests in {@code cluster/state-earlier.log} and {@code cluster/state.log} of a member, in the order in which
     * they were written.
     *
     * @param index the member's id if the folder's name is not {@code member-N}.
     */
    static List<MemberState> read(final Path folder, final int index, final AuditFindings findings)
    {
        final int memberId = MemberLog.memberId(folder, index);
        final List<MemberState> states = new ArrayList<>();
        for (final String name : FILES)
        {
            final Path file = folder.resolve("cluster").resolve(name);
            if (!Files.exists(file))
            {
                continue;
            }

            // ISO 8859-1 accepts any byte: a damaged line must not fail the audit.
            final List<String> lines =
                Io.call("cannot read " + file, () -> Files.readAllLines(file, StandardCharsets.ISO_8859_1));
            final List<MemberState> found = lines.stream().map(LINE::matcher).filter(Matcher::matches)
                .map((fields) -> new MemberState(
                    memberId, Long.parseLong(fields.group(1)), Long.parseLong(fields.group(2)),
                    Long.parseUnsignedLong(fields.group(3), 16), null)).toList();
            states.addAll(found);
            if (found.size() < lines.size())
            {
                findings.note(
                    lines.size() - found.size() + " lines of " + file + " are not valid state digests of member " + memberId);
            }
        }

        return states;
    }

    /** @return null, and a note, if the recording does not contain a complete snapshot of the echo service. */
    static MemberState read(final int memberId, final MemberLog.Snapshot snapshot, final AuditFindings findings)
    {
        final MessageHeaderDecoder header = new MessageHeaderDecoder();
        final SnapshotBeginDecoder begin = new SnapshotBeginDecoder();
        final ClientStateDecoder state = new ClientStateDecoder();
        final List<Client> clients = new ArrayList<>();
        MemberState begun = null;
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
                if (header.schemaId() != MessageHeaderDecoder.SCHEMA_ID ||
                    length - MessageHeaderDecoder.ENCODED_LENGTH < header.blockLength())
                {
                    continue;
                }

                if (SnapshotBeginDecoder.TEMPLATE_ID == header.templateId())
                {
                    begin.wrapAndApplyHeader(reader.buffer(), offset, header);
                    begun = new MemberState(
                        memberId, snapshot.logPosition(), begin.appliedCount(), begin.checksum(), clients);
                }
                else if (ClientStateDecoder.TEMPLATE_ID == header.templateId())
                {
                    state.wrapAndApplyHeader(reader.buffer(), offset, header);
                    clients.add(new Client(state.clientId(), state.lastSequence(), state.appliedCount(), state.checksum()));
                }
                else if (SnapshotEndDecoder.TEMPLATE_ID == header.templateId())
                {
                    return begun;
                }
            }
        }

        findings.note(name + " contains no state of the echo service");
        return null;
    }
}
