package io.clusterecho.client.sweep;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** The JSON schema of a document, from its record: a component of a primitive type is required, others may be missing. */
final class RecordSchema
{
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final Map<Class<?>, String> SIMPLE = Map.of(
        String.class, "string", boolean.class, "boolean", Boolean.class, "boolean", int.class, "integer",
        Integer.class, "integer", long.class, "integer", Long.class, "integer", double.class, "number",
        Double.class, "number", JsonNode.class, "object");

    private RecordSchema()
    {
    }

    /**
     * Schema of a document.
     *
     * @param isStrict without fields that the record does not have.
     */
    static ObjectNode of(final Class<?> type, final String format, final boolean isStrict)
    {
        final ObjectNode schema = JsonNodeFactory.instance.objectNode()
            .put("$schema", "https://json-schema.org/draft/2020-12/schema").put("title", format)
            .put("description", "The fields are explained in docs/results-format.md.");
        schema.setAll(ofRecord(type, isStrict));
        schema.withObject("/properties/format").put("const", format);
        schema.withArray("required").add("format").add("verdict");
        return schema;
    }

    private static ObjectNode ofRecord(final Class<?> type, final boolean isStrict)
    {
        final ObjectNode schema = JsonNodeFactory.instance.objectNode().put("type", "object");
        schema.putObject("properties");
        addComponents(schema, type, isStrict, false);
        if (isStrict)
        {
            schema.put("additionalProperties", false);
        }
        return schema;
    }

    private static void addComponents(
        final ObjectNode schema, final Class<?> type, final boolean isStrict, final boolean isWithinNullable)
    {
        for (final RecordComponent component : type.getRecordComponents())
        {
            final var accessor = component.getAccessor();
            if (accessor.isAnnotationPresent(JsonUnwrapped.class))
            {
                addComponents(schema, component.getType(), isStrict, true);
                continue;
            }
            final JsonProperty renamed = accessor.getAnnotation(JsonProperty.class);
            if (null != renamed && JsonProperty.Access.WRITE_ONLY == renamed.access())
            {
                continue;
            }
            final String name = null == renamed || renamed.value().isEmpty() ? component.getName() : renamed.value();
            final boolean isRequired = component.getType().isPrimitive();
            final ObjectNode value = of(component.getGenericType(), isStrict);
            if (!isRequired && value.path("type").isTextual() && includesNull(type, component))
            {
                value.putArray("type").add(of(component.getGenericType(), isStrict).get("type").asText()).add("null");
            }
            schema.withObject("properties").set(name, value);
            if (isRequired && !isWithinNullable)
            {
                schema.withArray("required").add(name);
            }
        }
    }

    private static boolean includesNull(final Class<?> type, final RecordComponent component)
    {
        final JsonInclude own = component.getAccessor().getAnnotation(JsonInclude.class);
        final JsonInclude include = null == own ? type.getAnnotation(JsonInclude.class) : own;
        return null != include && JsonInclude.Include.ALWAYS == include.value();
    }

    private static ObjectNode of(final Type type, final boolean isStrict)
    {
        final ObjectNode schema = JsonNodeFactory.instance.objectNode();
        if (type instanceof ParameterizedType generic)
        {
            final Type[] arguments = generic.getActualTypeArguments();
            final ObjectNode values = of(arguments[arguments.length - 1], isStrict);
            schema.put("type", List.class == generic.getRawType() ? "array" : "object");
            schema.set(List.class == generic.getRawType() ? "items" : "additionalProperties", values);
            return schema;
        }
        final Class<?> plain = (Class<?>)type;
        if (plain.isEnum())
        {
            schema.put("type", "string");
            Arrays.stream(plain.getEnumConstants())
                .forEach((one) -> schema.withArray("enum").add(MAPPER.<JsonNode>valueToTree(one)));
            return schema;
        }
        return plain.isRecord() ? ofRecord(plain, isStrict) : schema.put("type", SIMPLE.get(plain));
    }
}
