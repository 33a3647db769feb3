package io.clusterecho.failover.audit;

import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;

import io.clusterecho.client.record.JournalReader;
import io.clusterecho.failover.audit.AuditedClient.Fact;
import io.clusterecho.schema.codecs.RepeatedEchoResponseDecoder;

import org.agrona.collections.Long2ObjectHashMap;

/** All clients in journals and in the log, by id. A client may have several journals, one for each run. */
final class AuditedClients implements JournalReader.Handler
{
    /** Whether the journals have records of all that their clients did. */
    boolean isComplete = true;
    /** Times any message was handed to a transport. */
    long attemptCount;
    long repeatedReplyCount;
    long appliedTwiceCount;

    private final Long2ObjectHashMap<AuditedClient> clients = new Long2ObjectHashMap<>();
    private final AuditFindings findings;

    private AuditedClients(final AuditFindings findings)
    {
        this.findings = findings;
    }

    /** @throws io.clusterecho.settings.InvalidSettingException if one cannot be read or is not a journal. */
    static AuditedClients read(final List<Path> files, final AuditFindings findings)
    {
        final AuditedClients index = new AuditedClients(findings);
        for (final Path file : files)
        {
            final JournalReader.Summary summary = JournalReader.read(file, index);
            if (summary.droppedCount() > 0)
            {
                index.isComplete = false;
                findings.add(FindingKind.JOURNAL_INCOMPLETE, AuditReport.Finding.NO_POSITION,
                    "journal " + file + " is incomplete: the client dropped " + summary.droppedCount() + " records");
            }
            if (!summary.isClosed())
            {
                index.isComplete = false;
                findings.note(
                    "journal " + file + " has no closing record: its client is running, was killed, or could not write it; " +
                    "its last records may be missing, so the audit does not check for surplus copies");
            }
        }
        index.clients.values().forEach((client) -> client.hasJournal = true);
        return index;
    }

    @Override
    public void onSent(final long clientId, final long firstSequence, final long count)
    {
        final AuditedClient client = make(clientId);
        for (long i = 0; i < count; i++)
        {
            client.onSent(firstSequence + i);
        }
        attemptCount += count;
    }

    @Override
    public void onReply(
        final long clientId, final long sequence, final int check, final int templateId, final long receiveTimeNs)
    {
        final AuditedClient client = make(clientId);
        final boolean isRepeated = RepeatedEchoResponseDecoder.TEMPLATE_ID == templateId;
        if (client.is(sequence, Fact.ACKNOWLEDGED) && client.check(sequence) != check)
        {
            findings.add(FindingKind.ALTERED, AuditReport.Finding.NO_POSITION,
                "two replies to message " + sequence + " of client " + clientId + " have different checks");
        }
        if (client.onReply(sequence, check, !isRepeated))
        {
            appliedTwiceCount++;
            findings.add(FindingKind.APPLIED_TWICE, AuditReport.Finding.NO_POSITION,
                "two replies report that they applied message " + sequence + " of client " + clientId);
        }

        if (isRepeated)
        {
            repeatedReplyCount++;
        }
    }

    /** A client, null if it is unknown. */
    AuditedClient client(final long clientId)
    {
        return clients.get(clientId);
    }

    AuditedClient replayed(final long clientId)
    {
        final AuditedClient client = make(clientId);
        client.isReplayed = true;
        return client;
    }

    List<AuditedClient> all()
    {
        return clients.values().stream().sorted(Comparator.comparingLong((client) -> client.clientId)).toList();
    }

    private AuditedClient make(final long clientId)
    {
        return clients.computeIfAbsent(clientId, AuditedClient::new);
    }
}
