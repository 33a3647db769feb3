package io.clusterecho.failover.audit;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * What became of the messages that the journals know of. Messages count once, however often they were sent.
 *
 * @param journalCount           of files.
 * @param isWhole                true if they hold all that their clients did.
 * @param clientCount            of clients.
 * @param sent                   messages.
 * @param resent                 further times that a message was sent.
 * @param acknowledged           messages that were answered.
 * @param acknowledgedInMajority of them, applied once going by the log of the majority.
 * @param acknowledgedLost       of them, not applied going by the log of the majority.
 * @param repeatedReplies        replies that said that their message had been applied before.
 * @param appliedTwice           replies that said so of a message which another reply had said was applied then.
 * @param unansweredInLog        messages without an answer that the majority holds.
 * @param unansweredInTail       messages without an answer that only stand beyond what a majority holds.
 * @param unansweredLost         messages without an answer that no log holds.
 */
public record JournalAudit(
    @JsonProperty("journals") int journalCount,
    @JsonProperty("whole") boolean isWhole,
    @JsonProperty("clients") int clientCount,
    long sent,
    long resent,
    long acknowledged,
    long acknowledgedInMajority,
    long acknowledgedLost,
    long repeatedReplies,
    long appliedTwice,
    long unansweredInLog,
    long unansweredInTail,
    long unansweredLost)
{
    /**
     * Messages that were sent and that the majority does not hold.
     */
    @JsonProperty(access = JsonProperty.Access.READ_ONLY)
    public long lost()
    {
        return acknowledgedLost + unansweredInTail + unansweredLost;
    }
}
