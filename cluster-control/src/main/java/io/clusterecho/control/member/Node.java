package io.clusterecho.control.member;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.clusterecho.media.counters.ProcessSample;
import io.clusterecho.node.config.MemberEndpoints;
import io.clusterecho.node.config.NodeConfig;

/**
 * A member or a backup of a cluster, as a process on some host: can be started, stopped, and found again by the files in its
 * folder. Methods return at once, or as soon as the host has answered, unless documented as waiting. If another host does not
 * answer in time they throw a {@link ControlFailure}, except those that read counters. Not thread-safe, except {@link #pid()},
 * {@link #knownPid()} and those that read counters.
 */
public interface Node
{
    Place place();

    /** The process in a message: {@code member 0} or {@code the backup}. */
    default String name()
    {
        return place().isBackup() ? "the backup" : "member " + place().endpoints().memberId();
    }

    /** Name of its host in the inventory, empty for this machine. */
    default String hostName()
    {
        return place().hostName();
    }

    /** Folder with log, snapshots and marks, as an absolute path on its host. */
    default Path dir()
    {
        return place().dir();
    }

    /** Folder of the media driver, as an absolute path on its host. */
    default Path aeronDir()
    {
        return place().aeronDir();
    }

    /** File with the output of its processes, the last one at its end, as an absolute path on its host. */
    default Path logFile()
    {
        return dir().resolve("member.log");
    }

    /** Pid of the process on its host, or empty if it does not run; fails if that cannot be determined. */
    @Asked(seconds = 5, isAtOnce = true, isOfAny = true)
    OptionalLong pid();

    /** Pid of the process, for readers of counters: also empty if it is unknown whether it runs. */
    default OptionalLong knownPid()
    {
        return ControlFailure.orElse(this::pid, OptionalLong.empty());
    }

    /** Whether its process runs; true also while it is paused. */
    default boolean isAlive()
    {
        return pid().isPresent();
    }

    /** Whether a process was started and not cleaned up after; true also if it has ended by itself. */
    @Asked(isOfAny = true)
    boolean isRecorded();

    /** Start the process, which must not run and outlives this JVM. */
    @Asked(seconds = 30)
    void start();

    /** Stop it cleanly (SIGTERM), also while it is paused. */
    @Asked(isOfAny = true)
    void terminate();

    /** Kill it (SIGKILL). */
    @Asked(isOfAny = true)
    void kill();

    /** Wait at most for a time in ns until the process has ended; returns whether it has. */
    default boolean awaitExit(final long timeoutNs)
    {
        return Deadline.in(timeoutNs).await(() -> !isAlive());
    }

    /** Wait until the process, which was asked to stop, has ended, and kill it at the deadline; fails if it runs even then. */
    default void awaitStop(final Deadline deadline, final Consumer<String> progress)
    {
        if (!deadline.await(() -> !isAlive()))
        {
            progress.accept(name() + " did not stop in time, killing it");
            kill();
            ControlFailure.notReadyIf(!awaitExit(TimeUnit.SECONDS.toNanos(5)), name() + " still runs after SIGKILL");
        }
    }

    /** Exit status of the last process, from the system or its log; empty if it runs, never ran, or was killed. */
    @Asked(isOfAny = true)
    OptionalInt exitCode();

    /** Lines of standard output and standard error of the last process, merged. */
    @Asked(seconds = 30, isOfAny = true)
    List<String> output();

    /** Counters of a backup, read without disturbing it; empty for a member, and if it does not run or has none yet. */
    @Asked(seconds = 1, isAtOnce = true, isOfAny = true)
    Optional<BackupCounters> backupCounters();

    /** Remove the files of an ended process outside its folder, and forget the process. Log, snapshots and output are kept. */
    @Asked(seconds = 30, isOfAny = true)
    void cleanUp();

    /** Clean up after an ended process, and delete its folder if a process made it; returns whether there was one. */
    @Asked(seconds = 30, isOfAny = true)
    boolean deleteData();

    @Asked(isOfAny = true)
    boolean hasLog();

    /** Read what it has on disk; fails if its files cannot be read. */
    @Asked(seconds = 30)
    MemberStorage storage();

    /**
     * Purge its log before the file with a position in bytes, or before what the newest snapshots need, and its older snapshots
     * but so many, from 1, and wait until the files are deleted. It must run; fails if its archive refuses or does not answer in
     * time.
     */
    @Asked(seconds = 60)
    void purge(long position, int snapshotCount);

    /** The errors logged since its last start. */
    @Asked(isOfAny = true)
    MemberErrors errors();

    /** Samples of its processes, by what follows its name in theirs: nothing, or {@link LocalProcess#DRIVER}. */
    @Asked(seconds = 1, isAtOnce = true)
    Map<String, ProcessSample> samples();

    /** Unmap what {@link #samples()} reads: the counters of a driver that has ended keep its memory. */
    default void endSamples()
    {
    }

    /** The host and the folders of a node, and its endpoints for others. */
    record Place(boolean isBackup, String hostName, MemberEndpoints endpoints, Path dir, Path aeronDir)
    {
        /** The place below the base folder of its cluster, on a host of an inventory or, for an empty name, this machine. */
        public static Place of(
            final boolean isBackup, final String hostName, final Path baseDir, final MemberEndpoints endpoints)
        {
            return new Place(
                isBackup, hostName, endpoints,
                isBackup ? NodeConfig.backupDir(baseDir) : NodeConfig.memberDir(baseDir, endpoints.memberId()),
                NodeConfig.defaultAeronDir(baseDir, endpoints.memberId()));
        }
    }
}
