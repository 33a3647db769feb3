package io.clusterecho.control.member;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;

import io.clusterecho.host.HostFiles;
import io.clusterecho.process.Launch;
import io.clusterecho.settings.Io;

/** A process by pid and start time, which is opaque: the system reuses pids. */
public record ProcessRecord(long pid, String start)
{
    private static final long PAUSE_TIMEOUT_NS = 2_000_000_000L;
    private static final long RUN_TIMEOUT_NS = 5_000_000_000L;
    private static final HostFiles HOST = HostFiles.ofThisMachine();
    // Fields of /proc/PID/stat, counted from the one after the name.
    private static final int STATE_FIELD = 0;
    private static final int START_TICKS_FIELD = 19;
    /** Index in the line "Max open files SOFT HARD files" of /proc/PID/limits. */
    private static final int HARD_LIMIT_FIELD = 4;
    private static final String GONE = "";

    /** The process that has a pid now, or empty if none has. */
    public static Optional<ProcessRecord> of(final long pid)
    {
        final String start = startOf(pid);
        return GONE.equals(start) ? Optional.empty() : Optional.of(new ProcessRecord(pid, start));
    }

    /** Read what {@link #write} wrote; empty if there is no record. Fails if it cannot be read: the process may run. */
    public static Optional<ProcessRecord> read(final Path file)
    {
        final Properties values = new Properties();
        try (Reader reader = Files.newBufferedReader(file))
        {
            values.load(reader);
            return Optional.of(
                new ProcessRecord(Long.parseLong(values.getProperty("pid")), values.getProperty("start", GONE)));
        }
        catch (final NoSuchFileException | IllegalArgumentException ex)
        {
            return Optional.empty();
        }
        catch (final AccessDeniedException ex)
        {
            throw ControlFailure.denied("read " + file, file);
        }
        catch (final IOException ex)
        {
            throw ControlFailure.notReady(
                "cannot read " + file + ", which shows whether a process runs: " + ex + "; make it readable, or delete it");
        }
    }

    /** Write the record as a property file, atomically. */
    public void write(final Path file) throws IOException
    {
        final Instant startedAt = ProcessHandle.of(pid).flatMap((process) -> process.info().startInstant()).orElse(null);
        Io.replace(file, "pid=" + pid + "\nstart=" + start + "\n# started at " + startedAt + "\n");
    }

    /** Whether it still runs; false for a zombie without other threads, and if another process has its pid now. */
    public boolean isAlive()
    {
        return !GONE.equals(start) && start.equals(startOf(pid));
    }

    /** Handle for signals, or empty if the process does not run. */
    public Optional<ProcessHandle> handle()
    {
        return isAlive() ? ProcessHandle.of(pid) : Optional.empty();
    }

    /** Stop all threads of the process and its descendants (SIGSTOP) until {@link #resume()}, and wait until they have. */
    public void pause()
    {
        // Parent first: a stopped process starts no others.
        signal("STOP", pid);
        final List<Long> pids = family();
        pids.stream().skip(1).forEach((other) -> signal("STOP", other));
        final Deadline deadline = Deadline.in(PAUSE_TIMEOUT_NS);
        while (!pids.stream().allMatch(ProcessRecord::isStill) && !deadline.isOver())
        {
            Thread.onSpinWait();
        }
    }

    /** Continue the process and its descendants after {@link #pause()} (SIGCONT). */
    public void resume()
    {
        final List<Long> pids = new ArrayList<>(family());
        // Parent last: it finds its descendants as it left them.
        Collections.reverse(pids);
        pids.forEach((each) -> signal("CONT", each));
    }

    /** Limit the number of files and sockets that it may have open; fails if the system refuses. */
    public void limitFiles(final String softLimit)
    {
        run("util-linux", "prlimit", "--pid", String.valueOf(pid), "--nofile=" + softLimit + ":");
    }

    /** Undo {@link #limitFiles}: allow it as many open files as the system does. */
    public void releaseFiles()
    {
        limitFiles(HOST.lines("proc/" + pid + "/limits").stream().filter((line) -> line.startsWith("Max open files"))
            .map((line) -> line.trim().split(" +")[HARD_LIMIT_FIELD]).findFirst()
            .orElseThrow(() -> ControlFailure.notReady("cannot read the limits of process " + pid)));
    }

    private static void run(final String packageName, final String... command)
    {
        try
        {
            new Launch(command[0], List.of(command)).run(RUN_TIMEOUT_NS).ifPresent((failure) ->
            {
                throw ControlFailure.notReady(failure);
            });
        }
        catch (final UncheckedIOException ex)
        {
            throw ControlFailure.notReady(ex.getMessage() + " (Debian: " + packageName + ")");
        }
    }

    /** Have a JVM write a thread dump to its standard output (SIGQUIT). */
    public void dumpStacks()
    {
        signal("QUIT", pid);
    }

    private List<Long> family()
    {
        return Stream.concat(
            Stream.of(pid), handle().stream().flatMap(ProcessHandle::descendants).map(ProcessHandle::pid)).toList();
    }

    /** Whether all threads have stopped after SIGSTOP; true also if the system does not report it, and if all have ended. */
    private static boolean isStill(final long pid)
    {
        return threads(pid).stream().map((thread) -> HOST.stat("proc/" + pid + "/task/" + thread + "/stat"))
            // A thread without fields ended since it was listed.
            .allMatch((fields) -> 0 == fields.length || "T".equals(fields[STATE_FIELD]));
    }

    /** Fails if the system refuses, unless the process has ended. */
    static void signal(final String name, final long pid)
    {
        try
        {
            run("procps", "kill", "-" + name, String.valueOf(pid));
        }
        catch (final ControlFailure ex)
        {
            if (!GONE.equals(startOf(pid)))
            {
                throw new ControlFailure(
                    ex.exitCode(), "cannot send SIG" + name + " to process " + pid + ": " + ex.getMessage());
            }
        }
    }

    /** Ids of the threads of a process; none if it has ended, or the system does not list them. */
    private static List<String> threads(final long pid)
    {
        return HOST.names("proc/" + pid + "/task");
    }

    private static String startOf(final long pid)
    {
        final Optional<String> boot = HOST.text("proc/sys/kernel/random/boot_id");
        if (boot.isEmpty())
        {
            return ProcessHandle.of(pid).filter(ProcessHandle::isAlive)
                .flatMap((process) -> process.info().startInstant()).map(Instant::toString).orElse(GONE);
        }

        final String[] fields = HOST.stat("proc/" + pid + "/stat");
        // Until the other threads of a zombie have ended, its files remain open and locked, and its ports in use.
        final boolean isGone = 0 == fields.length || "X".equals(fields[STATE_FIELD]) ||
            "Z".equals(fields[STATE_FIELD]) && threads(pid).size() <= 1;
        // In clock ticks since the boot, which a step of the wall clock does not change.
        return isGone ? GONE : boot.get() + "/" + fields[START_TICKS_FIELD];
    }
}
