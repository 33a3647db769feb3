package io.clusterecho.control.remote;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.control.member.LocalFailure;
import io.clusterecho.platform.BuildFacts;
import io.clusterecho.platform.TerminalSignals;
import io.clusterecho.settings.InvalidSettingException;

/**
 * One connection to the agent on a host: the ssh process, the threads that write to it and read from it, and the requests
 * that it has not answered yet. It is made whole, with the same build at both ends, or not at all; once it has ended it
 * stays so. Any thread may ask, and none waits for the process to take a request.
 */
final class HostConnection implements AutoCloseable
{
    /** For ssh to connect, a JVM to start there, and its first answer. */
    static final long CONNECT_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(30);
    /** For what ssh writes when it ends. */
    private static final long ERRORS_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(1);
    private static final int ERROR_LINES = 5;
    /** Lives for minutes, does little, and shares its cores with a member. */
    private static final String AGENT_OPTIONS = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:-UsePerfData -Xmx128m";
    private static final ObjectMapper MAPPER = new ObjectMapper();
    /** Behind the last request. */
    private static final Request END = new Request(new byte[0], null);

    private final Map<Long, CompletableFuture<JsonNode>> pending = new ConcurrentHashMap<>();
    private final BlockingQueue<Request> unsent = new LinkedBlockingQueue<>();
    private final Deque<String> errorLines = new ArrayDeque<>();
    private final CompletableFuture<Void> errorsEnd = new CompletableFuture<>();
    private final InventoryHost host;
    private final Process process;
    private final LinkClock clock;
    private long lastId;
    private String endReason;
    private volatile Silence silence;

    private HostConnection(final InventoryHost host, final Process process, final LinkClock clock)
    {
        this.host = host;
        this.process = process;
        this.clock = clock;
    }

    /**
     * Connect to a host; takes up to {@link #CONNECT_TIMEOUT_NS}.
     *
     * @param host      to connect to.
     * @param processes that starts ssh.
     * @param clock     of all timeouts.
     * @return a connection that has answered once.
     * @throws LocalFailure            if the host does not answer.
     * @throws InvalidSettingException if the distribution there is of another build.
     */
    static HostConnection open(final InventoryHost host, final ProcessFactory processes, final LinkClock clock)
    {
        final Process process;
        try
        {
            // Ctrl-C in this terminal must not cut this process off from the members that it then has to stop. On the host's
            // cores, as are the members that it starts.
            process = processes.start(new ProcessBuilder(TerminalSignals.ignoredBy(
                host.overSsh("exec " + host.javaCommand(AGENT_OPTIONS, "cluster-node.jar", "agent")))));
        }
        catch (final IOException ex)
        {
            throw host.failure("cannot be run: " + ex.getMessage());
        }

        final HostConnection connection = new HostConnection(host, process, clock);
        try
        {
            connection.startThreads();
            connection.checkBuild();
            return connection;
        }
        catch (final RuntimeException | Error ex)
        {
            connection.close();
            throw ex;
        }
    }

    private void startThreads()
    {
        startDaemon("host-" + host.name() + "-errors", this::readErrors);
        startDaemon("host-" + host.name() + "-answers", this::readAnswers);
        startDaemon("host-" + host.name() + "-requests", this::writeRequests);
    }

    static void startDaemon(final String name, final Runnable task)
    {
        final Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
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
                    own.get(name) + "), and there it is " + versions.path(name).asText("unknown"));
            }
        }
    }

    /**
     * Whether it can be asked.
     *
     * @return false for ever once it has ended.
     */
    synchronized boolean isOpen()
    {
        return null == endReason && process.isAlive();
    }

    /**
     * Since when the host has left a request unanswered.
     *
     * @return null if it has answered since.
     */
    Silence silence()
    {
        return silence;
    }

    /**
     * Have the agent do something, and wait until it has; an interrupt is kept for later.
     *
     * @param request   to send.
     * @param timeoutNs to wait at most.
     * @return its answer.
     * @throws LocalFailure            if the host does not answer, or could not do it.
     * @throws InvalidSettingException if it was told something that cannot be used there.
     */
    JsonNode ask(final ObjectNode request, final long timeoutNs)
    {
        final long deadlineNs = clock.nanoTime() + timeoutNs;
        final CompletableFuture<JsonNode> answer = send(request);
        if (!clock.await(answer, deadlineNs))
        {
            final LocalFailure failure = host.failure("no answer to '" + request.path("do").asText() + "' within " +
                TimeUnit.NANOSECONDS.toMillis(timeoutNs) + " ms");
            // Before the request is given up: an answer that comes from now on ends the silence.
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
        if (LocalFailure.UNUSABLE == node.path("exitCode").asInt())
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
        unsent.add(new Request((request.put("id", id) + "\n").getBytes(StandardCharsets.UTF_8), answer));
        return answer;
    }

    private void writeRequests()
    {
        // Not closed here: the process is ended, and its streams with it.
        final OutputStream out = process.getOutputStream();
        try
        {
            for (Request request = unsent.take(); END != request; request = unsent.take())
            {
                // One that nobody waits for any more must not be carried out later.
                if (!request.answer.isDone())
                {
                    out.write(request.line);
                    out.flush();
                }
            }
        }
        catch (final IOException ex)
        {
            end(null);
        }
        catch (final InterruptedException ex)
        {
            end("the connection was interrupted");
        }
    }

    private void readAnswers()
    {
        String reason = null;
        try (BufferedReader reader =
            new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)))
        {
            for (String line = reader.readLine(); null != line; line = reader.readLine())
            {
                // Whatever a login there prints comes first.
                if (line.startsWith("{"))
                {
                    final JsonNode node = MAPPER.readTree(line);
                    final CompletableFuture<JsonNode> answer = pending.get(node.path("id").asLong());
                    silence = null;
                    if (null != answer)
                    {
                        answer.complete(node);
                    }
                }
            }
        }
        catch (final JsonProcessingException ex)
        {
            reason = "its answer is not JSON: " + ex.getOriginalMessage();
        }
        catch (final IOException ex)
        {
            reason = null;
        }
        finally
        {
            end(reason);
        }
    }

    private void readErrors()
    {
        try (BufferedReader reader =
            new BufferedReader(new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8)))
        {
            for (String line = reader.readLine(); null != line; line = reader.readLine())
            {
                synchronized (errorLines)
                {
                    errorLines.add(line);
                    if (errorLines.size() > ERROR_LINES)
                    {
                        errorLines.remove();
                    }
                }
            }
            errorsEnd.complete(null);
        }
        catch (final IOException ex)
        {
            errorsEnd.completeExceptionally(ex);
        }
    }

    /**
     * End it, for a reason or, with null, for what ssh writes when it ends.
     */
    private void end(final String reason)
    {
        if (null == reason)
        {
            clock.await(errorsEnd, clock.nanoTime() + ERRORS_TIMEOUT_NS);
        }
        synchronized (this)
        {
            if (null != endReason)
            {
                return;
            }
            endReason = null == reason ? errors() : reason;
        }

        process.destroy();
        unsent.add(END);
        pending.values().forEach((answer) -> answer.completeExceptionally(new IOException(endReason)));
    }

    private String errors()
    {
        synchronized (errorLines)
        {
            return errorLines.isEmpty() ? "the connection ended" : String.join("; ", errorLines);
        }
    }

    /**
     * End the process and fail the requests that it has not answered.
     */
    @Override
    public void close()
    {
        end(errors());
    }

    private record Request(byte[] line, CompletableFuture<JsonNode> answer)
    {
    }
}
