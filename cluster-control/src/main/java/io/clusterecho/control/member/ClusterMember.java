package io.clusterecho.control.member;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

import io.clusterecho.media.counters.ProcessSource;
import io.clusterecho.media.link.Impairment;
import io.clusterecho.node.config.MemberEndpoints;
import io.clusterecho.node.member.MemberSeed;

/**
 * One member of a cluster, as a process on some host: can be started, paused, stopped, and found again by the files in its
 * folder. Methods return at once, or as soon as the host has answered, unless documented as waiting. If another host does not
 * answer in time they throw a {@link ControlFailure}, except those that read counters. Not thread-safe, except {@link #pid()}
 * and {@link #counters()}.
 */
public interface ClusterMember
{
    /** Begin of the names of folders in the member's own that contain damaged data. */
    String DAMAGED_PREFIX = "damaged-";

    /** Index of the member, from 0. */
    int memberId();

    /** Endpoints of the member. */
    MemberEndpoints endpoints();

    /** Name of its host in the inventory, empty for this machine. */
    String hostName();

    /** Folder with log, snapshots and marks, as an absolute path on its host. */
    Path dir();

    /** Folder of the media driver, as an absolute path on its host. */
    Path aeronDir();

    /** File with the output of the member's processes, the last one at its end, as an absolute path on its host. */
    Path logFile();

    /**
     * Pid of the process on its host.
     *
     * @return the pid, or empty if the member does not run.
     * @throws ControlFailure if that cannot be determined.
     */
    OptionalLong pid();

    /** Whether its process runs; true also while it is paused. */
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

    /**
     * Use another jar for the next starts by this instance.
     *
     * @param jar of the member's program.
     * @throws ControlFailure if the member is on another host, where the jar is a matter of its installation.
     */
    void useJar(Path jar);

    /** Stop it cleanly (SIGTERM), also while it is paused. */
    void terminate();

    /** Kill it (SIGKILL). */
    void kill();

    /**
     * Inject a fault of its disk, or undo it.
     *
     * @throws ControlFailure if its folder has no disk of its own, or the system refuses.
     */
    void disk(DiskAction action);

    /**
     * Inject a fault of its system calls, beside those in effect, or replace one of the same kind. In effect on return: each
     * call that begins afterwards is changed. It ends with {@link #releaseCalls()}, or with the process.
     *
     * @throws ControlFailure if the member does not run with the fault library.
     */
    void calls(CallFault fault);

    /**
     * End all faults of its system calls; calls that wait continue.
     *
     * @throws ControlFailure if the member was never started with the fault library.
     */
    void releaseCalls();

    /**
     * Limit the number of files and sockets that it may have open, as far as it opens further ones.
     *
     * @param count limit; descriptors from this number on can no longer be opened.
     * @throws ControlFailure if it does not run, or the system refuses.
     */
    void limitFiles(long count);

    /**
     * Undo {@link #limitFiles(long)}: the limit is again the highest that the system allows the process, as for each JVM.
     *
     * @throws ControlFailure as {@link #limitFiles(long)}.
     */
    void releaseFiles();

    /**
     * Stop all its threads (SIGSTOP) until {@link #resume()}, and wait until they have stopped, which takes a while on a busy
     * machine. A member paused for longer than 10 s ends when it is resumed.
     */
    void pause();

    /** Continue after {@link #pause()} (SIGCONT). */
    void resume();

    /** Have the JVM write a thread dump into the member's log (SIGQUIT). */
    void dumpStacks();

    /**
     * Impair its link to others, within its own media driver, instead of the present impairment. Waits until it takes effect, but
     * not for a member that is paused or has ended.
     *
     * @throws ControlFailure if it has no link filter, or cannot distinguish whose frames are meant.
     */
    void impair(Impairment impairment);

    /**
     * End the impairment of its link.
     *
     * @throws ControlFailure if it has no link filter.
     */
    void restoreLink();

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

    /** Exit status of the last process, from the system or its log; empty if it runs, never ran, or was killed. */
    OptionalInt exitCode();

    /** Lines of standard output and standard error of the last process, merged. */
    List<String> output();

    /**
     * Remove the files of an ended process outside its folder, and forget the process. Log, snapshots and output are kept.
     *
     * @throws IllegalStateException if the process runs.
     */
    void cleanUp();

    /**
     * Delete log, snapshots and votes of a member that has ended; it must then get all data from the others.
     *
     * @throws IllegalStateException if the process runs.
     */
    void wipe();

    /**
     * Move log, snapshots and votes of a member that has ended into a folder in its own; it must then get all data from the
     * others.
     *
     * @param folder name of the folder, which must not exist.
     * @throws IllegalStateException if the process runs.
     */
    void setAside(String folder);

    /**
     * Clean up, and delete its folder if a member made it.
     *
     * @return whether there was such a folder.
     * @throws IllegalStateException if the process runs.
     */
    boolean deleteData();

    /** Whether it has recorded a log. */
    boolean hasLog();

    /**
     * Read what it has on disk.
     *
     * @throws ControlFailure if its files cannot be read.
     */
    MemberStorage storage();

    /**
     * Purge its log before a position, and its older snapshots, and wait until the files are deleted. It must run.
     *
     * @param position      in bytes; what precedes the file with this position is deleted.
     * @param snapshotCount newest snapshots that are kept, from 1.
     * @throws ControlFailure if its archive refuses or does not answer in time.
     */
    void purge(long position, int snapshotCount);

    /**
     * What an empty member copies from this one to start from its newest snapshot.
     *
     * @throws ControlFailure if it has no snapshot, or its files cannot be read.
     */
    MemberSeed seed();

    /** Whether it is to copy a log when it starts, because {@link #putSeed} was called. */
    boolean isSeeded();

    /**
     * Have it, at its next start, delete its data and copy that of another member.
     *
     * @param seed what to copy.
     * @throws IllegalStateException if the process runs.
     */
    void putSeed(MemberSeed seed);

    /** Its counters, read without disturbing it; empty if it does not run, has none yet, or its host does not answer. */
    Optional<MemberCounters> counters();

    /** The errors logged since its last start. */
    MemberErrors errors();

    /**
     * Send it, as the leader, a request to the whole cluster, once its previous request is done.
     *
     * @throws ControlFailure if it does not accept it in time.
     */
    void ask(LeaderControl.Action action, int clusterId, Deadline deadline);

    /** Sources of samples, which the caller closes: its process first, then its media driver if that is another process. */
    List<ProcessSource> sources();

    /**
     * Copy the member's state logs to this machine. Call it for every member before {@link #localDir(Path)} is called for any:
     * members may keep running meanwhile, and the logs copied later then cover every state copied before.
     *
     * @param folder for copies, which the caller deletes.
     */
    void fetchStates(Path folder);

    /**
     * A local copy of the member's folder, with the state logs that {@link #fetchStates(Path)} copied; for a member on this
     * machine the folder itself.
     *
     * @param folder the same as for {@link #fetchStates(Path)}.
     * @return a folder with log, snapshots, states and marks.
     */
    Path localDir(Path folder);
}
