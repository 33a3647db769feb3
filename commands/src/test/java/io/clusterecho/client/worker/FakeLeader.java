package io.clusterecho.client.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.BiFunction;
import java.util.function.Function;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.clusterecho.client.load.LoadPlan;
import io.clusterecho.client.run.RunConfig;
import io.clusterecho.client.run.Target;
import io.clusterecho.client.transport.Sessions;
import io.clusterecho.process.JsonLines;

/**
 * The streams of a {@link WorkerService}, seen from their other end, and the thread that serves. What it hears has a kind: the
 * name of an event, or hello, pong, done and failed for answers; those to calls that only start or end a run are passed over.
 */
final class FakeLeader
{
    private static final String FAILED = "failed";
    private static final Map<String, String> KINDS = Map.of("hello", "hello", "ping", "pong", "offer", "done");

    private final Input input = new Input();
    private final BlockingQueue<JsonNode> said = new LinkedBlockingQueue<>();
    private final CountDownLatch orphaned = new CountDownLatch(1);
    private final Map<Long, String> calls = new ConcurrentHashMap<>();
    private final Thread thread;
    private volatile WorkerService service;

    FakeLeader(
        final List<String> ownArguments,
        final Function<List<String>, RunConfig> parser,
        final BiFunction<Target, LoadPlan, Sessions> connector)
    {
        final JsonLines lines = new JsonLines(input, new Output());
        thread = new Thread(() ->
        {
            service = new WorkerService(lines, ownArguments, parser, connector, orphaned::countDown);
            service.serve();
        });
        thread.setDaemon(true);
    }

    FakeLeader start()
    {
        thread.start();
        return this;
    }

    WorkerService service()
    {
        return service;
    }

    /** Call a method with arguments as JSON, separated by commas. */
    void call(final String method, final String arguments)
    {
        final long id = calls.size() + 1;
        calls.put(id, method);
        say("{\"id\":" + id + ",\"do\":\"" + method + "\",\"arguments\":[" + arguments + "]}");
    }

    void say(final String line)
    {
        input.add((line + "\n").getBytes(StandardCharsets.UTF_8));
    }

    /** Wait until all output has been read and handled. */
    void awaitRead() throws InterruptedException
    {
        input.awaitEmpty();
    }

    void hangUp()
    {
        input.end();
    }

    /**
     * Hang up, and wait until nothing is served any more.
     *
     * @return the rest of its output.
     */
    List<String> awaitEnd() throws InterruptedException
    {
        hangUp();
        thread.join();
        final List<JsonNode> rest = new ArrayList<>();
        said.drainTo(rest);
        return rest.stream().map(this::kind).toList();
    }

    /** Wait until the service has seen to it that its process ends. */
    void awaitOrphaned() throws InterruptedException
    {
        orphaned.await();
    }

    /** The content of the next message, which must be of a kind; of a failure, all of it. */
    JsonNode hear(final String kind) throws InterruptedException
    {
        return content(said.take(), kind);
    }

    /** The next message that is not an interval. */
    JsonNode hearBehindIntervals(final String kind) throws InterruptedException
    {
        JsonNode message = said.take();
        while ("interval".equals(kind(message)))
        {
            message = said.take();
        }
        return content(message, kind);
    }

    private JsonNode content(final JsonNode message, final String kind)
    {
        assertThat(kind(message)).as(message.toString()).isEqualTo(kind);
        return message.has("do") ? message.at("/arguments/0") : message.path("answer").isMissingNode() ? message :
            message.get("answer");
    }

    private String kind(final JsonNode message)
    {
        return message.has("do") ? message.get("do").asText() : message.has("error") ? FAILED :
            KINDS.getOrDefault(calls.getOrDefault(message.path("id").asLong(), ""), "");
    }

    private static final class Input extends InputStream
    {
        private byte[] bytes = new byte[0];
        private boolean hasEnded;
        private boolean isWaiting;

        synchronized void add(final byte[] more)
        {
            final byte[] all = Arrays.copyOf(bytes, bytes.length + more.length);
            System.arraycopy(more, 0, all, bytes.length, more.length);
            bytes = all;
            isWaiting = false;
            notifyAll();
        }

        synchronized void end()
        {
            hasEnded = true;
            notifyAll();
        }

        synchronized void awaitEmpty() throws InterruptedException
        {
            while (!isWaiting)
            {
                wait();
            }
        }

        @Override
        public int read()
        {
            throw new AssertionError("bytes are read in arrays");
        }

        @Override
        public synchronized int read(final byte[] target, final int offset, final int length)
        {
            while (0 == bytes.length && !hasEnded)
            {
                isWaiting = true;
                notifyAll();
                try
                {
                    wait();
                }
                catch (final InterruptedException ex)
                {
                    throw new AssertionError(ex);
                }
            }
            if (0 == bytes.length)
            {
                return -1;
            }

            final int count = Math.min(length, bytes.length);
            System.arraycopy(bytes, 0, target, offset, count);
            bytes = Arrays.copyOfRange(bytes, count, bytes.length);
            return count;
        }
    }

    private static JsonNode parse(final String line)
    {
        try
        {
            return new ObjectMapper().readTree(line);
        }
        catch (final JsonProcessingException ex)
        {
            throw new AssertionError(line, ex);
        }
    }

    private final class Output extends ByteArrayOutputStream
    {
        @Override
        public synchronized void flush()
        {
            final String text = toString(StandardCharsets.UTF_8);
            final int end = text.lastIndexOf('\n') + 1;
            if (end > 0)
            {
                reset();
                writeBytes(text.substring(end).getBytes(StandardCharsets.UTF_8));
                text.substring(0, end).lines().map(FakeLeader::parse).filter((message) -> !kind(message).isEmpty())
                    .forEach(said::add);
            }
        }
    }
}
