package io.clusterecho.client.worker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.process.ChildProcess;
import io.clusterecho.process.JsonLines;
import io.clusterecho.process.Launch;

/** A link to a worker process over its standard input and output. */
final class ProcessLink implements WorkerLink
{
    private static final long STOP_TIMEOUT_NS = 3_000_000_000L;

    private final ChildProcess process;
    private final JsonLines lines;
    private final Queue<Heard> heard = new ConcurrentLinkedQueue<>();
    private final Thread taker;
    private final Consumer<String> remarks;

    /**
     * Start the process.
     *
     * @param remarks receives each line of output that is not part of the protocol.
     * @throws UncheckedIOException if the program does not exist.
     */
    ProcessLink(final String name, final List<String> command, final Consumer<String> remarks)
    {
        this.remarks = remarks;
        taker = Thread.currentThread();
        process = new Launch("its process", command)
            .pipedInput().pipedOutput().errors(remarks).stopTimeoutNs(STOP_TIMEOUT_NS).start();
        lines = new JsonLines(process.output(), process.input());
        final Thread reader = new Thread(this::read, name + "-out");
        reader.setDaemon(true);
        reader.start();
    }

    @Override
    public void send(final ObjectNode message)
    {
        try
        {
            lines.send(message);
        }
        catch (final IOException ex)
        {
            process.keep(ex.toString());
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
        final String end = process.describeEnd();
        return process.isAlive() ? "it closed its output" + process.lastWords() : end;
    }

    @Override
    public void endInput()
    {
        process.requestEnd();
    }

    @Override
    public void close()
    {
        process.close();
    }

    private void read()
    {
        try
        {
            for (JsonLines.Received line = lines.receive(); null != line; line = lines.receive())
            {
                if (null == line.message() || Protocol.kind(line.message()).isEmpty())
                {
                    process.keep(line.text());
                    remarks.accept(line.text());
                }
                else
                {
                    put(new Heard(line.message(), line.timeNs()));
                }
            }
        }
        catch (final IOException ex)
        {
            process.keep(ex.toString());
        }
        finally
        {
            put(new Heard(null, System.nanoTime()));
        }
    }

    private void put(final Heard one)
    {
        heard.add(one);
        LockSupport.unpark(taker);
    }
}
