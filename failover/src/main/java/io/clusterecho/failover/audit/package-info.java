/**
 * Holds the recorded logs of all members against one another, and against the journals of the clients.
 * <p>
 * {@link io.clusterecho.failover.audit.MemberLog} finds a member's log on disk, {@link io.clusterecho.failover.audit.LogReader}
 * walks its frames and proves each against its checksum, {@link io.clusterecho.failover.audit.LogComparison} takes all members
 * forward together and gives out what a majority holds, {@link io.clusterecho.failover.audit.EntryAssembler} makes entries of
 * it, {@link io.clusterecho.failover.audit.Replay} applies them by the rules of the echo service and meets each message with
 * what {@link io.clusterecho.failover.audit.JournalIndex} knows of it. {@link io.clusterecho.failover.audit.Auditor} puts them
 * together. All of it reads files only, and nothing holds a log in memory.
 */
package io.clusterecho.failover.audit;
