package io.clusterecho.failover.audit;

import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;

import io.clusterecho.client.record.JournalReader;
import io.clusterecho.failover.audit.AuditedClient.Fact;
import io.clusterecho.schema.codecs.EchoResponseDecoder;
import io.clusterecho.schema.codecs.RepeatedEchoResponseDecoder;
import io.clusterecho.settings.InvalidSettingException;

import org.agrona.collections.IntHashSet;
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

    /** Of a load for another service than the echo, else null. */
    final RequestIndex requests;

    private final Long2ObjectHashMap<AuditedClient> clients = new Long2ObjectHashMap<>();
    /** Ids of the sessions of the cluster in which they sent. */
    private final IntHashSet sessionIds = new IntHashSet();
    /** Begin of the first journal and end of the last, in ms since the epoch. */
    private long startMs = Long.MAX_VALUE;
    private long endMs;
    private final AuditFindings findings;
    /** Whether a reply is of another service, whose requests are not known. */
    private boolean isRequestUnknown;
    /** Whether a reply in the present journal has a check: the kinds of others may be the templates of the echo. Or null. */
    private Boolean isChecked;

    private AuditedClients(final RequestIndex requests, final AuditFindings findings)
    {
        this.requests = requests;
        this.findings = findings;
    }

    /** @throws InvalidSettingException if one cannot be read, is not a journal, or is of another service without requests. */
    static AuditedClients read(final List<Path> files, final RequestIndex requests, final AuditFindings findings)
    {
        final AuditedClients index = new AuditedClients(requests, findings);
        long firstClientId = 0;
        for (final Path file : files)
        {
            index.isChecked = null;
            final JournalReader.Summary summary = JournalReader.read(file, index);
            InvalidSettingException.throwIf(
                null == requests && (index.isRequestUnknown || Boolean.FALSE.equals(index.isChecked)), "--journal", file,
                "a journal of the echo, or one beside the manifest.json of its run, which has --messages");
            firstClientId = summary.firstClientId();
            index.startMs = Math.min(index.startMs, summary.startMs());
            index.endMs = summary.endMs() > 0 ? Math.max(index.endMs, summary.endMs()) : Long.MAX_VALUE;
            index.isComplete &= summary.isClosed() && 0 == summary.droppedCount();
            if (summary.droppedCount() > 0)
            {
                findings.add(FindingKind.JOURNAL_INCOMPLETE, AuditReport.Finding.NO_POSITION,
                    "journal " + file + " is incomplete: the client dropped " + summary.droppedCount() + " records");
            }
            if (!summary.isClosed())
            {
                findings.note(
                    "journal " + file + " has no closing record: its client is running, was killed, or could not write it; " +
                    "its last records may be missing, so the audit " + (null == requests ?
                    "does not check for surplus copies" : "finds requests in sessions that it does not have, too"));
            }
        }
        index.clients.values().forEach((client) -> client.hasJournal = true);
        if (null != requests)
        {
            requests.add(index, firstClientId);
        }
        return index;
    }

    @Override
    public void onSent(final long clientId, final int sessionId, final long firstSequence, final long count)
    {
        final AuditedClient client = make(clientId);
        client.firstSessionId = 0 == client.firstSessionId ? sessionId : client.firstSessionId;
        sessionIds.add(sessionId);
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
        // Of another service it is the kind of the reply, which does not say whether the request was applied before.
        final boolean isRepeated = null == requests && RepeatedEchoResponseDecoder.TEMPLATE_ID == templateId;
        isRequestUnknown |= null == requests && !isRepeated && EchoResponseDecoder.TEMPLATE_ID != templateId;
        isChecked = 0 != check || Boolean.TRUE.equals(isChecked);
        if (client.is(sequence, Fact.ACKNOWLEDGED) && client.check(sequence) != check)
        {
            findings.add(FindingKind.ALTERED, AuditReport.Finding.NO_POSITION,
                "two replies to message " + sequence + " of client " + clientId + " have different checks");
        }
        if (client.onReply(sequence, check, null == requests && !isRepeated))
        {
            appliedTwiceCount++;
            findings.add(FindingKind.APPLIED_TWICE, AuditReport.Finding.NO_POSITION,
                "two replies report that they applied message " + sequence + " of client " + clientId);
        }
        repeatedReplyCount += isRepeated ? 1 : 0;
    }

    /** A client, null if it is unknown. */
    AuditedClient client(final long clientId)
    {
        return clients.get(clientId);
    }

    /** A session was opened: nothing was purged of those who sent in no earlier one, which only complete journals show. */
    void onOpened(final int sessionId)
    {
        clients.values().stream().filter((client) -> isComplete && client.firstSessionId == sessionId)
            .forEach((client) -> client.firstSequence = 0);
    }

    /**
     * Number of the request that a message is, or {@link RequestIndex#NONE}. Other loads may have had the same requests, in
     * sessions with other ids: a cluster counts them up as long as its log lives, and keeps the count in snapshots.
     */
    long request(final LogEntry message)
    {
        return isOfLoad(message) || !isComplete && message.sessionId() > 0 ?
            requests.find(message.buffer(), message.offset(), message.length()) : RequestIndex.NONE;
    }

    /** Whether the journals have the session of a message. */
    boolean isOfLoad(final LogEntry message)
    {
        return message.sessionId() > 0 && sessionIds.contains((int)message.sessionId());
    }

    /** How long before the begin of the journals a time is, or after their end, in ms; below 0 if it is between. */
    long outsideMs(final long timeMs)
    {
        return Math.max(startMs - timeMs, timeMs - endMs);
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
