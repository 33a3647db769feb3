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

/** A process of this program whose output goes to files. */
public final class JavaProcess
{
    /** By name, because classes of this package must not depend on the main class. */
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

    /** Start this program in another process, which ends with this one, however that ends, if it is tied. */
    static JavaProcess start(
        final Path folder, final String name, final List<String> flags, final List<String> arguments, final boolean isTied)
    {
        final Launch launch = new Launch(name, JavaCommand.ofProgram(JavaProcess.class, MAIN_CLASS, flags, arguments));
        return start(folder, name, isTied ? launch.tied() : launch);
    }

    static JavaProcess start(final Path folder, final String name, final Launch launch)
    {
        final Path out = folder.resolve(name + ".out");
        final Path err = folder.resolve(name + ".err");
        try
        {
            Files.createDirectories(folder);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("cannot write the output of " + name + " to " + folder, ex);
        }

        return new JavaProcess(
            launch.output(ProcessBuilder.Redirect.to(out.toFile()))
            .errors(ProcessBuilder.Redirect.to(err.toFile())).stopTimeoutNs(STOP_TIMEOUT_NS).start(), out, err);
    }

    /** The process itself. */
    public ChildProcess process()
    {
        return process;
    }

    /** Its standard output so far. */
    public String out()
    {
        return text(out);
    }

    /** Its standard error so far. */
    public String err()
    {
        return text(err);
    }

    /** Wait for the process to exit, and kill it after a timeout; returns whether it exited by itself. */
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
