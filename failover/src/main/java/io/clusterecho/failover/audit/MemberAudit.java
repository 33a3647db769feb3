package io.clusterecho.failover.audit;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * What was found in one member's folder.
 *
 * @param memberId         of the member.
 * @param folder           that was read.
 * @param hasLog           false for a member that has none, or whose log cannot be opened.
 * @param isOpen           true if its catalog does not say where the log ends: it runs or was killed.
 * @param startPosition    of its log in bytes.
 * @param endPosition      behind the last frame that could be read.
 * @param entryCount       up to there.
 * @param badChecksumCount of frames whose bytes do not fit their checksums.
 * @param tailLength       in bytes at its end that no majority holds.
 * @param tailEntryCount   of entries in it.
 * @param snapshotCount    of snapshots of the echo service that were held against the log.
 * @param stateCount       of times at which its service said what state it was in, held against the log.
 */
public record MemberAudit(
    @JsonProperty("member") int memberId,
    String folder,
    boolean hasLog,
    @JsonProperty("open") boolean isOpen,
    long startPosition,
    long endPosition,
    @JsonProperty("entries") long entryCount,
    @JsonProperty("checksumErrors") long badChecksumCount,
    long tailLength,
    @JsonProperty("tailEntries") long tailEntryCount,
    @JsonProperty("snapshots") int snapshotCount,
    @JsonProperty("states") int stateCount)
{
    static MemberAudit without(final MemberLog log)
    {
        return new MemberAudit(log.memberId(), log.folder().toString(), false, false, 0, 0, 0, 0, 0, 0, 0, 0);
    }
}
