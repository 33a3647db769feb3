package io.clusterecho.peers.workload;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.clusterecho.process.ChildProcess;
import io.clusterecho.process.JavaCommand;
import io.clusterecho.process.Launch;

/**
 * A process of this program, with its output in files.
 */
public final class JavaProcess
{
    /** Of the jar that this class is in; it sees all others, and none of them it. */
    private static final String MAIN_CLASS = "io.clusterecho.peers.command.Peers";
    private static final long STOP_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(20);

    private final ChildProcess process;
    private final Path out;
    private final Path err;

    private JavaProcess(final ChildProcess process, final Path out, final Path err)
    {
        this.process = process;
        this.out = out;
        this.err = err;
    }

    /**
     * Start this program once more.
     *
     * @param folder    for its output.
     * @param name      of its output there.
     * @param flags     of its JVM.
     * @param arguments of the program.
     */
    public static JavaProcess start(
        final Path folder, final String name, final List<String> flags, final List<String> arguments)
    {
        return startCommand(folder, name, JavaCommand.ofProgram(JavaProcess.class, MAIN_CLASS, flags, arguments));
    }

    /**
     * Start any command.
     *
     * @param folder  for its output.
     * @param name    of its output there.
     * @param command with its arguments.
     */
    static JavaProcess startCommand(final Path folder, final String name, final List<String> command)
    {
        final Path out = folder.resolve(name + ".out");
        final Path err = folder.resolve(name + ".err");
        try
        {
            Files.createDirectories(folder);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("cannot write what " + name + " says to " + folder, ex);
        }

        return new JavaProcess(
            new Launch(name, command).output(ProcessBuilder.Redirect.to(out.toFile()))
            .errors(ProcessBuilder.Redirect.to(err.toFile())).stopTimeoutNs(STOP_TIMEOUT_NS).start(), out, err);
    }

    /**
     * The process itself.
     *
     * @return to watch and end it.
     */
    public ChildProcess process()
    {
        return process;
    }

    /**
     * What it has said on its standard output.
     *
     * @return so far.
     */
    public String out()
    {
        return text(out);
    }

    /**
     * What it has said on its standard error.
     *
     * @return so far.
     */
    public String err()
    {
        return text(err);
    }

    /**
     * Wait for its end, and kill it when that does not come in time.
     *
     * @param timeoutNs to wait at the most.
     * @return whether it ended by itself.
     */
    public boolean await(final long timeoutNs)
    {
        boolean hasEnded = false;
        try
        {
            hasEnded = process.awaitEnd(timeoutNs);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
        if (!hasEnded)
        {
            process.kill();
            process.close();
        }

        return hasEnded;
    }

    private static String text(final Path file)
    {
        try
        {
            return Files.readString(file);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}
