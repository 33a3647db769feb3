package io.clusterecho.peers.workload;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.clusterecho.process.ChildProcess;
import io.clusterecho.process.JavaCommand;
import io.clusterecho.process.Launch;

/** A process of this program. Its output goes to files, so that this process does nothing for it while it measures. */
public final class JavaProcess
{
    /** By name, because classes of this package must not depend on the main class. */
    private static final String MAIN_CLASS = "io.clusterecho.peers.command.Peers";
    private static final long STOP_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(20);

    private final Path out = newFile();
    private final Path err = newFile();
    private final ChildProcess process;

    JavaProcess(final Launch launch)
    {
        process = launch.output(Redirect.to(out.toFile())).errors(Redirect.to(err.toFile()))
            .stopTimeoutNs(STOP_TIMEOUT_NS).start();
    }

    private static Path newFile()
    {
        try
        {
            final Path file = Files.createTempFile("cluster-echo-peer-", ".txt");
            file.toFile().deleteOnExit();
            return file;
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("cannot write the output of a process: " + ex.getMessage(), ex);
        }
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

    /** Start this program in another process, which ends with this one, however that ends, if it is tied. */
    static JavaProcess start(
        final String name, final List<String> flags, final List<String> arguments, final boolean isTied)
    {
        final Launch launch = new Launch(name, JavaCommand.ofProgram(JavaProcess.class, MAIN_CLASS, flags, arguments));
        return new JavaProcess(isTied ? launch.tied() : launch);
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
        }
        process.close();
        return hasEnded;
    }
}
