package io.clusterecho.control.remote;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Function;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.process.JsonLines;
import io.clusterecho.settings.InvalidSettingException;

/**
 * Answers {@link Calls} of the process that started this one, until the input ends or the reader of the answers is gone. One
 * thread serves; answers that come later, and events, may be sent by any thread.
 *
 * @param lines  from and to the caller.
 * @param target executes a request, with a maker of listeners that send events to the caller; a future that it returns is
 *               answered when it is done.
 */
public record CallServer(JsonLines lines, BiFunction<JsonNode, Function<Class<?>, Object>, Object> target)
{
    /** Exit code in the answer to a call that failed by an error of this code. */
    static final int INTERNAL = 1;

    /** @throws UncheckedIOException if the input breaks. */
    public void serve()
    {
        try
        {
            JsonLines.Received line = lines.receive();
            while (null != line && isSent(null == line.message() ? error(
                CallProtocol.MAPPER.createObjectNode(), "request is not JSON: " + line.text(), ControlFailure.UNUSABLE) :
                answer(line.message())))
            {
                line = lines.receive();
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("connection lost", ex);
        }
    }

    /** Execute a call; returns its answer, or null if that is sent later. */
    public ObjectNode answer(final JsonNode request)
    {
        final long id = request.path(Calls.ID).asLong();
        final ObjectNode answer = CallProtocol.MAPPER.createObjectNode().put(Calls.ID, id);
        try
        {
            final Object value = Calls.PING.equals(request.path(CallProtocol.METHOD).asText()) ? Calls.clocks() :
                target.apply(request, (type) -> listener(type, id));
            if (value instanceof final CompletableFuture<?> later)
            {
                later.whenComplete((result, failure) -> isSent(complete(answer, result, failure)));
                return null;
            }
            return complete(answer, value, null);
        }
        catch (final RuntimeException ex)
        {
            return complete(answer, null, ex);
        }
    }

    private static ObjectNode complete(final ObjectNode answer, final Object value, final Throwable failure)
    {
        if (null == failure)
        {
            return answer.set("answer", CallProtocol.answer(value));
        }
        if (failure instanceof InvalidSettingException)
        {
            return error(answer, failure.getMessage(), ControlFailure.UNUSABLE);
        }
        if (failure instanceof final ControlFailure known)
        {
            return error(answer, known.getMessage(), known.exitCode());
        }
        failure.printStackTrace();
        return error(answer, failure.toString(), INTERNAL);
    }

    private static ObjectNode error(final ObjectNode answer, final String text, final int exitCode)
    {
        return answer.put("error", text).put("exitCode", exitCode);
    }

    private Object listener(final Class<?> type, final long id)
    {
        return Proxy.newProxyInstance(
            type.getClassLoader(), new Class<?>[]{ type },
            (self, method, arguments) ->
            {
                isSent(CallProtocol.put(CallProtocol.MAPPER.createObjectNode().put(Calls.ID, id), method, arguments));
                return null;
            });
    }

    /** Send a message, if there is one; returns false if nobody reads it. */
    private boolean isSent(final ObjectNode message)
    {
        try
        {
            if (null != message)
            {
                lines.send(message);
            }
            return true;
        }
        catch (final IOException ex)
        {
            System.err.println("cannot send an answer, the reader is gone: " + ex.getMessage());
            return false;
        }
    }
}
