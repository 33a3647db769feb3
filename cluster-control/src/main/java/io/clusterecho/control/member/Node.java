package io.clusterecho.control.member;

import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;

import io.clusterecho.media.counters.ProcessSource;
import io.clusterecho.node.config.MemberEndpoints;
import io.clusterecho.node.member.MemberSeed;
import io.clusterecho.settings.InvalidSettingException;

/**
 * A member or a backup of a cluster, as a process on some host: can be started, stopped, and found again by the files in its
 * folder. Methods return at once, or as soon as the host has answered, unless documented as waiting. If another host does not
 * answer in time they throw a {@link ControlFailure}, except those that read counters. Not thread-safe, except {@link #pid()},
 * {@link #knownPid()} and those that read counters.
 */
public interface Node
{
    /** Name of its host in the inventory, empty for this machine. */
    String hostName();

    MemberEndpoints endpoints();

    /** Folder with log, snapshots and marks, as an absolute path on its host. */
    Path dir();

    /** Folder of the media driver, as an absolute path on its host. */
    Path aeronDir();

    /** File with the output of its processes, the last one at its end, as an absolute path on its host. */
    Path logFile();

    /**
     * Pid of the process on its host.
     *
     * @return the pid, or empty if it does not run.
     * @throws ControlFailure if that cannot be determined.
     */
    @Asked(seconds = 5, isAtOnce = true, isOfAny = true)
    OptionalLong pid();

    /** Pid of the process, for readers of counters: also empty if it is unknown whether it runs. */
    default OptionalLong knownPid()
    {
        try
        {
            return pid();
        }
        catch (final ControlFailure | InvalidSettingException ex)
        {
            return OptionalLong.empty();
        }
    }

    /** Whether its process runs; true also while it is paused. */
    default boolean isAlive()
    {
        return pid().isPresent();
    }

    /** Whether a process was started and not cleaned up after; true also if it has ended by itself. */
    @Asked(isOfAny = true)
    boolean isRecorded();

    /**
     * Start the process, which outlives this JVM.
     *
     * @throws IllegalStateException if it runs.
     */
    @Asked(seconds = 30)
    void start();

    /** Stop it cleanly (SIGTERM), also while it is paused. */
    @Asked(isOfAny = true)
    void terminate();

    /** Kill it (SIGKILL). */
    @Asked(isOfAny = true)
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

    /**
     * How the last process ended, from the system if possible, else from the exit line in its log.
     *
     * @return the exit status, or empty if it runs, never ran, or was killed.
     */
    @Asked(isOfAny = true)
    OptionalInt exitCode();

    /** Lines of standard output and standard error of the last process, merged. */
    @Asked(seconds = 30, isOfAny = true)
    List<String> output();

    /**
     * Remove the files of an ended process outside its folder, and forget the process. Log, snapshots and output are kept.
     *
     * @throws IllegalStateException if the process runs.
     */
    @Asked(seconds = 30, isOfAny = true)
    void cleanUp();

    /**
     * Clean up, and delete its folder if a process made it.
     *
     * @return whether there was such a folder.
     * @throws IllegalStateException if the process runs.
     */
    @Asked(seconds = 30, isOfAny = true)
    boolean deleteData();

    /** Whether it has recorded a log. */
    @Asked(isOfAny = true)
    boolean hasLog();

    /**
     * Read what it has on disk.
     *
     * @throws ControlFailure if its files cannot be read.
     */
    @Asked(seconds = 30)
    MemberStorage storage();

    /**
     * What an empty member copies from this one: its newest snapshot, and the log from there on; of a backup, which must run, its
     * whole log.
     *
     * @throws ControlFailure if it has not what is needed, or its files cannot be read.
     */
    @Asked(seconds = 30)
    MemberSeed seed();

    /** The errors logged since its last start. */
    @Asked(isOfAny = true)
    MemberErrors errors();

    /**
     * Sources of process samples: its own process first, then its media driver if that is a separate process.
     *
     * @return new sources, which the caller closes.
     */
    List<ProcessSource> sources();
}
