package io.clusterecho.node.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Settings;

/**
 * Which process it was: pid and start. The system hands a pid out again, so that alone tells nothing about a process that
 * was started by an earlier command.
 *
 * @param pid   of the process.
 * @param start text that no other process of that pid has; opaque.
 */
public record ProcessRecord(long pid, String start)
{
    private static final Path PROC = Path.of("/proc");
    private static final Path BOOT_ID = PROC.resolve("sys/kernel/random/boot_id");
    // Fields of /proc/PID/stat, counted from the one after the name, which may itself hold blanks and parentheses.
    private static final int STATE_FIELD = 0;
    private static final int START_TICKS_FIELD = 19;
    private static final String GONE = "";

    /**
     * The process that has a pid now.
     *
     * @param pid of the process.
     * @return its record, or empty if no process runs under that pid.
     */
    public static Optional<ProcessRecord> of(final long pid)
    {
        final String start = startOf(pid);
        return GONE.equals(start) ? Optional.empty() : Optional.of(new ProcessRecord(pid, start));
    }

    /**
     * Read what {@link #write(Path)} wrote.
     *
     * @param file to read.
     * @return the record, or empty if there is no such file or it does not hold one.
     */
    public static Optional<ProcessRecord> read(final Path file)
    {
        if (!Files.exists(file))
        {
            return Optional.empty();
        }

        try
        {
            final Map<String, String> values = Settings.load(file);
            return Optional.of(new ProcessRecord(Long.parseLong(values.get("pid")), values.getOrDefault("start", GONE)));
        }
        catch (final NumberFormatException | InvalidSettingException ex)
        {
            return Optional.empty();
        }
    }

    /**
     * Write the record as a property file, at once or not at all.
     *
     * @param file to write.
     */
    public void write(final Path file)
    {
        final Instant startedAt = ProcessHandle.of(pid).flatMap((process) -> process.info().startInstant()).orElse(null);
        final Path written = file.resolveSibling(file.getFileName() + ".new");
        try
        {
            Files.writeString(written, "pid=" + pid + "\nstart=" + start + "\n# started at " + startedAt + "\n");
            Files.move(written, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /**
     * Whether the very process that was recorded still runs. One that has ended but was not yet waited for does not.
     *
     * @return false also if another process has its pid now.
     */
    public boolean isAlive()
    {
        return !GONE.equals(start) && start.equals(startOf(pid));
    }

    /**
     * Handle for signals.
     *
     * @return the process, or empty if it does not run.
     */
    public Optional<ProcessHandle> handle()
    {
        return isAlive() ? ProcessHandle.of(pid) : Optional.empty();
    }

    private static String startOf(final long pid)
    {
        if (!Files.exists(BOOT_ID))
        {
            return ProcessHandle.of(pid).filter(ProcessHandle::isAlive)
                .flatMap((process) -> process.info().startInstant()).map(Instant::toString).orElse(GONE);
        }

        try
        {
            final String stat = Files.readString(PROC.resolve(pid + "/stat"));
            final String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            if ("Z".equals(fields[STATE_FIELD]) || "X".equals(fields[STATE_FIELD]))
            {
                return GONE;
            }

            // In clock ticks since the boot, which a step of the wall clock does not change.
            return Files.readString(BOOT_ID).trim() + "/" + fields[START_TICKS_FIELD];
        }
        catch (final IOException ex)
        {
            // No such process, or it ended while its file was read.
            return GONE;
        }
    }
}
