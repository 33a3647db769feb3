package io.clusterecho.client.worker;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.platform.TerminalSignals;

/**
 * A link to a worker that is a process of its own, over its standard input and output.
 */
final class ProcessLink implements WorkerLink
{
    private static final long STOP_TIMEOUT_NS = 3_000_000_000L;
    private static final long STATUS_TIMEOUT_MS = 1_000;

    private final Process process;
    private final OutputStream out;
    private final Queue<Heard> heard = new ConcurrentLinkedQueue<>();
    private final Thread taker;
    private final Consumer<String> remarks;
    private volatile String lastRemark = "";
    private boolean isInputEnded;
    private long inputEndNs;

    /**
     * Start the process.
     *
     * @param name    for its threads.
     * @param command that starts it.
     * @param remarks told of each line that it says beside the protocol.
     * @throws IOException if there is no such program.
     */
    ProcessLink(final String name, final List<String> command, final Consumer<String> remarks) throws IOException
    {
        this.remarks = remarks;
        taker = Thread.currentThread();
        // Ctrl-C is for this process, which tells the others.
        process = new ProcessBuilder(TerminalSignals.ignoredBy(command)).start();
        out = process.getOutputStream();
        start(name + "-out", this::readOut);
        start(name + "-err", this::readErr);
    }

    @Override
    public void send(final ObjectNode message)
    {
        final byte[] line = (Protocol.line(message) + "\n").getBytes(StandardCharsets.UTF_8);
        try
        {
            synchronized (out)
            {
                out.write(line);
                out.flush();
            }
        }
        catch (final IOException ex)
        {
            lastRemark = lastRemark.isEmpty() ? ex.toString() : lastRemark;
        }
    }

    @Override
    public Heard poll()
    {
        return heard.poll();
    }

    @Override
    public String fate()
    {
        String status;
        try
        {
            status = process.waitFor(STATUS_TIMEOUT_MS, TimeUnit.MILLISECONDS) ?
                "its process ended with exit status " + process.exitValue() : "it closed its output";
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            status = "it closed its output";
        }

        return status + (lastRemark.isEmpty() ? "" : ", the last that it said was: " + lastRemark);
    }

    @Override
    public void endInput()
    {
        if (isInputEnded)
        {
            return;
        }
        isInputEnded = true;
        inputEndNs = System.nanoTime();
        try
        {
            out.close();
        }
        catch (final IOException ex)
        {
            // It has ended already.
            lastRemark = ex.toString();
        }
    }

    @Override
    public void close()
    {
        endInput();
        boolean isInterrupted = false;
        long leftNs = STOP_TIMEOUT_NS;
        while (leftNs > 0 && process.isAlive())
        {
            try
            {
                process.waitFor(leftNs, TimeUnit.NANOSECONDS);
            }
            catch (final InterruptedException ex)
            {
                // One that is killed leaves its sessions and the folder of its media driver behind: it gets its time.
                isInterrupted = true;
            }
            leftNs = inputEndNs + STOP_TIMEOUT_NS - System.nanoTime();
        }
        if (process.isAlive())
        {
            process.destroyForcibly();
        }
        if (isInterrupted)
        {
            Thread.currentThread().interrupt();
        }
    }

    private static void start(final String name, final Runnable task)
    {
        final Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }

    private void readOut()
    {
        try (BufferedReader lines = reader(process.getInputStream()))
        {
            for (String line = lines.readLine(); null != line; line = lines.readLine())
            {
                // Before it is read as JSON: the time is that of the line.
                final long timeNs = System.nanoTime();
                final JsonNode message = Protocol.parse(line);
                if (null == message)
                {
                    remark(line);
                }
                else
                {
                    put(new Heard(message, timeNs));
                }
            }
        }
        catch (final IOException ex)
        {
            remark(ex.toString());
        }
        finally
        {
            put(new Heard(null, System.nanoTime()));
        }
    }

    private void readErr()
    {
        try (BufferedReader lines = reader(process.getErrorStream()))
        {
            for (String line = lines.readLine(); null != line; line = lines.readLine())
            {
                remark(line);
            }
        }
        catch (final IOException ex)
        {
            // The process was killed while it spoke.
            lastRemark = ex.toString();
        }
    }

    private void put(final Heard one)
    {
        heard.add(one);
        LockSupport.unpark(taker);
    }

    private void remark(final String line)
    {
        lastRemark = line;
        remarks.accept(line);
    }

    private static BufferedReader reader(final InputStream in)
    {
        return new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
    }
}
