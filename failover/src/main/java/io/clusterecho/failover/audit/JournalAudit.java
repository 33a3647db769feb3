package io.clusterecho.failover.audit;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * Outcomes of the messages in the journals. A message counts once, however often it was sent. JSON has the three counts of what
 * was purged only if they are above 0.
 *
 * @param isComplete             true if the journals have records of all that their clients did.
 * @param resent                 further sends of the same messages.
 * @param acknowledgedInMajority acknowledged messages that are applied according to the log of the majority.
 * @param acknowledgedInSnapshot acknowledged messages before the log, which was purged, that the checksum of a snapshot covers.
 * @param acknowledgedPurged     acknowledged messages before the log, which was purged, that a snapshot only counts.
 * @param acknowledgedLost       acknowledged messages that are not applied according to the log of the majority.
 * @param repeatedReplies        replies that report that their message had been applied before.
 * @param appliedTwice           replies that report that they applied a message which an earlier reply reported as applied.
 * @param unansweredInLog        unanswered messages in the log of the majority.
 * @param unansweredPurged       unanswered messages that may have been in the log before it was purged.
 * @param unansweredInTail       unanswered messages that are only in uncommitted tails.
 * @param unansweredLost         unanswered messages that are in no log.
 */
public record JournalAudit(
    @JsonProperty("journals") int journalCount,
    @JsonProperty("whole") boolean isComplete,
    @JsonProperty("clients") int clientCount,
    long sent,
    long resent,
    long acknowledged,
    long acknowledgedInMajority,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) long acknowledgedInSnapshot,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) long acknowledgedPurged,
    long acknowledgedLost,
    long repeatedReplies,
    long appliedTwice,
    long unansweredInLog,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) long unansweredPurged,
    long unansweredInTail,
    long unansweredLost)
{
    /** Messages that were sent and are not in the log of the majority. */
    @JsonProperty(access = JsonProperty.Access.READ_ONLY)
    public long lost()
    {
        return acknowledgedLost + unansweredInTail + unansweredLost;
    }
}
