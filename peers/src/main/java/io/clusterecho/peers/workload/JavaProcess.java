package io.clusterecho.peers.workload;

import java.util.List;
import java.util.concurrent.TimeUnit;

import io.clusterecho.process.ChildProcess;
import io.clusterecho.process.JavaCommand;
import io.clusterecho.process.Launch;

/** A process of this program, with its output. */
public final class JavaProcess
{
    /** By name, because classes of this package must not depend on the main class. */
    private static final String MAIN_CLASS = "io.clusterecho.peers.command.Peers";
    private static final long STOP_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(20);

    private final StringBuffer out = new StringBuffer();
    private final StringBuffer err = new StringBuffer();
    private final ChildProcess process;

    JavaProcess(final Launch launch)
    {
        process = launch.output((line) -> out.append(line).append('\n')).errors((line) -> err.append(line).append('\n'))
            .stopTimeoutNs(STOP_TIMEOUT_NS).start();
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
        return out.toString();
    }

    /** Its standard error so far. */
    public String err()
    {
        return err.toString();
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
        // Waits for the rest of its output.
        process.close();
        return hasEnded;
    }
}
