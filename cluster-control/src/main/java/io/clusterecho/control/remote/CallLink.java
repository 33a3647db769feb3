package io.clusterecho.control.remote;

import java.io.IOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.platform.WaitClock;
import io.clusterecho.process.ChildProcess;
import io.clusterecho.process.JsonLines;

/** Calls to a process over its standard input and output. It ends with the output, and stays ended. Thread-safe. */
public final class CallLink extends Calls
{
    private final ChildProcess process;
    private final JsonLines lines;
    private final ExecutorService writer;
    private final Consumer<String> remarks;

    /**
     * @param process that has pipes to its input and from its output.
     * @param name    of the reading thread.
     * @param writer  writes requests, and is shut down at the end; or null: the calling thread writes.
     * @param remarks receives each line of output that is not part of the protocol.
     */
    public CallLink(
        final ChildProcess process,
        final String name,
        final ExecutorService writer,
        final Consumer<String> remarks,
        final WaitClock clock)
    {
        super(clock);
        this.process = process;
        this.writer = writer;
        this.remarks = remarks;
        lines = new JsonLines(process.output(), process.input());
        final Thread reader = new Thread(this::read, name);
        reader.setDaemon(true);
        reader.start();
    }

    /** Whether calls can be made; false for ever once it has ended. */
    boolean isOpen()
    {
        return null == endReason() && process.isAlive();
    }

    @Override
    public void requestEnd()
    {
        process.requestEnd();
    }

    @Override
    public void close()
    {
        process.close();
    }

    /** Kill the process without waiting, and fail the pending calls. */
    void abandon()
    {
        end("the connection ended" + process.lastWords());
    }

    @Override
    protected void write(final ObjectNode request, final Future<?> answer)
    {
        if (null == writer)
        {
            writeNow(request, answer);
            return;
        }
        try
        {
            writer.execute(() -> writeNow(request, answer));
        }
        catch (final RejectedExecutionException ex)
        {
            // Its end fails the call.
            return;
        }
    }

    private void writeNow(final ObjectNode request, final Future<?> answer)
    {
        // A cancelled request must not be executed later.
        if (!answer.isDone())
        {
            try
            {
                lines.send(request);
            }
            catch (final IOException ex)
            {
                process.keep(ex.toString());
                if (!process.isAlive())
                {
                    end(fate());
                }
            }
        }
    }

    private void read()
    {
        try
        {
            for (JsonLines.Received line = lines.receive(); null != line; line = lines.receive())
            {
                if (null != line.message() && line.message().has(Calls.ID))
                {
                    onMessage(line.message());
                }
                else if (null == line.message() && line.text().startsWith("{"))
                {
                    end("its answer is not JSON: " + line.text());
                }
                else
                {
                    // Output of a login shell or of a JVM.
                    process.keep(line.text());
                    remarks.accept(line.text());
                }
            }
        }
        catch (final IOException ex)
        {
            process.keep(ex.toString());
        }
        finally
        {
            end(fate());
        }
    }

    private String fate()
    {
        final String end = process.describeEnd();
        return process.isAlive() ? "it closed its output" + process.lastWords() : end;
    }

    @Override
    protected void end(final String reason)
    {
        process.abandon();
        if (null != writer)
        {
            writer.shutdown();
        }
        super.end(reason);
    }
}
