package io.clusterecho.control.remote;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.zip.DataFormatException;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.control.member.Asked;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.settings.IllegalArgument;

import org.HdrHistogram.Histogram;
import org.agrona.LangUtil;

/**
 * Calls of {@link Asked} methods of an interface as JSON, at both ends: {@code "do"} is the name of the method,
 * {@code "arguments"} has its arguments in order. An empty optional is null, and so is a listener: an argument whose type has
 * such methods itself. Each name is that of one method. Histograms are complete, compressed and base64-encoded. Thread-safe.
 */
public final class CallProtocol
{
    /** Values that a record derives from its components are in the JSON too, and ignored when reading. */
    public static final ObjectMapper MAPPER =
        new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).registerModule(new SimpleModule()
        .addSerializer(Histogram.class, new HistogramWriter())
        .addDeserializer(Histogram.class, new HistogramReader()));

    static final String METHOD = "do";
    private static final String ARGUMENTS = "arguments";

    static ObjectNode put(final ObjectNode request, final Method method, final Object... arguments)
    {
        request.put(METHOD, method.getName());
        if (null != arguments && arguments.length > 0)
        {
            final ArrayNode values = request.putArray(ARGUMENTS);
            for (int i = 0; i < arguments.length; i++)
            {
                values.add(isListener(method.getParameterTypes()[i]) ? null : MAPPER.<JsonNode>valueToTree(arguments[i]));
            }
        }
        return request;
    }

    static boolean isListener(final Class<?> type)
    {
        return type.isInterface() &&
            Arrays.stream(type.getMethods()).anyMatch((method) -> method.isAnnotationPresent(Asked.class));
    }

    /** The method of one of some types, the first that has it, that a request calls; fails if there is none. */
    public static Method method(final JsonNode request, final Class<?>... types)
    {
        final String name = request.path(METHOD).asText();
        return Arrays.stream(types).flatMap((type) -> Arrays.stream(type.getMethods()))
            .filter((method) -> method.isAnnotationPresent(Asked.class))
            .filter((method) -> method.getName().equals(name)).findFirst()
            .orElseThrow(() -> new ControlFailure(ControlFailure.UNUSABLE, "unknown request: " + name));
    }

    /** Execute a request, with a maker of listeners of a type. Throws what the method throws. */
    public static Object invoke(
        final Object target, final Method method, final JsonNode request, final Function<Class<?>, Object> listeners)
    {
        final Object[] arguments = new Object[method.getParameterCount()];
        for (int i = 0; i < arguments.length; i++)
        {
            final Class<?> type = method.getParameterTypes()[i];
            arguments[i] = isListener(type) ? listeners.apply(type) : MAPPER.convertValue(
                request.path(ARGUMENTS).path(i), MAPPER.constructType(method.getGenericParameterTypes()[i]));
        }
        try
        {
            return method.invoke(target, arguments);
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

    public static JsonNode answer(final Object value)
    {
        return MAPPER.valueToTree(
            value instanceof final Optional<?> optional ? optional.orElse(null) :
            value instanceof final OptionalLong optional ? optional.stream().boxed().findFirst().orElse(null) :
            value instanceof final OptionalInt optional ? optional.stream().boxed().findFirst().orElse(null) : value);
    }

    /** @throws IllegalArgumentException if it has another form. */
    static Object value(final Method method, final JsonNode answer)
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

        final boolean isOptional = Optional.class == type;
        final Type valueType = isOptional || CompletableFuture.class == type ?
            ((ParameterizedType)method.getGenericReturnType()).getActualTypeArguments()[0] : method.getGenericReturnType();
        final Object value = MAPPER.convertValue(answer, MAPPER.constructType(valueType));
        if (isOptional)
        {
            return Optional.ofNullable(value);
        }
        IllegalArgument.throwIf(null == value && Void.class != valueType, "nothing");
        return value;
    }

    private static final class HistogramWriter extends JsonSerializer<Histogram>
    {
        @Override
        public void serialize(final Histogram histogram, final JsonGenerator generator, final SerializerProvider provider)
            throws IOException
        {
            final ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
            generator.writeBinary(buffer.array(), 0, histogram.encodeIntoCompressedByteBuffer(buffer));
        }
    }

    private static final class HistogramReader extends JsonDeserializer<Histogram>
    {
        @Override
        public Histogram deserialize(final JsonParser parser, final DeserializationContext context) throws IOException
        {
            try
            {
                return Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(parser.getBinaryValue()), 0);
            }
            catch (final DataFormatException | IllegalArgumentException ex)
            {
                return context.reportInputMismatch(
                    this, "the histogram %s is damaged: %s", parser.currentName(), ex.getMessage());
            }
        }
    }
}
