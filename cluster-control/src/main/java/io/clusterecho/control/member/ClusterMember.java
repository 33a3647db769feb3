package io.clusterecho.control.member;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

import io.clusterecho.media.counters.ProcessSource;
import io.clusterecho.node.config.MemberEndpoints;

/**
 * One member of a cluster, as a process on some host: started, paused, ended and found again through what is written in its
 * folder. Methods return at once, or as soon as the host has answered, unless they say that they wait. Where the host is
 * another one that does not answer in time, they throw a {@link ControlFailure}, but for those that read counters. One thread at
 * a time, but for {@link #pid()} and {@link #counters()}.
 */
public interface ClusterMember
{
    /**
     * Index of the member.
     *
     * @return from 0.
     */
    int memberId();

    /**
     * Where the member is reached.
     */
    MemberEndpoints endpoints();

    /**
     * Name of its host in the inventory.
     *
     * @return the name, empty for this machine.
     */
    String hostName();

    /**
     * Folder of log, snapshots and marks, on its host.
     *
     * @return an absolute path.
     */
    Path dir();

    /**
     * Folder of the media driver, on its host.
     *
     * @return an absolute path.
     */
    Path aeronDir();

    /**
     * File on its host that holds what the member's processes said, the last one at its end.
     *
     * @return an absolute path.
     */
    Path logFile();

    /**
     * Pid of the process on its host.
     *
     * @return the pid, or empty if the member does not run.
     * @throws ControlFailure if that cannot be found out.
     */
    OptionalLong pid();

    /**
     * Whether its process runs, be it paused.
     *
     * @return true if so.
     */
    default boolean isAlive()
    {
        return pid().isPresent();
    }

    /**
     * Whether a process of it was started and not yet cleaned up after.
     *
     * @return true also if that process has ended by itself.
     */
    boolean isRecorded();

    /**
     * Start the process; it goes on when this JVM ends.
     *
     * @throws IllegalStateException if it runs.
     */
    void start();

    /**
     * Ask it to stop in good order (SIGTERM), also if it is paused.
     */
    void terminate();

    /**
     * End it on the spot (SIGKILL).
     */
    void kill();

    /**
     * Stop its clock (SIGSTOP) until {@link #resume()}, and wait until all of its threads stand still: on a busy machine that
     * takes a while. A member paused for longer than 10 s ends itself when it wakes.
     */
    void pause();

    /**
     * Let it go on after {@link #pause()} (SIGCONT).
     */
    void resume();

    /**
     * Ask the JVM to write the stacks of its threads into the member's log (SIGQUIT).
     */
    void dumpStacks();

    /**
     * Cut it off from all others and from clients, within its own media driver, and wait until that is so.
     *
     * @throws ControlFailure if it has no filter.
     */
    void cut();

    /**
     * Undo {@link #cut()}.
     *
     * @throws ControlFailure if it has no filter.
     */
    void heal();

    /**
     * Wait until the process has ended.
     *
     * @param timeoutNs to wait at most, in ns.
     * @return whether it has.
     */
    default boolean awaitExit(final long timeoutNs)
    {
        return Deadline.in(timeoutNs).await(() -> !isAlive());
    }

    /**
     * How the last process ended, from the system if it can tell, else from the member's own last words.
     *
     * @return the exit code, or empty if it runs, never ran, or was killed without a word.
     */
    OptionalInt exitCode();

    /**
     * What the last process said.
     *
     * @return its lines, standard output and standard error in one.
     */
    List<String> said();

    /**
     * Remove what an ended process left outside its folder, and forget the process. Log, snapshots and output stay.
     *
     * @throws IllegalStateException if the process runs.
     */
    void cleanUp();

    /**
     * Delete log, snapshots and votes of a member that has ended; it must then get all of it from the others.
     *
     * @throws IllegalStateException if the process runs.
     */
    void wipe();

    /**
     * Clean up, and delete its whole folder if a member made it.
     *
     * @return whether there was one.
     * @throws IllegalStateException if the process runs.
     */
    boolean deleteData();

    /**
     * Whether it has recorded anything yet.
     *
     * @return true if so.
     */
    boolean hasLog();

    /**
     * What its counters say, without its noticing.
     *
     * @return what they say, or empty if it does not run, is not that far yet, or its host does not answer.
     */
    Optional<MemberCounters> counters();

    /**
     * The errors that it logged since it began.
     *
     * @return what its error logs hold.
     */
    MemberErrors errors();

    /**
     * Ask it, as the leader, for something that concerns the whole cluster, once it has done what it was asked for before.
     *
     * @param action    what to ask for.
     * @param clusterId of the cluster.
     * @param deadline  until which it must take the request.
     * @throws ControlFailure if it does not.
     */
    void ask(LeaderControl.Action action, int clusterId, Deadline deadline);

    /**
     * What to sample to know what the member does: its process first, then its media driver if that is one of its own.
     *
     * @return new sources; to be closed.
     */
    List<ProcessSource> sources();

    /**
     * Bring the states that the member was in to this machine. To be called for every member before {@link #dirHere(Path)} is
     * called for any: members may go on meanwhile, and a state that was taken before the logs of all is covered by these.
     *
     * @param folder for copies, which the caller deletes.
     */
    void statesHere(Path folder);

    /**
     * The folder of the member, to be read on this machine: of a member on another host a copy of it, with the states that
     * {@link #statesHere(Path)} brought.
     *
     * @param folder the same.
     * @return a folder with log, snapshots, states and marks.
     */
    Path dirHere(Path folder);
}
