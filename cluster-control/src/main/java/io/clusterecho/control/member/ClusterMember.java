package io.clusterecho.control.member;

import java.nio.file.Path;
import java.util.Optional;

import io.aeron.cluster.ClusterControl;

import io.clusterecho.media.link.Impairment;
import io.clusterecho.node.member.MemberSeed;

/** One member of a cluster. To be executed on another host, a method needs only {@link Asked}. */
public interface ClusterMember extends Node
{
    /** Index of the member, from 0. */
    default int memberId()
    {
        return place().endpoints().memberId();
    }

    /** Use another jar for the next starts; fails on another host, where the jar is that of its installation. */
    void useJar(Path jar);

    /** Inject a fault of its disk, or undo it; fails if its folder has no disk of its own, or the system refuses. */
    @Asked(seconds = 30)
    void disk(DiskAction action);

    /**
     * Inject a fault of its system calls, beside those in effect, or replace one of the same kind. In effect on return: each
     * call that begins afterwards is changed. It ends with {@link #releaseCalls()}, or with the process. Fails without the
     * fault library.
     */
    @Asked
    void calls(CallFault fault);

    /** End all faults of its system calls; those that wait continue. Fails if it was never started with the fault library. */
    @Asked
    void releaseCalls();

    /** Limit the number of files and sockets that it may have open, as far as it opens further ones; fails if it does not run. */
    @Asked
    void limitFiles(long count);

    /** Undo {@link #limitFiles(long)}: the limit is again the highest that the system allows the process, as for each JVM. */
    @Asked
    void releaseFiles();

    /**
     * Stop all its threads (SIGSTOP) until {@link #resume()}, and wait until they have stopped, which takes a while on a busy
     * machine. A member paused for longer than 10 s ends when it is resumed.
     */
    @Asked
    void pause();

    /** Continue after {@link #pause()} (SIGCONT). */
    @Asked(isOfAny = true)
    void resume();

    /** Have the JVM write a thread dump into the member's log (SIGQUIT). */
    @Asked(isOfAny = true)
    void dumpStacks();

    /**
     * Impair its link to others, within its own media driver, instead of the present impairment. Waits until it takes effect,
     * but not for a member that is paused or has ended. Fails if it has no link filter, or cannot distinguish whose frames are
     * meant.
     */
    @Asked
    void impair(Impairment impairment);

    /** End the impairment of its link; fails if it has no link filter. */
    @Asked
    void restoreLink();

    /** Delete log, snapshots and votes of a member that has ended; it must then get all data from the others. */
    @Asked(seconds = 30)
    void wipe();

    /** What an empty member copies from this one: its newest snapshot, and the log up to it; fails without a snapshot. */
    @Asked(seconds = 30)
    MemberSeed seed();

    /** What an empty member must copy from this one, the leader: nothing unless the beginning of its log was purged. */
    default Optional<MemberSeed> seedAfterPurge()
    {
        return storage().startPosition() > 0 ? Optional.of(seed()) : Optional.empty();
    }

    /** Have a member that has ended, at its next start, delete its data and copy that of another member. */
    @Asked(seconds = 30)
    void putSeed(MemberSeed seed);

    /** Its counters, read without disturbing it; empty if it does not run, has none yet, or its host does not answer. */
    @Asked(seconds = 1, isAtOnce = true, isOfAny = true)
    Optional<MemberCounters> counters();

    /** Ask it, as the leader, for an action of all members, after its previous one; fails if not accepted in time. */
    @Asked
    void ask(ClusterControl.ToggleState action, int clusterId, Deadline deadline);

    /**
     * Copy the member's state logs to this machine, into a folder that the caller deletes. Call it for every member before
     * {@link #localDir(Path)} is called for any: members may keep running meanwhile, and the logs copied later then cover
     * every state copied before.
     */
    default void fetchStates(final Path folder)
    {
        // On this machine a reader of the folder reads them first.
    }

    /** A local copy of its folder with what {@link #fetchStates(Path)} copied; on this machine the folder itself. */
    default Path localDir(final Path folder)
    {
        return dir();
    }
}
