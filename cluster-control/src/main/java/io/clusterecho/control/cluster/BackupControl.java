package io.clusterecho.control.cluster;

import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.clusterecho.control.member.BackupCounters;
import io.clusterecho.control.member.Backup;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.control.member.Deadline;

/** Starts and stops the backup of a cluster with its members. One thread. */
final class BackupControl
{
    private static final long KILL_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(5);

    private final Backup process;
    private boolean isStarted;

    BackupControl(final Backup process)
    {
        this.process = process;
    }

    Backup process()
    {
        return process;
    }

    /** Whether the last {@link #start} found it down. */
    boolean isStarted()
    {
        return isStarted;
    }

    /** Start it, unless it runs. */
    void start(final Consumer<String> progress)
    {
        isStarted = !process.isAlive();
        if (isStarted)
        {
            progress.accept("starting the backup");
            process.start();
        }
    }

    /**
     * Wait until it copies the log.
     *
     * @throws ControlFailure if it does not in time; it then keeps running, unless it ended.
     */
    void awaitCopying(final Deadline deadline)
    {
        final boolean isInTime = deadline.await(() -> !process.isAlive() ||
            process.counters().map(BackupCounters::isCopying).orElse(false));
        if (!isInTime || !process.isAlive())
        {
            throw new ControlFailure(
                ControlFailure.DEGRADED, "the members serve, but the backup " + (process.isAlive() ?
                "copies nothing yet and keeps running (" +
                process.counters().map(BackupCounters::state).orElse("starting") + ")" :
                process.how()) + (process.lastLine().isEmpty() ? "" : ": " + process.lastLine()) + "\n  its output is in " +
                process.logFile());
        }
    }

    /**
     * Stop it, if it runs, and remove its files outside its folder.
     *
     * @throws ControlFailure if it cannot be stopped.
     */
    void stop(final Deadline deadline, final Consumer<String> progress)
    {
        process.terminate();
        if (!deadline.await(() -> !process.isAlive()))
        {
            progress.accept("the backup did not stop in time, killing it");
            process.kill();
            if (!process.awaitExit(KILL_TIMEOUT_NS))
            {
                throw new ControlFailure(ControlFailure.NOT_READY, "the backup still runs after SIGKILL");
            }
        }
        process.cleanUp();
    }
}
