package io.clusterecho.control.remote;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** A simulated process: the test reads its input line by line, and decides its output and its end. */
final class FakeProcess extends Process
{
    private static final int KILLED = 143;

    private final Output stdout = new Output();
    private final Output stderr = new Output();
    private final CompletableFuture<Integer> end = new CompletableFuture<>();
    private final OutputStream stdin;

    FakeProcess(final BiConsumer<FakeProcess, String> onLine)
    {
        this(onLine, (process) -> {});
    }

    FakeProcess(final BiConsumer<FakeProcess, String> onLine, final Consumer<FakeProcess> onInputEnd)
    {
        stdin = new OutputStream()
        {
            private final ByteArrayOutputStream line = new ByteArrayOutputStream();

            @Override
            public void write(final int value) throws IOException
            {
                if (!isAlive())
                {
                    throw new IOException("Broken pipe");
                }
                if ('\n' != value)
                {
                    line.write(value);
                    return;
                }
                final String text = line.toString(StandardCharsets.UTF_8);
                line.reset();
                onLine.accept(FakeProcess.this, text);
            }

            @Override
            public void close()
            {
                onInputEnd.accept(FakeProcess.this);
            }
        };
    }

    /** Write a line to standard output. */
    void say(final String line)
    {
        stdout.write((line + "\n").getBytes(StandardCharsets.UTF_8));
    }

    /** Write a line to standard error. */
    void sayError(final String line)
    {
        stderr.write((line + "\n").getBytes(StandardCharsets.UTF_8));
    }

    /** End, together with the output. */
    void end(final int exitCode)
    {
        endButKeepOutput(exitCode);
        endOutput();
    }

    /** End, while another process keeps its output open. */
    void endButKeepOutput(final int exitCode)
    {
        end.complete(exitCode);
    }

    /** End the output. */
    void endOutput()
    {
        stdout.end();
        stderr.end();
    }

    /** Wait until the thread that reads the output has ended. */
    void awaitReaderEnd() throws InterruptedException
    {
        stdout.reader.join().join();
    }

    @Override
    public OutputStream getOutputStream()
    {
        return stdin;
    }

    @Override
    public InputStream getInputStream()
    {
        return stdout;
    }

    @Override
    public InputStream getErrorStream()
    {
        return stderr;
    }

    @Override
    public int waitFor()
    {
        return end.join();
    }

    @Override
    public boolean waitFor(final long timeout, final TimeUnit unit) throws InterruptedException
    {
        if (Thread.interrupted())
        {
            throw new InterruptedException();
        }

        return end.isDone();
    }

    @Override
    public boolean isAlive()
    {
        return !end.isDone();
    }

    @Override
    public int exitValue()
    {
        if (isAlive())
        {
            throw new IllegalThreadStateException("it runs");
        }

        return end.join();
    }

    @Override
    public void destroy()
    {
        end(KILLED);
    }

    private static final class Output extends InputStream
    {
        private static final byte[] END = {};

        private final BlockingQueue<byte[]> parts = new LinkedBlockingQueue<>();
        private final CompletableFuture<Thread> reader = new CompletableFuture<>();
        private byte[] part = new byte[1];
        private int position = 1;

        private void write(final byte[] bytes)
        {
            parts.add(bytes);
        }

        private void end()
        {
            parts.add(END);
        }

        @Override
        public int read() throws IOException
        {
            final byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(final byte[] bytes, final int offset, final int length) throws IOException
        {
            reader.complete(Thread.currentThread());
            if (position == part.length)
            {
                try
                {
                    part = END == part ? END : parts.take();
                }
                catch (final InterruptedException ex)
                {
                    throw new IOException(ex);
                }
                position = 0;
            }
            if (END == part)
            {
                position = 0;
                return -1;
            }

            final int count = Math.min(length, part.length - position);
            System.arraycopy(part, position, bytes, offset, count);
            position += count;
            return count;
        }
    }
}
