package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.clusterecho.control.member.Deadline;
import io.clusterecho.control.member.ProcessRecord;

/** A running command, started as a user would start it. */
final class RunningCommand
{
    private static final long PROGRESS_TIMEOUT_NS = 120_000_000_000L;

    private final List<String> command;
    private final Process process;
    private final File out;
    private final File err;

    private RunningCommand(final List<String> command, final Process process, final File out, final File err)
    {
        this.command = command;
        this.process = process;
        this.out = out;
        this.err = err;
    }

    static RunningCommand start(final List<String> command, final Path folder)
    {
        try
        {
            Files.createDirectories(folder);
            final File out = File.createTempFile("command", ".out", folder.toFile());
            final File err = File.createTempFile("command", ".err", folder.toFile());
            final Process process = new ProcessBuilder(command)
                .directory(folder.toFile()).redirectOutput(out).redirectError(err).start();
            return new RunningCommand(command, process, out, err);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /** The process, to pause it. */
    ProcessRecord process()
    {
        return ProcessRecord.of(process.pid()).orElseThrow(() -> new AssertionError(command + " runs no more"));
    }

    /** Wait until its standard error contains a word. */
    void awaitProgress(final String word)
    {
        assertThat(Deadline.in(PROGRESS_TIMEOUT_NS).await(() -> text(err).contains(word)))
            .as("%s printed '%s'; it printed %s", command, word, text(err)).isTrue();
    }

    private static String text(final File file)
    {
        try
        {
            return Files.readString(file.toPath());
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /** Request its end with SIGTERM, which works like Ctrl-C. */
    void terminate()
    {
        process.destroy();
    }

    /** Wait for its end, and kill it on timeout. */
    CommandResult await(final long timeoutNs)
    {
        try
        {
            final boolean isDone = process.waitFor(timeoutNs, TimeUnit.NANOSECONDS);
            if (!isDone)
            {
                process.destroyForcibly().waitFor();
            }

            final CommandResult result = new CommandResult(process.exitValue(), text(out), text(err));
            Files.delete(out.toPath());
            Files.delete(err.toPath());
            assertThat(isDone).as("%s ended in time: %s", command, result).isTrue();
            return result;
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted in " + command, ex);
        }
    }
}
