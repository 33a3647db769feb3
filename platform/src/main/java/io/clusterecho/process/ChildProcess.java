package io.clusterecho.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.clusterecho.settings.Io;
import io.clusterecho.threads.Uninterrupted;

/**
 * A process started by a {@link Launch}. Ctrl-C in a terminal does not reach it, only this process, which first closes what uses
 * the child. Thread-safe.
 * <p>
 * A child outlives this process, unless it ends at the end of its input, or is tied:
 * <pre>
 *   this process - pipe -&gt; shell - starts -&gt; program
 *                            |  a line on the pipe: SIGTERM; its end, as when this process is killed: SIGKILL
 * </pre>
 * See docs/adr/0013-tie-a-driver-to-its-process-by-a-pipe.md.
 */
public final class ChildProcess implements AutoCloseable
{
    private static final int SIGNAL_STATUS = 128;
    private static final int LAST_LINES = 5;
    private static final long KILL_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(5);
    /** From SIGTERM to SIGKILL, for one that did not end with its input; also for its last output. */
    private static final long GRACE_NS = TimeUnit.SECONDS.toNanos(1);

    private final Launch launch;
    private final Process process;
    private final Deque<String> lastLines = new ArrayDeque<>();
    private final Consumer<String> remarks;
    private final CountDownLatch readersLeft;
    private boolean isAsked;
    private long askedNs;

    /** A process that was just started as a launch describes, which does not change any more. */
    ChildProcess(final Launch launch, final Process process)
    {
        this.launch = launch;
        this.process = process;
        final Consumer<String> output = launch.output;
        final Consumer<String> errors = launch.errors;
        remarks = null != errors ? errors : null != output ? output : (line) -> {};
        readersLeft = new CountDownLatch((null == output ? 0 : 1) + (null == errors ? 0 : 1));
        if (null != output)
        {
            read("output", process.getInputStream(), output);
        }
        if (null != errors)
        {
            read("errors", process.getErrorStream(), errors);
        }
    }

    /** Its process id; that of the shell for a tied child. */
    public long pid()
    {
        return process.pid();
    }

    public boolean isAlive()
    {
        return process.isAlive();
    }

    /** The pipe to its standard input, if it has one; the caller flushes it. */
    public OutputStream input()
    {
        return process.getOutputStream();
    }

    /** The pipe from its standard output, if left to the caller; it ends when the last process with that output has ended. */
    public InputStream output()
    {
        return process.getInputStream();
    }

    /** Wait for its end for at most so many ns; false if it still runs. */
    public boolean awaitEnd(final long timeoutNs) throws InterruptedException
    {
        return process.waitFor(timeoutNs, TimeUnit.NANOSECONDS);
    }

    /** Its exit status, 128 plus the number of the signal that ended it, or -1 while it runs. */
    public int exitStatus()
    {
        return process.isAlive() ? -1 : process.exitValue();
    }

    /** Pass a description of its end to a task on a separate thread, also if it has already ended. */
    public void onEnd(final Consumer<String> task)
    {
        process.onExit().thenRun(() -> task.accept(describeEnd()));
    }

    /** Its name, exit status or signal, and its last output, for which this waits briefly. */
    public String describeEnd()
    {
        if (awaitEndUninterrupted(System.nanoTime() + GRACE_NS))
        {
            awaitReaders();
        }
        final int status = exitStatus();
        return launch.name + (status < 0 ? " still runs" : status > SIGNAL_STATUS ?
            " ended, signal " + (status - SIGNAL_STATUS) : " ended, exit status " + status) + lastWords();
    }

    /** Its last lines of output, to append to a message; empty if there are none. */
    public String lastWords()
    {
        synchronized (lastLines)
        {
            return lastLines.isEmpty() ? "" : "; last output: " + String.join(" / ", lastLines);
        }
    }

    /** Add to the last lines one that the caller has read itself. */
    public void keep(final String line)
    {
        synchronized (lastLines)
        {
            lastLines.addLast(line.trim());
            if (lastLines.size() > LAST_LINES)
            {
                lastLines.removeFirst();
            }
        }
    }

    /** Request its end, once and without waiting: by the end of its input if that is a pipe, else by SIGTERM. */
    public synchronized void requestEnd()
    {
        if (isAsked)
        {
            return;
        }
        isAsked = true;
        askedNs = System.nanoTime();
        if (isAskedByInput())
        {
            closeInput();
        }
        else
        {
            terminate();
        }
    }

    /** If it has ended already, {@link #describeEnd()} says how. */
    private void closeInput()
    {
        Io.orElse(false, () ->
        {
            input().close();
            return true;
        });
    }

    /** Kill it by SIGKILL, without waiting. */
    public void kill()
    {
        if (launch.isTied)
        {
            closeInput();
        }
        else
        {
            process.toHandle().destroyForcibly();
        }
    }

    /** Kill it without waiting, and close all pipes to it; its remaining output is lost. */
    public void abandon()
    {
        process.destroy();
    }

    /**
     * Request its end if that was not done yet, wait, and kill it if it exceeds its timeout from then on. An interrupt does not
     * end the wait and is restored afterwards: a killed process leaves behind what it would clean up.
     */
    @Override
    public void close()
    {
        requestEnd();
        boolean hasEnded = awaitEndUninterrupted(askedNs + launch.stopTimeoutNs);
        if (!hasEnded && isAskedByInput())
        {
            terminate();
            hasEnded = awaitEndUninterrupted(System.nanoTime() + GRACE_NS);
        }
        if (!hasEnded)
        {
            remarks.accept(launch.name + " did not end in time, killing it");
            kill();
            awaitEndUninterrupted(System.nanoTime() + KILL_TIMEOUT_NS);
        }
        awaitReaders();
    }

    private boolean isAskedByInput()
    {
        return launch.hasInput && !launch.isTied;
    }

    private void terminate()
    {
        if (!launch.isTied)
        {
            // Process.destroy would also close its output, and lose the last lines.
            process.toHandle().destroy();
            return;
        }
        try
        {
            input().write('\n');
            input().flush();
        }
        catch (final IOException ex)
        {
            // It has ended already; describeEnd() says how.
        }
    }

    /** Wait for its end until a deadline of {@link System#nanoTime()}, also if interrupted; false if it still runs. */
    public boolean awaitEndUninterrupted(final long deadlineNs)
    {
        return Uninterrupted.await(deadlineNs, (leftNs) -> process.waitFor(leftNs, TimeUnit.NANOSECONDS));
    }

    /** Wait for its last output. Processes that it has started may keep its output open. */
    private void awaitReaders()
    {
        Uninterrupted.await(
            System.nanoTime() + GRACE_NS, (leftNs) -> readersLeft.await(leftNs, TimeUnit.NANOSECONDS));
    }

    private void read(final String what, final InputStream stream, final Consumer<String> consumer)
    {
        final Thread reader = new Thread(() -> readLines(stream, consumer), launch.name + " " + what);
        reader.setDaemon(true);
        reader.start();
    }

    private void readLines(final InputStream stream, final Consumer<String> consumer)
    {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(stream, UTF_8)))
        {
            for (String line = lines.readLine(); null != line; line = lines.readLine())
            {
                keep(line);
                consumer.accept(line);
            }
        }
        catch (final IOException ex)
        {
            keep("cannot read its output any more: " + ex.getMessage());
        }
        finally
        {
            readersLeft.countDown();
        }
    }
}
