package io.clusterecho.control.cluster;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.SortedMap;
import java.util.concurrent.TimeUnit;

import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.control.member.Deadline;
import io.clusterecho.control.member.MemberLauncher;
import io.clusterecho.control.member.ProcessRecord;
import io.clusterecho.process.ChildProcess;
import io.clusterecho.process.JavaCommand;
import io.clusterecho.process.Launch;

/**
 * The {@link Supervisor} process of a cluster on this machine, as any process finds it by its file in the base folder:
 * <pre>
 *   BASE/  supervisor.properties  its pid, and what it last did with each member
 *          supervisor.log         its output
 * </pre>
 * One thread.
 */
public final class Supervision
{
    private static final String FILE = "supervisor.properties";
    private static final String LOG_FILE = "supervisor.log";
    private static final String MEMBER_KEY = "member.";
    private static final long START_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long END_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(5);
    /** It waits most of the time, on the machine that is measured. */
    private static final List<String> FLAGS = List.of(
        "-XX:+UseSerialGC", "-Xmx32m", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData");

    private final Path baseDir;
    private final Path file;

    public Supervision(final Path baseDir)
    {
        this.baseDir = baseDir;
        file = baseDir.resolve(FILE);
    }

    /**
     * Pid of the running supervisor.
     */
    public OptionalLong pid()
    {
        final Optional<ProcessRecord> running = record().filter(ProcessRecord::isAlive);
        return running.isPresent() ? OptionalLong.of(running.get().pid()) : OptionalLong.empty();
    }

    /**
     * Whether the cluster has, or had, a supervisor since it was last stopped.
     */
    public boolean isRecorded()
    {
        return record().isPresent();
    }

    /**
     * What the supervisor last did with a member.
     *
     * @return a few words, empty if it had no reason to do anything.
     */
    public String note(final int memberId)
    {
        final Properties values = new Properties();
        try (Reader reader = Files.newBufferedReader(file))
        {
            values.load(reader);
        }
        catch (final IOException | IllegalArgumentException ex)
        {
            return "";
        }

        return values.getProperty(MEMBER_KEY + memberId, "");
    }

    /**
     * Start a supervisor, unless one runs. It outlives this process.
     *
     * @throws ControlFailure if it does not start.
     */
    public void begin(final MemberLauncher launcher)
    {
        if (pid().isPresent())
        {
            return;
        }

        final Path log = baseDir.resolve(LOG_FILE);
        final List<String> arguments = new ArrayList<>(List.of("supervise", "--base-dir", baseDir.toString()));
        arguments.addAll(List.of("--jvm-options", launcher.jvmOptions().toString()));
        final ChildProcess child = new Launch("the supervisor", JavaCommand.ofJar(launcher.jar(), FLAGS, arguments))
            .output(ProcessBuilder.Redirect.to(log.toFile())).start();
        Deadline.in(START_TIMEOUT_NS).await(() -> pid().isPresent() || !child.isAlive());
        if (pid().isEmpty())
        {
            child.kill();
            throw new ControlFailure(
                ControlFailure.NOT_READY, "the members run, but their supervisor did not start: see " + log);
        }
    }

    /**
     * End the supervisor. Members keep running. The caller holds the lock of the base folder, so that it starts none meanwhile.
     *
     * @throws ControlFailure if it does not end.
     */
    public void end()
    {
        final Optional<ProcessHandle> running = record().flatMap(ProcessRecord::handle);
        running.ifPresent((process) ->
        {
            process.destroy();
            if (!Deadline.in(END_TIMEOUT_NS).await(() -> !process.isAlive()))
            {
                process.destroyForcibly();
                if (!Deadline.in(END_TIMEOUT_NS).await(() -> !process.isAlive()))
                {
                    throw new ControlFailure(
                        ControlFailure.NOT_READY, "the supervisor of " + baseDir + ", pid " + process.pid() + ", does not end");
                }
            }
        });
        try
        {
            Files.deleteIfExists(file);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /**
     * Delete the files of a supervisor that has ended.
     */
    void delete()
    {
        end();
        try
        {
            Files.deleteIfExists(baseDir.resolve(LOG_FILE));
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /**
     * Record this process as the supervisor.
     *
     * @param notes what it last did with each member, by id.
     * @throws IOException if the file cannot be written.
     */
    void write(final SortedMap<Integer, String> notes) throws IOException
    {
        final ProcessRecord self = ProcessRecord.of(ProcessHandle.current().pid()).orElseThrow();
        final StringBuilder text = new StringBuilder("pid=" + self.pid() + "\nstart=" + self.start() + "\n");
        for (final Map.Entry<Integer, String> note : notes.entrySet())
        {
            text.append(MEMBER_KEY).append(note.getKey()).append('=').append(note.getValue()).append('\n');
        }
        final Path written = file.resolveSibling(FILE + ".new");
        Files.writeString(written, text);
        Files.move(written, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private Optional<ProcessRecord> record()
    {
        return ProcessRecord.read(file);
    }
}
