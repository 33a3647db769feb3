package io.clusterecho.control.member;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

import io.clusterecho.media.counters.ProcessSource;
import io.clusterecho.node.config.MemberEndpoints;
import io.clusterecho.node.member.MemberSeed;

/**
 * The backup of a cluster, on this machine or on a host of an inventory, as a process: can be started, stopped, and found again
 * by the files in its folder, as a member. Methods return at once unless documented as waiting. Not thread-safe, except
 * {@link #knownPid()} and {@link #counters()}.
 */
public interface Backup
{
    /** Host in the inventory, empty for this machine. */
    String hostName();

    /** Endpoints of the process. */
    MemberEndpoints endpoints();

    /** Folder with copies of log and snapshots, as an absolute path on its host. */
    Path dir();

    /** Folder of its media driver, as an absolute path on its host. */
    Path aeronDir();

    /** File with its output, on its host. */
    Path logFile();

    /**
     * Pid of the process, empty if it does not run.
     *
     * @throws ControlFailure if that cannot be determined.
     */
    OptionalLong pid();

    /** Pid of the process, for readers of counters: also empty if it is unknown whether it runs. */
    OptionalLong knownPid();

    /** Whether its process runs. */
    default boolean isAlive()
    {
        return pid().isPresent();
    }

    /** Whether a process was started and not cleaned up after; true also if it has ended by itself. */
    boolean isRecorded();

    /**
     * Start the process, which outlives this JVM.
     *
     * @throws IllegalStateException if it runs.
     */
    void start();

    /** Stop it cleanly (SIGTERM). */
    void terminate();

    /** Kill it (SIGKILL). */
    void kill();

    /**
     * Wait until the process has ended.
     *
     * @param timeoutNs maximum wait, in ns.
     * @return whether it has ended.
     */
    default boolean awaitExit(final long timeoutNs)
    {
        return Deadline.in(timeoutNs).await(() -> !isAlive());
    }

    /** Exit code of its process; empty if it runs, or ended without one. */
    OptionalInt exitCode();

    /** Its output since its last start, by line. */
    List<String> output();

    /** How it ended, in words: {@code ended with status 4 (storage error)}. */
    default String how()
    {
        final OptionalInt exitCode = exitCode();
        return exitCode.isEmpty() && !isRecorded() ? "was not started" : Endings.how(exitCode);
    }

    /** Last line of its output that is not of a stack trace, empty if there is none. */
    default String lastLine()
    {
        final List<String> lines = output().stream()
            .filter((line) -> !line.matches("\\s.*|Caused by: .*|---- start .*|backup stopped, .*")).toList();
        return lines.isEmpty() ? "" : lines.get(lines.size() - 1);
    }

    /**
     * Remove the files of an ended process outside its folder, and forget the process.
     *
     * @throws IllegalStateException if the process runs.
     */
    void cleanUp();

    /**
     * Clean up, and delete its folder if a backup made it.
     *
     * @return whether there was such a folder.
     * @throws IllegalStateException if the process runs.
     */
    boolean deleteData();

    /** Whether it has copied a log. */
    boolean hasLog();

    /**
     * Read what it has on disk.
     *
     * @throws ControlFailure if its files cannot be read.
     */
    MemberStorage storage();

    /**
     * Purge its log before the oldest of its newest snapshots, and its older snapshots; with fewer snapshots, nothing.
     *
     * @param snapshotCount newest snapshots that stay, from 1.
     * @throws ControlFailure if it does not run or does not purge.
     */
    void purge(int snapshotCount);

    /**
     * What an empty member copies from it, while it runs: its newest snapshot, if it has one, and its whole log.
     *
     * @throws ControlFailure if it does not run, has no log or only an end of one, or its files cannot be read.
     */
    MemberSeed seed();

    /** Its counters, read without disturbing it; empty if it does not run or has none yet. */
    Optional<BackupCounters> counters();

    /** The errors logged since its last start. */
    MemberErrors errors();

    /**
     * Sources of process samples: its own process first, with its lag behind the members, then its media driver if that is a
     * separate process.
     *
     * @param members of its cluster; without them the lag is not known.
     * @return new sources, which the caller closes.
     */
    List<ProcessSource> sources(List<? extends ClusterMember> members);
}
