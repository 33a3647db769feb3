package io.clusterecho.failover.audit;

import com.fasterxml.jackson.annotation.JsonProperty;

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
}
