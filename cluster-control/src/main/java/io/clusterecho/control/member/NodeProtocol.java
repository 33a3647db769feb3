package io.clusterecho.control.member;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.node.member.HeldLog;

import org.agrona.LangUtil;

/**
 * Calls of the methods of a {@link Node} as JSON, at both ends: {@code "do"} is the name of the method, {@code "arguments"} has
 * its arguments in order. An empty optional is null. Each name is that of one method. Thread-safe.
 */
public final class NodeProtocol
{
    /** Values that a record derives from its components are in the JSON too, and ignored when reading. */
    public static final ObjectMapper MAPPER =
        new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

    private NodeProtocol()
    {
    }

    /** Add a call to a request. */
    public static ObjectNode put(final ObjectNode request, final Method method, final Object... arguments)
    {
        request.put("do", method.getName());
        if (null != arguments && arguments.length > 0)
        {
            request.set("arguments", MAPPER.valueToTree(arguments));
        }
        return request;
    }

    /** The method that a request calls; fails if there is none. */
    public static Method method(final Class<? extends Node> type, final JsonNode request)
    {
        final String name = request.path("do").asText();
        return Arrays.stream(type.getMethods()).filter((method) -> method.isAnnotationPresent(Asked.class))
            .filter((method) -> method.getName().equals(name)).findFirst()
            .orElseThrow(() -> new ControlFailure(ControlFailure.UNUSABLE, "unknown request: " + name));
    }

    /** Execute a request. Throws what the method throws. */
    public static JsonNode answer(final Node node, final Method method, final JsonNode request)
    {
        final Object[] arguments = new Object[method.getParameterCount()];
        for (int i = 0; i < arguments.length; i++)
        {
            arguments[i] = MAPPER.convertValue(
                request.path("arguments").path(i), MAPPER.constructType(method.getGenericParameterTypes()[i]));
        }
        try
        {
            return answer(method.invoke(node, arguments));
        }
        catch (final InvocationTargetException ex)
        {
            LangUtil.rethrowUnchecked(ex.getCause());
            throw new IllegalStateException(ex);
        }
        catch (final IllegalAccessException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    private static JsonNode answer(final Object value)
    {
        if (value instanceof final Optional<?> optional)
        {
            return MAPPER.valueToTree(optional.orElse(null));
        }
        if (value instanceof final OptionalLong optional)
        {
            return MAPPER.valueToTree(optional.isPresent() ? optional.getAsLong() : null);
        }
        if (value instanceof final OptionalInt optional)
        {
            return MAPPER.valueToTree(optional.isPresent() ? optional.getAsInt() : null);
        }
        return MAPPER.valueToTree(value);
    }

    /** What a host answers on which no cluster was started. */
    public static JsonNode answerOfNone(final Method method)
    {
        final Class<?> type = method.getReturnType();
        return answer(boolean.class == type ? Boolean.FALSE : List.class == type ? List.of() :
            MemberErrors.class == type ? MemberErrors.NONE : HeldLog.class == type ? HeldLog.NOTHING : null);
    }

    /** @throws IllegalArgumentException if it has another form. */
    public static Object value(final Method method, final JsonNode answer)
    {
        final Class<?> type = method.getReturnType();
        if (void.class == type)
        {
            return null;
        }
        if (OptionalLong.class == type)
        {
            return answer.isNull() ? OptionalLong.empty() : OptionalLong.of(answer.asLong());
        }
        if (OptionalInt.class == type)
        {
            return answer.isNull() ? OptionalInt.empty() : OptionalInt.of(answer.asInt());
        }
        if (Optional.class == type)
        {
            final ParameterizedType optional = (ParameterizedType)method.getGenericReturnType();
            return Optional.ofNullable(convert(answer, MAPPER.constructType(optional.getActualTypeArguments()[0])));
        }

        final Object value = convert(answer, MAPPER.constructType(method.getGenericReturnType()));
        if (null == value)
        {
            throw new IllegalArgumentException("nothing");
        }
        return value;
    }

    private static Object convert(final JsonNode answer, final JavaType type)
    {
        return MAPPER.convertValue(answer, type);
    }
}
