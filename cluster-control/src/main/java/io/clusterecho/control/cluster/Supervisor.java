package io.clusterecho.control.cluster;

import static java.nio.file.StandardOpenOption.APPEND;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

import io.clusterecho.control.member.Backup;
import io.clusterecho.control.member.ClusterFiles;
import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.control.member.Deadline;
import io.clusterecho.control.member.MemberCounters;

/**
 * Starts members of a cluster on this machine again when they fail. Starts a member only while it holds the lock of the base
 * folder, so never together with another command, and not while a fault lab runs: see {@link ClusterFiles#holdSupervision()}.
 * Members outlive it. One thread.
 */
public final class Supervisor
{
    private static final long POLL_NS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long LOCK_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(10);
    /** While a quorum runs, the next member is started when the last one follows, or after this time. */
    private static final long JOIN_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(30);

    private final ClusterFiles files;
    private final List<ClusterMember> members;
    private final PrintStream out;
    private final Supervision supervision;
    private final List<Restarts> restarts = new ArrayList<>();
    /** Null without a backup. */
    private final Backup backup;
    private final Restarts backupRestarts = new Restarts();
    private final SortedMap<Integer, String> notes = new TreeMap<>();
    /** Members, by id, that could not be looked at. */
    private final Set<Integer> unreadable = new HashSet<>();
    private ClusterMember lastStarted;
    private long lastStartedNs;

    /**
     * A supervisor that has not begun.
     *
     * @param out     for a line about each event.
     */
    public Supervisor(final Cluster cluster, final PrintStream out)
    {
        this(new ClusterFiles(cluster.config().baseDir()), cluster.members(), cluster.backup().orElse(null), out);
    }

    Supervisor(
        final ClusterFiles files, final List<ClusterMember> members, final Backup backup, final PrintStream out)
    {
        this.backup = backup;
        this.files = files;
        this.members = members;
        this.out = out;
        supervision = new Supervision(files.baseDir());
        members.forEach((member) -> restarts.add(new Restarts()));
    }

    /**
     * Supervise until no member is left that runs or is to be started again.
     *
     * @throws ControlFailure if another supervisor runs, or another command holds the lock of the base folder for too long.
     */
    public void run()
    {
        begin();
        while (poll(System.nanoTime()))
        {
            LockSupport.parkNanos(POLL_NS);
        }
        out.println(Instant.now() + " no member is left to be started again");
    }

    void begin()
    {
        final Deadline deadline = Deadline.in(LOCK_TIMEOUT_NS);
        while (true)
        {
            try (FileChannel ignore = files.lock())
            {
                if (supervision.pid().isPresent())
                {
                    throw new ControlFailure(
                        ControlFailure.UNUSABLE, files.baseDir() + " has a supervisor, pid " + supervision.pid().getAsLong());
                }
                supervision.write(notes);
                return;
            }
            catch (final IOException ex)
            {
                throw new UncheckedIOException("cannot write to " + files.baseDir(), ex);
            }
            catch (final ControlFailure ex)
            {
                if (supervision.pid().isPresent() || deadline.isOver())
                {
                    throw ex;
                }
                LockSupport.parkNanos(POLL_NS);
            }
        }
    }

    /**
     * Look at all members, and start those that are due.
     *
     * @return whether a member is left that runs or is to be started again.
     */
    boolean poll(final long nowNs)
    {
        for (int i = 0; i < members.size(); i++)
        {
            final ClusterMember member = members.get(i);
            final Restarts restart = restarts.get(i);
            look(member.memberId(), () -> poll(member, restart, nowNs), (problem) -> note(member, problem));
        }

        if (null != backup)
        {
            look(backup.endpoints().memberId(), () -> pollBackup(nowNs), this::noteBackup);
        }
        return restarts.stream().anyMatch(Restarts::isOpen);
    }

    /**
     * A member whose disk fails has no state that can be read: the others are looked after all the same.
     */
    private void look(final int id, final Runnable poll, final Consumer<String> note)
    {
        try
        {
            poll.run();
            if (unreadable.remove(id))
            {
                note.accept("can be looked at again");
            }
        }
        catch (final RuntimeException ex)
        {
            if (unreadable.add(id))
            {
                note.accept("could not be looked at: " + ex.getMessage());
            }
        }
    }

    private void poll(final ClusterMember member, final Restarts restart, final long nowNs)
    {
        if (member.isAlive())
        {
            if (restart.onAlive(nowNs) && notes.containsKey(member.memberId()))
            {
                note(member, "was started by another command");
            }
            return;
        }

        final String end = restart.onEnded(member.exitCode(), nowNs);
        if (null != end)
        {
            note(member, end);
        }
        if (restart.isDue(nowNs) && isNextAllowed(nowNs))
        {
            start(member, restart, nowNs);
        }
    }

    private void pollBackup(final long nowNs)
    {
        final int id = backup.endpoints().memberId();
        if (backup.isAlive())
        {
            if (backupRestarts.onAlive(nowNs) && notes.containsKey(id))
            {
                noteBackup("was started by another command");
            }
            return;
        }

        final String end = backupRestarts.onEnded(backup.exitCode(), nowNs);
        if (null != end)
        {
            noteBackup(end);
        }
        if (backupRestarts.isDue(nowNs))
        {
            startBackup(nowNs);
        }
    }

    private void startBackup(final long nowNs)
    {
        try (FileChannel commands = files.tryLock(); FileChannel faults = files.tryLockOfSupervision())
        {
            if (null != commands && null != faults && !backup.isAlive())
            {
                final int count = backupRestarts.onStart(nowNs);
                noteBackup("started again " + count + (1 == count ? " time" : " times"));
                backup.cleanUp();
                backup.start();
            }
        }
        catch (final IOException | RuntimeException ex)
        {
            noteBackup("could not be started again: " + ex.getMessage());
        }
    }

    private void noteBackup(final String what)
    {
        note(backup.endpoints().memberId(), "the backup", backup.logFile(), what);
    }

    private boolean isNextAllowed(final long nowNs)
    {
        final long runningCount = members.stream().filter(Supervisor::isKnownToRun).count();
        // As in a start by hand: until it has joined, a stale vote of each may still count.
        return null == lastStarted || 2 * runningCount <= members.size() || nowNs - lastStartedNs > JOIN_TIMEOUT_NS ||
            lastStarted.counters().map(MemberCounters::isSettled).orElse(false);
    }

    private static boolean isKnownToRun(final ClusterMember member)
    {
        try
        {
            return member.isAlive();
        }
        catch (final RuntimeException ex)
        {
            return false;
        }
    }

    private void start(final ClusterMember member, final Restarts restart, final long nowNs)
    {
        try (FileChannel commands = files.tryLock(); FileChannel faults = files.tryLockOfSupervision())
        {
            if (null == commands || null == faults || member.isAlive())
            {
                // Whoever holds it may start the member; else it is due again.
                return;
            }

            final int count = restart.onStart(nowNs);
            note(member, "started again " + count + (1 == count ? " time" : " times"));
            lastStarted = member;
            lastStartedNs = nowNs;
            if (members.stream().noneMatch(Supervisor::isKnownToRun))
            {
                files.recordStart();
            }
            member.cleanUp();
            member.start();
        }
        catch (final IOException | RuntimeException ex)
        {
            note(member, "could not be started again: " + ex.getMessage());
        }
    }

    private void note(final ClusterMember member, final String what)
    {
        note(member.memberId(), "member " + member.memberId(), member.logFile(), what);
    }

    private void note(final int id, final String name, final Path logFile, final String what)
    {
        final Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        final String line = now + " supervisor: " + name + " " + what;
        out.println(line);
        notes.put(id, what + " at " + now);
        try
        {
            Files.writeString(logFile, line + "\n", APPEND);
            supervision.write(notes);
        }
        catch (final IOException ex)
        {
            // A full disk must not end the supervision of the others.
            out.println(now + " supervisor: cannot write that: " + ex);
        }
    }
}
