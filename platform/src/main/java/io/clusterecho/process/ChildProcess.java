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

/**
 * A process that a {@link Launch} started, to be watched and ended. Ctrl-C in a terminal does not reach it: that is for this
 * process, which closes what works with the child first. Any thread may call.
 * <p>
 * A child outlives this process, unless it ends by itself with its input, or is tied:
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
    /** From SIGTERM to SIGKILL, of one that did not end with its input; and for what it still writes when it ends. */
    private static final long GRACE_NS = TimeUnit.SECONDS.toNanos(1);

    private final String name;
    private final Process process;
    private final boolean isTied;
    private final boolean hasInput;
    private final long stopTimeoutNs;
    private final Deque<String> lastLines = new ArrayDeque<>();
    private final Consumer<String> remarks;
    private final CountDownLatch readersLeft;
    private boolean isAsked;
    private long askedNs;

    /**
     * @param output that reads the lines of its standard output, or null if that goes elsewhere.
     * @param errors that reads those of its standard error, or null.
     */
    ChildProcess(
        final String name,
        final Process process,
        final boolean isTied,
        final boolean hasInput,
        final long stopTimeoutNs,
        final Consumer<String> output,
        final Consumer<String> errors)
    {
        this.name = name;
        this.process = process;
        this.isTied = isTied;
        this.hasInput = hasInput;
        this.stopTimeoutNs = stopTimeoutNs;
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

    /**
     * Its process id; that of the shell of one that is tied.
     */
    public long pid()
    {
        return process.pid();
    }

    /**
     * Whether it runs.
     *
     * @return false once it has ended.
     */
    public boolean isAlive()
    {
        return process.isAlive();
    }

    /**
     * What its standard input reads, if that is a pipe.
     *
     * @return a stream that the caller flushes.
     */
    public OutputStream input()
    {
        return process.getOutputStream();
    }

    /**
     * What it writes to its standard output, if that was left to the caller.
     *
     * @return a stream that ends with all processes that have it.
     */
    public InputStream output()
    {
        return process.getInputStream();
    }

    /**
     * Wait for its end.
     *
     * @param timeoutNs to wait at most, in ns.
     * @return whether it has ended.
     * @throws InterruptedException if this thread is interrupted.
     */
    public boolean awaitEnd(final long timeoutNs) throws InterruptedException
    {
        return process.waitFor(timeoutNs, TimeUnit.NANOSECONDS);
    }

    /**
     * How it ended.
     *
     * @return its exit status, 128 more than the signal that ended it, or -1 if it runs.
     */
    public int exitStatus()
    {
        return process.isAlive() ? -1 : process.exitValue();
    }

    /**
     * Have something done when it has ended, also when it has already.
     *
     * @param task given how it ended, on a thread of its own.
     */
    public void onEnd(final Consumer<String> task)
    {
        process.onExit().thenRun(() -> task.accept(describeEnd()));
    }

    /**
     * How it ended, for a person. Waits a moment for what ends with it.
     *
     * @return its name, exit code or signal, and its last words.
     */
    public String describeEnd()
    {
        if (awaitEndUninterrupted(System.nanoTime() + GRACE_NS))
        {
            awaitReaders();
        }
        final int status = exitStatus();
        return name + (status < 0 ? " still runs" : status > SIGNAL_STATUS ?
            " ended, signal " + (status - SIGNAL_STATUS) : " ended, exit code " + status) + lastWords();
    }

    /**
     * What it said last.
     *
     * @return to be put behind other words; empty if it said nothing.
     */
    public String lastWords()
    {
        synchronized (lastLines)
        {
            return lastLines.isEmpty() ? "" : "; it said: " + String.join(" / ", lastLines);
        }
    }

    /**
     * Keep a line among the last ones, which the caller has read itself.
     *
     * @param line that it said.
     */
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

    /**
     * Ask it to end, once, and do not wait for it: by the end of its input if that is a pipe, else by SIGTERM.
     */
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

    /**
     * End it by SIGKILL, and do not wait for it.
     */
    public void kill()
    {
        if (isTied)
        {
            closeInput();
        }
        else
        {
            process.toHandle().destroyForcibly();
        }
    }

    /**
     * End it at once, whatever it still has to say, and do not wait for it: all pipes to it are closed.
     */
    public void abandon()
    {
        process.destroy();
    }

    /**
     * Ask it to end, if that was not done yet, wait, and kill it if it takes longer than its timeout from then on. An
     * interrupt does not end the wait and is restored after it: one that is killed leaves behind what it would tidy up.
     */
    @Override
    public void close()
    {
        requestEnd();
        boolean hasEnded = awaitEndUninterrupted(askedNs + stopTimeoutNs);
        if (!hasEnded && isAskedByInput())
        {
            terminate();
            hasEnded = awaitEndUninterrupted(System.nanoTime() + GRACE_NS);
        }
        if (!hasEnded)
        {
            remarks.accept(name + " did not end in time and is killed");
            kill();
            awaitEndUninterrupted(System.nanoTime() + KILL_TIMEOUT_NS);
        }
        awaitReaders();
    }

    private boolean isAskedByInput()
    {
        return hasInput && !isTied;
    }

    private void terminate()
    {
        if (!isTied)
        {
            // That of the process itself would close its output, and with it what it says at its end.
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

    private void closeInput()
    {
        try
        {
            input().close();
        }
        catch (final IOException ex)
        {
            // It has ended already; describeEnd() says how.
        }
    }

    private boolean awaitEndUninterrupted(final long deadlineNs)
    {
        return uninterrupted(deadlineNs, (leftNs) -> process.waitFor(leftNs, TimeUnit.NANOSECONDS));
    }

    /**
     * Wait for what it said last. Others that it has started may keep its output open.
     */
    private void awaitReaders()
    {
        uninterrupted(
            System.nanoTime() + GRACE_NS, (leftNs) -> readersLeft.await(leftNs, TimeUnit.NANOSECONDS));
    }

    private static boolean uninterrupted(final long deadlineNs, final TimedWait wait)
    {
        boolean isInterrupted = false;
        while (true)
        {
            try
            {
                final boolean isOver = wait.await(Math.max(0, deadlineNs - System.nanoTime()));
                if (isInterrupted)
                {
                    Thread.currentThread().interrupt();
                }
                return isOver;
            }
            catch (final InterruptedException ex)
            {
                isInterrupted = true;
            }
        }
    }

    private void read(final String what, final InputStream stream, final Consumer<String> consumer)
    {
        final Thread reader = new Thread(() -> readLines(stream, consumer), name + " " + what);
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
            keep("its output can no longer be read: " + ex.getMessage());
        }
        finally
        {
            readersLeft.countDown();
        }
    }

    @FunctionalInterface
    private interface TimedWait
    {
        boolean await(long timeoutNs) throws InterruptedException;
    }
}
