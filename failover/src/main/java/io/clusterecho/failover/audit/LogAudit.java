package io.clusterecho.failover.audit;

import java.util.List;
import java.util.Map;

/**
 * What a majority of the members holds, applied by the rules of the echo service.
 *
 * @param committedPosition behind the last entry that a majority holds, in bytes.
 * @param majority          of members that must hold an entry.
 * @param entryCounts       by kind.
 * @param terms             in the order of the log.
 * @param applied           requests, each once.
 * @param repeated          requests that had been applied before and were absorbed.
 * @param tooEarly          ordered requests that were refused since an earlier one was missing.
 * @param gaps              places at which sequences of a client are left out.
 * @param refused           messages that are no requests.
 * @param cutMessages       messages of which a change of leader left only a part.
 * @param checksum          over all clients, as each member's echo service computes it.
 * @param clients           in ascending order of their ids.
 */
public record LogAudit(
    long committedPosition,
    int majority,
    Map<EntryKind, Long> entryCounts,
    List<LeadershipTerm> terms,
    long applied,
    long repeated,
    long tooEarly,
    long gaps,
    long refused,
    long cutMessages,
    long checksum,
    List<ClientAudit> clients)
{
    /**
     * Entries of all kinds.
     */
    public long entryCount()
    {
        return entryCounts.values().stream().mapToLong(Long::longValue).sum();
    }
}
