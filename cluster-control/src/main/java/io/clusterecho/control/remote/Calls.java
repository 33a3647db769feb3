package io.clusterecho.control.remote;

import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.function.Consumer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.platform.ClockOffset;
import io.clusterecho.platform.WaitClock;
import io.clusterecho.settings.IllegalArgument;

/**
 * Calls to another process, which answers them with a {@link CallServer}, in any order:
 * <pre>
 *   caller                                                    server
 *     | {"id":7,"do":"offer","arguments":[...]} -------------&gt; |
 *     | &lt;----------- {"id":7,"do":"interval","arguments":[...]} |  events, for the listener among the arguments
 *     | &lt;--------------------------- {"id":7,"answer":...}      |  or {"id":7,"error":TEXT,"exitCode":N}
 * </pre>
 * A call fails with a {@link ControlFailure} if it failed there, and with an {@link IOException} if the process has ended.
 * Thread-safe.
 */
public abstract class Calls implements AutoCloseable
{
    static final String ID = "id";
    static final String PING = "ping";
    private static final String NANO_TIME = "nanoTime";
    private static final String EPOCH_NS = "epochNs";

    private final Map<Long, Call> pending = new ConcurrentHashMap<>();
    private final WaitClock clock;
    private volatile long heardNs;
    private volatile String endReason;
    private long lastId;

    /** One call; it has no events, for null, without a listener among its arguments. */
    private record Call(CompletableFuture<JsonNode> answer, Consumer<JsonNode> events)
    {
    }

    protected Calls(final WaitClock clock)
    {
        this.clock = clock;
        heardNs = clock.nanoTime();
    }

    /** Send a request, unless its answer is done by then. */
    protected abstract void write(ObjectNode request, Future<?> answer);

    /** Ask the process to end, without waiting. */
    public abstract void requestEnd();

    /** Ask the process to end, unless already done, and kill it if it does not end in time. */
    @Override
    public abstract void close();

    /** The calls as methods of an interface, each of which returns a future. */
    public <T> T as(final Class<T> type)
    {
        return type.cast(Proxy.newProxyInstance(
            type.getClassLoader(), new Class<?>[]{ type }, (self, method, arguments) -> call(method, arguments)));
    }

    private CompletableFuture<Object> call(final Method method, final Object... arguments)
    {
        Consumer<JsonNode> events = null;
        for (int i = 0; i < method.getParameterCount(); i++)
        {
            final Class<?> type = method.getParameterTypes()[i];
            if (CallProtocol.isListener(type))
            {
                final Object listener = arguments[i];
                events = (event) ->
                    CallProtocol.invoke(listener, CallProtocol.method(event, type), event, (nested) -> null);
            }
        }
        return send(CallProtocol.put(CallProtocol.MAPPER.createObjectNode(), method, arguments), events)
            .thenApply((answer) -> CallProtocol.value(method, answer));
    }

    CompletableFuture<JsonNode> send(final ObjectNode request)
    {
        return send(request, null);
    }

    private CompletableFuture<JsonNode> send(final ObjectNode request, final Consumer<JsonNode> events)
    {
        final CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        final long id;
        synchronized (this)
        {
            if (null != endReason)
            {
                answer.completeExceptionally(new IOException(endReason));
                return answer;
            }
            id = ++lastId;
            pending.put(id, new Call(answer, events));
        }
        answer.whenComplete((node, failure) -> pending.remove(id));
        write(request.deepCopy().put(ID, id), answer);
        return answer;
    }

    /** Compare the clocks once, which is as exact as it is fast; see {@link ClockOffset#orBetter}. */
    public CompletableFuture<ClockOffset> exchangeClocks()
    {
        final ObjectNode ping = CallProtocol.MAPPER.createObjectNode().put(CallProtocol.METHOD, PING);
        final long ownEpochNs = clock.epochNs();
        final long sentNs = clock.nanoTime();
        // The reading thread executes this.
        return send(ping).thenApply((there) -> ClockOffset.of(
            sentNs, clock.nanoTime(), timeNs(there, NANO_TIME), ownEpochNs, timeNs(there, EPOCH_NS)));
    }

    private static long timeNs(final JsonNode clocks, final String name)
    {
        IllegalArgument.throwIf(!clocks.path(name).isIntegralNumber(), PING + " without its " + name + ": " + clocks);
        return clocks.path(name).asLong();
    }

    static ObjectNode clocks()
    {
        return CallProtocol.MAPPER.createObjectNode()
            .put(NANO_TIME, System.nanoTime()).put(EPOCH_NS, WaitClock.SYSTEM.epochNs());
    }

    /** Take a message of the other process. One thread, which listeners are called by. */
    protected void onMessage(final JsonNode message)
    {
        heardNs = clock.nanoTime();
        final Call call = pending.get(message.path(ID).asLong());
        if (null == call)
        {
            // Nobody waits for it any more.
            return;
        }
        if (message.has(CallProtocol.METHOD))
        {
            try
            {
                call.events.accept(message);
            }
            catch (final RuntimeException ex)
            {
                final String name = message.path(CallProtocol.METHOD).asText();
                call.answer.completeExceptionally(new IOException(
                    ex instanceof IllegalArgumentException ? "it sent an invalid " + name + ": " + ex.getMessage() :
                    "it sent an unexpected message: " + name, ex));
            }
        }
        else if (message.has("answer"))
        {
            call.answer.complete(message.get("answer"));
        }
        else
        {
            call.answer.completeExceptionally(new ControlFailure(
                message.path("exitCode").asInt(), message.path("error").asText("the agent sent neither an answer nor an error")));
        }
    }

    /** When a message was received last, by the clock of this end; at first, when this was made. */
    public long heardNs()
    {
        return heardNs;
    }

    /** Why no calls can be made any more, or null. */
    public String endReason()
    {
        return endReason;
    }

    /** Fail all calls from now on; the first reason counts. */
    protected void end(final String reason)
    {
        synchronized (this)
        {
            endReason = null == endReason ? reason : endReason;
        }
        pending.values().forEach((call) -> call.answer.completeExceptionally(new IOException(endReason)));
    }
}
