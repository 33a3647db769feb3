package io.clusterecho.failover.audit;

import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;

import io.clusterecho.reporting.results.DocumentKind;

/**
 * The result of an audit: the first findings of each kind and member, and remarks that are not findings. In JSON,
 * {@code audit.json} of a failover test and the output of {@code audit --json}.
 *
 * @param members in the order of the given folders.
 * @param journal the fate of the messages in the journals; all zero without a journal.
 */
@JsonPropertyOrder({ "format", "clean", "findings", "findingCounts", "notes", "journal", "log", "members" })
public record AuditReport(
    List<Member> members, Log log, Journal journal, List<Finding> findings, Map<FindingKind, Long> findingCounts,
    List<String> notes)
{
    @JsonProperty(access = JsonProperty.Access.READ_ONLY)
    String format()
    {
        return DocumentKind.AUDIT.format();
    }

    @JsonProperty(value = "clean", access = JsonProperty.Access.READ_ONLY)
    public boolean isClean()
    {
        return findingCounts.isEmpty();
    }

    /** All findings, including those that were only counted. */
    public long findingCount()
    {
        return findingCounts.values().stream().mapToLong(Long::longValue).sum();
    }

    /**
     * One thing that the audit found wrong, and where, in one sentence.
     *
     * @param memberId {@link #ALL_MEMBERS} if all or a majority of them agree on the entry.
     * @param position in the log at which the offending entry begins, in bytes, or {@link #NO_POSITION}.
     */
    @JsonInclude(JsonInclude.Include.ALWAYS)
    public record Finding(FindingKind kind, @JsonProperty("member") Integer memberId, Long position, String text)
    {
        /** Instead of a member's id, in findings that are not about one member. */
        static final Integer ALL_MEMBERS = null;
        static final Long NO_POSITION = null;
    }

    /**
     * The committed log, replayed by the rules of the echo service.
     *
     * @param committedPosition end of the last entry that is in the logs of a majority, in bytes.
     * @param repeated          duplicate requests, which are ignored.
     * @param tooEarly          ordered requests rejected because an earlier one was missing.
     * @param gaps              gaps in the sequences of clients.
     * @param refused           messages that are not valid requests.
     * @param cutMessages       messages truncated by a change of leader.
     * @param checksum          over all clients, as each member's echo service computes it, as 16 hexadecimal digits.
     * @param terms             leadership terms in log order.
     * @param clients           in ascending order of id.
     * @param isOwnService      whether the service is not the echo, whose rules are not applied; in JSON only if it is so.
     */
    public record Log(
        long committedPosition, int majority, @JsonProperty("entries") Map<EntryKind, Long> entryCounts, long applied,
        long repeated, long tooEarly, long gaps, long refused, long cutMessages, String checksum, List<Term> terms,
        List<Client> clients,
        @JsonProperty("ownService") @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean isOwnService)
    {
        /** A leadership term, from its first entry in the log; its timestamp is in the cluster's time unit. */
        public record Term(
            @JsonProperty("term") long termId, @JsonProperty("leader") int leaderMemberId, long position, long timestamp)
        {
        }

        /**
         * State that the echo service must have for a client at the end of the committed log.
         *
         * @param clientId     in JSON a string, because a reader that parses numbers as doubles would change it.
         * @param lastSequence -1 for none.
         * @param checksum     as 16 hexadecimal digits.
         */
        public record Client(
            @JsonProperty("client") @JsonFormat(shape = JsonFormat.Shape.STRING) long clientId,
            @JsonProperty("applied") long appliedCount, long lastSequence, String checksum)
        {
        }

        public long entryCount()
        {
            return entryCounts.values().stream().mapToLong(Long::longValue).sum();
        }
    }

    /**
     * One member's log and state.
     *
     * @param hasLog           false if there is none or it cannot be opened.
     * @param isOpen           true if the catalog has no stop position: the member runs or was killed.
     * @param endPosition      end of the last frame that could be read, in bytes.
     * @param badChecksumCount frames that do not match their checksum.
     * @param snapshotCount    snapshots of the echo service compared with the log.
     * @param stateCount       state digests of the echo service compared with the log.
     */
    public record Member(
        @JsonProperty("member") int memberId, String folder, boolean hasLog, @JsonProperty("open") boolean isOpen,
        long startPosition, long endPosition, @JsonProperty("entries") long entryCount,
        @JsonProperty("checksumErrors") long badChecksumCount, long tailLength,
        @JsonProperty("tailEntries") long tailEntryCount, @JsonProperty("snapshots") int snapshotCount,
        @JsonProperty("states") int stateCount)
    {
    }

    /**
     * Outcomes of the messages in the journals. A message counts once, however often it was sent. JSON has the three counts of
     * what was purged only if they are above 0.
     *
     * @param isComplete             true if the journals have records of all that their clients did.
     * @param resent                 further sends of the same messages.
     * @param acknowledgedInMajority acknowledged messages that are applied according to the log of the majority.
     * @param acknowledgedInSnapshot acknowledged messages before a purged log that the checksum of a snapshot covers.
     * @param acknowledgedPurged     acknowledged messages before a purged log that a snapshot only counts.
     * @param acknowledgedLost       acknowledged messages that are not applied according to the log of the majority.
     * @param repeatedReplies        replies that report that their message had been applied before.
     * @param appliedTwice           replies that report that they applied a message which an earlier reply reported as applied.
     * @param unansweredInLog        unanswered messages in the log of the majority.
     * @param unansweredPurged       unanswered messages that may have been in the log before it was purged.
     * @param unansweredInTail       unanswered messages that are only in uncommitted tails.
     * @param unansweredLost         unanswered messages that are in no log.
     */
    public record Journal(
        @JsonProperty("journals") int journalCount, @JsonProperty("whole") boolean isComplete,
        @JsonProperty("clients") int clientCount, long sent, long resent, long acknowledged, long acknowledgedInMajority,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) long acknowledgedInSnapshot,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) long acknowledgedPurged, long acknowledgedLost,
        long repeatedReplies, long appliedTwice, long unansweredInLog,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) long unansweredPurged, long unansweredInTail, long unansweredLost)
    {
        /** Messages that were sent and are not in the log of the majority. */
        @JsonProperty(access = JsonProperty.Access.READ_ONLY)
        public long lost()
        {
            return acknowledgedLost + unansweredInTail + unansweredLost;
        }
    }
}
