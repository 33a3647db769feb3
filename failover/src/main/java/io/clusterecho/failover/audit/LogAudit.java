package io.clusterecho.failover.audit;

import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonProperty;

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
 */
public record LogAudit(
    long committedPosition,
    int majority,
    @JsonProperty("entries") Map<EntryKind, Long> entryCounts,
    long applied,
    long repeated,
    long tooEarly,
    long gaps,
    long refused,
    long cutMessages,
    String checksum,
    List<Term> terms,
    List<Client> clients)
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
