package io.clusterecho.node.remote;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.node.local.LocalFailure;
import io.clusterecho.platform.BuildFacts;
import io.clusterecho.platform.TerminalSignals;
import io.clusterecho.settings.InvalidSettingException;

/**
 * The connection to the agent on one host, made when it is first needed, and again when it has broken: the agent there keeps
 * nothing that matters beyond one. There is one for each host in this process, whatever number of clusters it is used for.
 * Any thread may ask.
 */
final class HostLink
{
    /** For what takes no longer than a look at files. */
    static final long SHORT_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(10);
    /** For samples: one that comes late is worth less than the next. */
    static final long SAMPLE_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(1);
    /** For what decides whether a host is there. */
    static final long SILENCE_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(5);
    private static final long CONNECT_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(30);
    private static final long SILENCE_NS = TimeUnit.SECONDS.toNanos(5);
    private static final int ERROR_LINES = 5;
    private static final int PINGS = 8;
    /** Lives for minutes, does little, and shares its cores with a member. */
    private static final String AGENT_OPTIONS = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:-UsePerfData -Xmx128m";
    private static final Map<InventoryHost, HostLink> LINKS = new ConcurrentHashMap<>();

    /** What a record derives from its components is written too, and passed over here. */
    private final ObjectMapper mapper =
        new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);
    private final Map<Long, CompletableFuture<JsonNode>> pending = new ConcurrentHashMap<>();
    private final Deque<String> errorLines = new ArrayDeque<>();
    private final InventoryHost host;
    private Process process;
    private OutputStream out;
    private long lastId;
    /** Since when a request has been overdue, 0 for none: nothing came since. */
    private volatile long silentSinceNs;

    private HostLink(final InventoryHost host)
    {
        this.host = host;
    }

    static HostLink to(final InventoryHost host)
    {
        return LINKS.computeIfAbsent(host, HostLink::new);
    }

    InventoryHost host()
    {
        return host;
    }

    ObjectNode newRequest(final String what)
    {
        return mapper.createObjectNode().put("do", what);
    }

    ObjectMapper mapper()
    {
        return mapper;
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
        connect();
        return exchange(request, timeoutNs);
    }

    /**
     * Have the agent tell something that is worth little when it comes late. Where the host has just been silent, it is not
     * waited for again.
     *
     * @param request   to send.
     * @param timeoutNs to wait at most.
     * @return its answer.
     * @throws LocalFailure if the host does not answer at once.
     */
    JsonNode askAtOnce(final ObjectNode request, final long timeoutNs)
    {
        final long sinceNs = silentSinceNs;
        if (0 != sinceNs && System.nanoTime() - sinceNs < SILENCE_NS)
        {
            throw failure("does not answer");
        }

        return ask(request, timeoutNs);
    }

    /**
     * What to add to a time of {@link System#nanoTime()} on that host to have one of this machine, as the quickest of some
     * exchanges tells it now.
     *
     * @return the offset in ns, and how far off it may be.
     */
    ClockOffset clockOffset()
    {
        ClockOffset best = null;
        for (int i = 0; i < PINGS; i++)
        {
            final long sentNs = System.nanoTime();
            final long thereNs = ask(newRequest("ping"), SHORT_TIMEOUT_NS).path("nowNs").asLong();
            final ClockOffset offset = ClockOffset.of(sentNs, thereNs, System.nanoTime());
            best = null == best || offset.errorNs() < best.errorNs() ? offset : best;
        }

        return best;
    }

    LocalFailure failure(final String reason)
    {
        return new LocalFailure(
            LocalFailure.NOT_READY, "host " + host.name() + " (ssh " + host.target() + "): " + reason);
    }

    private synchronized void connect()
    {
        if (null != process && process.isAlive())
        {
            return;
        }

        final List<String> command = new ArrayList<>();
        // On the host's cores, as are the members that it starts.
        command.addAll(host.overSsh("exec " + host.javaCommand(AGENT_OPTIONS, "cluster-node.jar", "agent")));
        errorLines.clear();
        try
        {
            // Ctrl-C in this terminal must not cut this process off from the members that it then has to stop.
            process = new ProcessBuilder(TerminalSignals.ignoredBy(command)).start();
        }
        catch (final IOException ex)
        {
            throw failure("cannot be run: " + ex.getMessage());
        }
        out = process.getOutputStream();
        final Process present = process;
        daemon("host-" + host.name(), () -> readAnswers(present));
        daemon("host-errors-" + host.name(), () -> readErrors(present));
        final JsonNode versions = exchange(newRequest("hello"), CONNECT_TIMEOUT_NS).path("versions");
        final Map<String, String> own = BuildFacts.versions();
        for (final String name : new String[]{ "cluster-echo", "commit", "aeron" })
        {
            if (!own.get(name).equals(versions.path(name).asText()))
            {
                end();
                throw new InvalidSettingException(
                    "folder", host.name() + ":" + host.folder(), "a distribution of the same build as here (" + name + " " +
                    own.get(name) + "), and there it is " + versions.path(name).asText());
            }
        }
    }

    private static void daemon(final String name, final Runnable task)
    {
        final Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }

    private void end()
    {
        process.destroy();
        process = null;
    }

    private JsonNode exchange(final ObjectNode request, final long timeoutNs)
    {
        final CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        final long id = send(request, answer);
        final JsonNode node;
        try
        {
            node = await(answer, timeoutNs);
        }
        catch (final TimeoutException ex)
        {
            silentSinceNs = System.nanoTime();
            throw failure("no answer to '" + request.path("do").asText() + "' within " +
                TimeUnit.NANOSECONDS.toMillis(timeoutNs) + " ms");
        }
        catch (final ExecutionException ex)
        {
            throw failure(ex.getCause().getMessage());
        }
        finally
        {
            pending.remove(id);
        }

        final String error = node.path("error").asText();
        if (error.isEmpty())
        {
            return node.path("answer");
        }
        if (LocalFailure.UNUSABLE == node.path("exitCode").asInt())
        {
            throw new InvalidSettingException("host " + host.name() + ": " + error);
        }

        throw failure(error);
    }

    private synchronized long send(final ObjectNode request, final CompletableFuture<JsonNode> answer)
    {
        final long id = ++lastId;
        pending.put(id, answer);
        try
        {
            out.write((request.put("id", id) + "\n").getBytes(StandardCharsets.UTF_8));
            out.flush();
        }
        catch (final IOException ex)
        {
            answer.completeExceptionally(new IOException(reason()));
        }
        if (!process.isAlive())
        {
            answer.completeExceptionally(new IOException(reason()));
        }

        return id;
    }

    private static JsonNode await(final CompletableFuture<JsonNode> answer, final long timeoutNs)
        throws ExecutionException, TimeoutException
    {
        final long deadlineNs = System.nanoTime() + timeoutNs;
        boolean isInterrupted = false;
        try
        {
            while (true)
            {
                try
                {
                    return answer.get(Math.max(0, deadlineNs - System.nanoTime()), TimeUnit.NANOSECONDS);
                }
                catch (final InterruptedException ex)
                {
                    isInterrupted = true;
                }
            }
        }
        finally
        {
            if (isInterrupted)
            {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void readAnswers(final Process present)
    {
        try (BufferedReader reader =
            new BufferedReader(new InputStreamReader(present.getInputStream(), StandardCharsets.UTF_8)))
        {
            for (String line = reader.readLine(); null != line; line = reader.readLine())
            {
                if (line.startsWith("{"))
                {
                    silentSinceNs = 0;
                    final JsonNode node = mapper.readTree(line);
                    final CompletableFuture<JsonNode> answer = pending.get(node.path("id").asLong());
                    if (null != answer)
                    {
                        answer.complete(node);
                    }
                }
            }
            // What ssh has to say about its end comes with it.
            present.waitFor(1, TimeUnit.SECONDS);
        }
        catch (final IOException ex)
        {
            present.destroy();
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
        finally
        {
            final String reason = reason();
            pending.values().forEach((answer) -> answer.completeExceptionally(new IOException(reason)));
        }
    }

    private void readErrors(final Process present)
    {
        try (BufferedReader reader =
            new BufferedReader(new InputStreamReader(present.getErrorStream(), StandardCharsets.UTF_8)))
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
        }
        catch (final IOException ex)
        {
            // The process has ended; what it said so far is kept.
            present.destroy();
        }
    }

    private String reason()
    {
        synchronized (errorLines)
        {
            return errorLines.isEmpty() ? "the connection ended" : String.join("; ", errorLines);
        }
    }
}
