package io.clusterecho.control.remote;

import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.control.member.Asked;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.control.member.Deadline;
import io.clusterecho.platform.BuildFacts;
import io.clusterecho.platform.ClockOffset;
import io.clusterecho.platform.WaitClock;
import io.clusterecho.process.Launch;
import io.clusterecho.settings.InvalidSettingException;

import org.agrona.LangUtil;

/**
 * Access to the agent on one host over ssh. A connection is opened with the same build at both ends, or not at all, when first
 * needed, and again after it has ended, because the agent keeps no state that matters between connections. There is one link per
 * host in this process, shared by all clusters. Thread-safe; connections are opened and requests written on separate threads.
 */
final class HostLink
{
    /** Time for ssh to connect, a JVM to start there, and its first answer. */
    static final long CONNECT_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(30);
    /** For requests that only read files. */
    static final long SHORT_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(10);
    /** After a host did not answer, requests that do not wait fail at once for this time. */
    static final long SILENCE_NS = TimeUnit.SECONDS.toNanos(5);
    /** For a process that lives for minutes, does little, and shares its cores with a member. */
    private static final String AGENT_OPTIONS = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:-UsePerfData -Xmx128m";
    private static final int PINGS = 8;
    private static final Map<InventoryHost, HostLink> LINKS = new ConcurrentHashMap<>();

    private final InventoryHost host;
    private final Launch.Starter starter;
    private final WaitClock clock;
    /** The last connection, or the attempt to open it; null before the first. */
    private CompletableFuture<CallLink> latest;
    private volatile Silence silence;

    /** The host did not answer or could not be reached; the reason may also be an error of this JVM. */
    private record Silence(long sinceNs, Throwable reason)
    {
    }

    HostLink(final InventoryHost host, final Launch.Starter starter, final WaitClock clock)
    {
        this.host = host;
        this.starter = starter;
        this.clock = clock;
    }

    static HostLink to(final InventoryHost host)
    {
        return LINKS.computeIfAbsent(host, (key) -> new HostLink(key, ProcessBuilder::start, WaitClock.SYSTEM));
    }

    InventoryHost host()
    {
        return host;
    }

    Launch.Starter starter()
    {
        return starter;
    }

    /** Calls to what the agent has at an address, a part of each request, as methods of an interface. */
    <T> T as(final Class<T> type, final ObjectNode address)
    {
        return type.cast(Proxy.newProxyInstance(
            type.getClassLoader(), new Class<?>[]{ type }, (self, method, arguments) -> call(address, method, arguments)));
    }

    /** Call an {@link Asked} method, and wait as long as that says, or longer for a {@link Deadline} among the arguments. */
    Object call(final ObjectNode address, final Method method, final Object... arguments)
    {
        final Asked asked = method.getAnnotation(Asked.class);
        long timeoutNs = TimeUnit.SECONDS.toNanos(asked.seconds());
        for (int i = 0; null != arguments && i < arguments.length; i++)
        {
            timeoutNs += arguments[i] instanceof final Deadline deadline ? deadline.remainingNs() : 0;
        }
        final ObjectNode request = CallProtocol.put(address.deepCopy(), method, arguments);
        final JsonNode answer = asked.isAtOnce() ? askAtOnce(request, timeoutNs) : ask(request, timeoutNs);
        try
        {
            return CallProtocol.value(method, answer);
        }
        catch (final IllegalArgumentException ex)
        {
            throw host.failure("invalid answer to '" + method.getName() + "': " + ex.getMessage());
        }
    }

    /**
     * Send a request and wait for the answer, opening a connection first if needed: up to {@link #CONNECT_TIMEOUT_NS} more.
     * Restores an interrupt afterwards.
     *
     * @throws ControlFailure            if the host does not answer, or the request failed there.
     * @throws InvalidSettingException if the host rejected an option or a setting, or has another build.
     */
    JsonNode ask(final ObjectNode request, final long timeoutNs)
    {
        return ask(result(connection()), request, timeoutNs);
    }

    /** As {@link #ask}, within a time that includes connecting; after a silence, fails at once for {@link #SILENCE_NS}. */
    JsonNode askAtOnce(final ObjectNode request, final long timeoutNs)
    {
        final long deadlineNs = clock.nanoTime() + timeoutNs;
        final Silence present = silence;
        if (null != present && clock.nanoTime() - present.sinceNs() < SILENCE_NS && !hasAnsweredSince(present.sinceNs()))
        {
            LangUtil.rethrowUnchecked(present.reason());
        }
        final CompletableFuture<CallLink> attempt = connection();
        if (!clock.await(attempt, deadlineNs))
        {
            throw silent("no connection within " + TimeUnit.NANOSECONDS.toMillis(timeoutNs) + " ms");
        }

        return ask(result(attempt), request, deadlineNs - clock.nanoTime());
    }

    private synchronized boolean hasAnsweredSince(final long timeNs)
    {
        return isConnected() && latest.join().heardNs() - timeNs >= 0;
    }

    private ControlFailure silent(final String what)
    {
        final ControlFailure failure = host.failure(what);
        silence = new Silence(clock.nanoTime(), failure);
        return failure;
    }

    ClockOffset clockOffset()
    {
        ClockOffset best = null;
        for (int i = 0; i < PINGS; i++)
        {
            final CallLink connection = result(connection());
            best = await(connection::exchangeClocks, Calls.PING, SHORT_TIMEOUT_NS).orBetter(best);
        }

        return best;
    }

    private JsonNode ask(final CallLink connection, final ObjectNode request, final long timeoutNs)
    {
        return await(() -> connection.send(request), request.path(CallProtocol.METHOD).asText(), timeoutNs);
    }

    private <T> T await(final Supplier<CompletableFuture<T>> call, final String what, final long timeoutNs)
    {
        // Counted from before the call, which other threads make.
        final long deadlineNs = clock.nanoTime() + timeoutNs;
        final CompletableFuture<T> answer = call.get();
        if (!clock.await(answer, deadlineNs))
        {
            // Before the request is cancelled, because any later answer ends the silence.
            final ControlFailure failure =
                silent("no answer to '" + what + "' within " + TimeUnit.NANOSECONDS.toMillis(timeoutNs) + " ms");
            if (answer.cancel(false))
            {
                throw failure;
            }
            silence = null;
        }

        try
        {
            return answer.join();
        }
        catch (final CompletionException ex)
        {
            final String error = ex.getCause().getMessage();
            throw ex.getCause() instanceof final ControlFailure refused && ControlFailure.UNUSABLE == refused.exitCode() ?
                new InvalidSettingException("host " + host.name() + ": " + error) : host.failure(error);
        }
    }

    /** The connection, or the attempt to open one, which is started if there is neither. */
    synchronized CompletableFuture<CallLink> connection()
    {
        if (null == latest || latest.isDone() && !isConnected())
        {
            final CompletableFuture<CallLink> ended = latest;
            latest = CompletableFuture.supplyAsync(
                () -> open(ended), (task) -> daemon("connect-" + host.name(), task).start());
        }

        return latest;
    }

    private static Thread daemon(final String name, final Runnable task)
    {
        final Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    private boolean isConnected()
    {
        return null != latest && latest.isDone() && !latest.isCompletedExceptionally() && latest.join().isOpen();
    }

    private CallLink open(final CompletableFuture<CallLink> ended)
    {
        CallLink connection = null;
        try
        {
            if (null != ended && !ended.isCompletedExceptionally())
            {
                // Its process has ended, but a process that keeps its output open may block its threads.
                ended.join().abandon();
            }
            // Pinned to the host's cores, and so are the members that it starts.
            connection = new CallLink(
                new Launch(
                    "the connection", host.overSsh("exec " + host.javaCommand(AGENT_OPTIONS, "cluster-node.jar", "agent")))
                    .pipedInput().pipedOutput().errors((line) -> {}).start(starter),
                "host-" + host.name() + "-answers",
                Executors.newSingleThreadExecutor((task) -> daemon("host-" + host.name() + "-requests", task)),
                (line) -> {}, clock);
            final ObjectNode hello = CallProtocol.MAPPER.createObjectNode().put(CallProtocol.METHOD, "hello");
            checkBuild(ask(connection, hello, CONNECT_TIMEOUT_NS).path("versions"));
            return connection;
        }
        catch (final RuntimeException | Error ex)
        {
            if (null != connection)
            {
                connection.abandon();
            }
            final Throwable reason = ex instanceof final UncheckedIOException notRun ?
                host.failure("cannot run ssh: " + notRun.getCause().getMessage()) : ex;
            silence = new Silence(clock.nanoTime(), reason);
            LangUtil.rethrowUnchecked(reason);
            throw ex;
        }
    }

    private void checkBuild(final JsonNode versions)
    {
        final Map<String, String> own = BuildFacts.versions();
        for (final String name : new String[]{ "cluster-echo", "commit", "aeron" })
        {
            InvalidSettingException.throwIf(
                !own.get(name).equals(versions.path(name).asText()), "folder", host.name() + ":" + host.folder(),
                "a distribution of the same build as here (" + name + " " + own.get(name) + "); there: " +
                versions.path(name).asText("unknown"));
        }
    }

    private static CallLink result(final CompletableFuture<CallLink> attempt)
    {
        try
        {
            return attempt.join();
        }
        catch (final CompletionException ex)
        {
            LangUtil.rethrowUnchecked(ex.getCause());
            throw ex;
        }
    }
}
