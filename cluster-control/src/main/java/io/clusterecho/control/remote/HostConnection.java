package io.clusterecho.control.remote;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.platform.BuildFacts;
import io.clusterecho.platform.WaitClock;
import io.clusterecho.process.ChildProcess;
import io.clusterecho.process.JsonLines;
import io.clusterecho.process.Launch;
import io.clusterecho.settings.InvalidSettingException;

/**
 * One connection to the agent on a host: the ssh process, the threads that write to it and read from it, and the pending
 * requests. It opens with the same build at both ends, or not at all, and stays closed once it has ended. Thread-safe; callers
 * do not block on writing a request.
 */
final class HostConnection implements AutoCloseable
{
    /** Time for ssh to connect, a JVM to start there, and its first answer. */
    static final long CONNECT_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(30);
    /** For a process that lives for minutes, does little, and shares its cores with a member. */
    private static final String AGENT_OPTIONS = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:-UsePerfData -Xmx128m";
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final Map<Long, CompletableFuture<JsonNode>> pending = new ConcurrentHashMap<>();
    private final ExecutorService writer;
    private final InventoryHost host;
    private final ChildProcess process;
    private final JsonLines lines;
    private final WaitClock clock;
    private long lastId;
    private String endReason;
    private volatile Silence silence;

    private HostConnection(final InventoryHost host, final ChildProcess process, final WaitClock clock)
    {
        this.host = host;
        this.process = process;
        this.clock = clock;
        lines = new JsonLines(process.output(), process.input());
        writer = Executors.newSingleThreadExecutor((task) -> daemon("host-" + host.name() + "-requests", task));
        daemon("host-" + host.name() + "-answers", this::readAnswers).start();
    }

    /**
     * Connect to a host; takes up to {@link #CONNECT_TIMEOUT_NS}.
     *
     * @return a connection that has answered once.
     * @throws ControlFailure            if the host does not answer.
     * @throws InvalidSettingException if the distribution there is of another build.
     */
    static HostConnection open(final InventoryHost host, final Launch.Starter starter, final WaitClock clock)
    {
        final ChildProcess process;
        try
        {
            // Pinned to the host's cores, and so are the members that it starts.
            process = new Launch(
                "the connection", host.overSsh("exec " + host.javaCommand(AGENT_OPTIONS, "cluster-node.jar", "agent")))
                .pipedInput().pipedOutput().errors((line) -> {}).start(starter);
        }
        catch (final UncheckedIOException ex)
        {
            throw host.failure("cannot run ssh: " + ex.getCause().getMessage());
        }

        final HostConnection connection = new HostConnection(host, process, clock);
        try
        {
            connection.checkBuild();
            return connection;
        }
        catch (final RuntimeException | Error ex)
        {
            connection.close();
            throw ex;
        }
    }

    static Thread daemon(final String name, final Runnable task)
    {
        final Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    private void checkBuild()
    {
        final JsonNode versions = ask(MAPPER.createObjectNode().put("do", "hello"), CONNECT_TIMEOUT_NS).path("versions");
        final Map<String, String> own = BuildFacts.versions();
        for (final String name : new String[]{ "cluster-echo", "commit", "aeron" })
        {
            if (!own.get(name).equals(versions.path(name).asText()))
            {
                throw new InvalidSettingException(
                    "folder", host.name() + ":" + host.folder(), "a distribution of the same build as here (" + name + " " +
                    own.get(name) + "); there: " + versions.path(name).asText("unknown"));
            }
        }
    }

    /** Whether it accepts requests; false for ever once it has ended. */
    synchronized boolean isOpen()
    {
        return null == endReason && process.isAlive();
    }

    /** Since when the host has not answered a request, or null if it has answered since. */
    Silence silence()
    {
        return silence;
    }

    /**
     * Send a request and wait for the answer; restores an interrupt afterwards.
     *
     * @param timeoutNs maximum wait.
     * @throws ControlFailure            if the host does not answer, or the request failed there.
     * @throws InvalidSettingException if the host rejected an option or a setting.
     */
    JsonNode ask(final ObjectNode request, final long timeoutNs)
    {
        final long deadlineNs = clock.nanoTime() + timeoutNs;
        final CompletableFuture<JsonNode> answer = send(request);
        if (!clock.await(answer, deadlineNs))
        {
            final ControlFailure failure = host.failure("no answer to '" + request.path("do").asText() + "' within " +
                TimeUnit.NANOSECONDS.toMillis(timeoutNs) + " ms");
            // Set before the request is cancelled, because any later answer ends the silence.
            silence = new Silence(clock.nanoTime(), failure);
            if (answer.cancel(false))
            {
                throw failure;
            }
            silence = null;
        }

        return result(answer);
    }

    private JsonNode result(final CompletableFuture<JsonNode> answer)
    {
        final JsonNode node;
        try
        {
            node = answer.join();
        }
        catch (final CompletionException ex)
        {
            throw host.failure(ex.getCause().getMessage());
        }

        if (node.has("answer"))
        {
            return node.get("answer");
        }
        final String error = node.path("error").asText("the agent sent neither an answer nor an error");
        if (ControlFailure.UNUSABLE == node.path("exitCode").asInt())
        {
            throw new InvalidSettingException("host " + host.name() + ": " + error);
        }

        throw host.failure(error);
    }

    private synchronized CompletableFuture<JsonNode> send(final ObjectNode request)
    {
        final CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        if (null != endReason)
        {
            answer.completeExceptionally(new IOException(endReason));
            return answer;
        }

        final long id = ++lastId;
        pending.put(id, answer);
        answer.whenComplete((node, failure) -> pending.remove(id));
        final ObjectNode message = request.deepCopy().put("id", id);
        writer.execute(() -> write(message, answer));
        return answer;
    }

    private void write(final ObjectNode message, final CompletableFuture<JsonNode> answer)
    {
        // A cancelled request must not be executed later.
        if (!answer.isDone())
        {
            try
            {
                lines.send(message);
            }
            catch (final IOException ex)
            {
                end();
            }
        }
    }

    private void readAnswers()
    {
        try
        {
            for (JsonLines.Received line = lines.receive(); null != line; line = lines.receive())
            {
                if (null != line.message())
                {
                    onAnswer(line.message());
                }
                else if (line.text().startsWith("{"))
                {
                    end("its answer is not JSON: " + line.text());
                }
                // Otherwise it is output of the login shell.
            }
        }
        catch (final IOException ex)
        {
            process.keep(ex.toString());
        }
        finally
        {
            end();
        }
    }

    private void onAnswer(final JsonNode node)
    {
        final CompletableFuture<JsonNode> answer = pending.get(node.path("id").asLong());
        silence = null;
        if (null != answer)
        {
            answer.complete(node);
        }
    }

    /** End it with the output of ssh as the reason. */
    private void end()
    {
        end(process.describeEnd());
    }

    private void end(final String reason)
    {
        synchronized (this)
        {
            if (null != endReason)
            {
                return;
            }
            endReason = reason;
        }

        process.abandon();
        writer.shutdown();
        pending.values().forEach((answer) -> answer.completeExceptionally(new IOException(reason)));
    }

    /** End the process and fail the pending requests. */
    @Override
    public void close()
    {
        end("the connection ended" + process.lastWords());
    }
}
