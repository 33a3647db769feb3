package io.clusterecho.node.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.aeron.CncFileDescriptor;

import io.clusterecho.node.config.MemberEndpoints;
import io.clusterecho.node.member.MemberFolder;

import org.agrona.IoUtil;

/**
 * One member of a cluster on this machine, as a process: started, paused, ended and found again through what is written in
 * its folder. Methods return at once unless they say that they wait. One thread at a time.
 */
public final class LocalMember
{
    private static final String PROCESS_FILE = "process.properties";
    private static final String LOG_FILE = "member.log";
    private static final String EARLIER_LOG_FILE = "member-earlier.log";
    private static final long MAX_LOG_LENGTH = 16L << 20;
    private static final String START_MARK = "---- start ";
    private static final Pattern EXIT_LINE = Pattern.compile("member [0-9]+ stopped, exit ([0-9]+) .*");

    private final MemberEndpoints endpoints;
    private final Path dir;
    private final Path aeronDir;
    private final Path settingsFile;
    private final MemberLauncher launcher;
    private final List<String> prefix;
    private Process child;

    LocalMember(
        final MemberEndpoints endpoints,
        final Path dir,
        final Path aeronDir,
        final Path settingsFile,
        final MemberLauncher launcher,
        final String prefix)
    {
        this.endpoints = endpoints;
        this.dir = dir;
        this.aeronDir = aeronDir;
        this.settingsFile = settingsFile;
        this.launcher = launcher;
        this.prefix = prefix.isBlank() ? List.of() :
            List.of(prefix.strip().replace("{id}", String.valueOf(endpoints.memberId())).split("\\s+"));
    }

    /**
     * Index of the member.
     *
     * @return from 0.
     */
    public int memberId()
    {
        return endpoints.memberId();
    }

    /**
     * Where the member is reached.
     *
     * @return its endpoints.
     */
    public MemberEndpoints endpoints()
    {
        return endpoints;
    }

    /**
     * Folder of log, snapshots and marks.
     *
     * @return an absolute path.
     */
    public Path dir()
    {
        return dir;
    }

    /**
     * Folder of the media driver.
     *
     * @return an absolute path.
     */
    public Path aeronDir()
    {
        return aeronDir;
    }

    /**
     * File that holds what the member's processes said, the last one at its end.
     *
     * @return an absolute path.
     */
    public Path logFile()
    {
        return dir.resolve(LOG_FILE);
    }

    /**
     * Pid of the process.
     *
     * @return the pid, or empty if the member does not run.
     */
    public OptionalLong pid()
    {
        return record().filter(ProcessRecord::isAlive).map((found) -> OptionalLong.of(found.pid())).orElse(OptionalLong.empty());
    }

    /**
     * Whether its process runs, be it paused.
     *
     * @return true if so.
     */
    public boolean isAlive()
    {
        return pid().isPresent();
    }

    /**
     * Whether a process of it was started and not yet cleaned up after.
     *
     * @return true also if that process has ended by itself.
     */
    public boolean isRecorded()
    {
        return record().isPresent();
    }

    /**
     * Start the process; it goes on when this JVM ends.
     *
     * @throws IllegalStateException if it runs.
     */
    public void start()
    {
        if (isAlive())
        {
            throw new IllegalStateException("member " + memberId() + " runs, pid " + pid().getAsLong());
        }

        try
        {
            if (!Files.isDirectory(dir))
            {
                Files.createDirectories(
                    dir, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            }
            if (Files.exists(logFile()) && Files.size(logFile()) > MAX_LOG_LENGTH)
            {
                Files.move(logFile(), dir.resolve(EARLIER_LOG_FILE), StandardCopyOption.REPLACE_EXISTING);
            }
            Files.writeString(
                logFile(), START_MARK + java.time.Instant.now() + "\n",
                java.nio.file.StandardOpenOption.CREATE, java.nio.file.StandardOpenOption.APPEND);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }

        child = launcher.launch(
            dir, logFile(), prefix, List.of("--member-id", String.valueOf(memberId()), settingsFile.toString()));
        // One that ended in the meantime has no start any more; its record then says just that.
        ProcessRecord.of(child.pid()).orElse(new ProcessRecord(child.pid(), "")).write(dir.resolve(PROCESS_FILE));
    }

    /**
     * Ask it to stop in good order (SIGTERM), also if it is paused.
     */
    public void terminate()
    {
        handle().ifPresent(ProcessHandle::destroy);
        resume();
    }

    /**
     * End it on the spot (SIGKILL).
     */
    public void kill()
    {
        handle().ifPresent(ProcessHandle::destroyForcibly);
    }

    /**
     * Stop its clock (SIGSTOP) until {@link #resume()}, and wait until all of its threads stand still: on a busy machine that
     * takes a while. A member paused for longer than 10 s ends itself when it wakes.
     */
    public void pause()
    {
        live().ifPresent(ProcessRecord::pause);
    }

    /**
     * Let it go on after {@link #pause()} (SIGCONT).
     */
    public void resume()
    {
        live().ifPresent(ProcessRecord::resume);
    }

    /**
     * Ask the JVM to write the stacks of its threads into the member's log (SIGQUIT).
     */
    public void dumpStacks()
    {
        live().ifPresent(ProcessRecord::dumpStacks);
    }

    /**
     * Wait until the process has ended.
     *
     * @param timeoutNs to wait at most, in ns.
     * @return whether it has.
     */
    public boolean awaitExit(final long timeoutNs)
    {
        return Deadline.in(timeoutNs).await(() -> !isAlive());
    }

    /**
     * How the last process ended, from the system if this JVM started it, else from the member's own last words.
     *
     * @return the exit code, or empty if it runs, never ran, or was killed without a word.
     */
    public OptionalInt exitCode()
    {
        if (isAlive())
        {
            return OptionalInt.empty();
        }
        if (null != child && record().map((found) -> found.pid() == child.pid()).orElse(true))
        {
            try
            {
                return OptionalInt.of(child.waitFor());
            }
            catch (final InterruptedException ex)
            {
                Thread.currentThread().interrupt();
                return OptionalInt.empty();
            }
        }

        final List<String> lines = said();
        final Matcher last = EXIT_LINE.matcher(lines.isEmpty() ? "" : lines.get(lines.size() - 1));
        return last.matches() ? OptionalInt.of(Integer.parseInt(last.group(1))) : OptionalInt.empty();
    }

    /**
     * What the last process said.
     *
     * @return its lines, standard output and standard error in one.
     */
    public List<String> said()
    {
        try
        {
            // Not decoded as UTF-8: a process killed in the middle of a character must not make its log unreadable.
            final List<String> lines = Files.exists(logFile()) ?
                Files.readAllLines(logFile(), StandardCharsets.ISO_8859_1) : List.of();
            int begin = lines.size();
            while (begin > 0 && !lines.get(begin - 1).startsWith(START_MARK))
            {
                begin--;
            }

            return lines.subList(begin, lines.size());
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /**
     * Remove what an ended process left outside its folder, and forget the process. Log, snapshots and output stay.
     *
     * @throws IllegalStateException if the process runs.
     */
    public void cleanUp()
    {
        if (isAlive())
        {
            throw new IllegalStateException("member " + memberId() + " runs, pid " + pid().getAsLong());
        }

        try
        {
            if (Files.exists(aeronDir.resolve(CncFileDescriptor.CNC_FILE)))
            {
                IoUtil.delete(aeronDir.toFile(), false);
            }
            Files.deleteIfExists(dir.resolve(PROCESS_FILE));
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /**
     * Delete log, snapshots and votes of a member that has ended; it must then get all of it from the others.
     *
     * @throws IllegalStateException if the process runs.
     */
    public void wipe()
    {
        if (isAlive())
        {
            throw new IllegalStateException("member " + memberId() + " runs, pid " + pid().getAsLong());
        }

        IoUtil.delete(dir.resolve(MemberFolder.ARCHIVE_DIR).toFile(), true);
        IoUtil.delete(dir.resolve(MemberFolder.CLUSTER_DIR).toFile(), true);
    }

    private Optional<ProcessRecord> record()
    {
        return ProcessRecord.read(dir.resolve(PROCESS_FILE));
    }

    private Optional<ProcessRecord> live()
    {
        return record().filter(ProcessRecord::isAlive);
    }

    private Optional<ProcessHandle> handle()
    {
        return record().flatMap(ProcessRecord::handle);
    }
}
