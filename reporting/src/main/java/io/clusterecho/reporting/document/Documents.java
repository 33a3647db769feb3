package io.clusterecho.reporting.document;

import java.util.List;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;

/**
 * Writes the documents of results as JSON, and reads them back. Each is a record whose components are its fields. A component
 * that is null is absent, unless its type says otherwise; a field that a document does not have is null, and one that no
 * record knows is ignored.
 */
public final class Documents
{
    static final JsonMapper MAPPER = JsonMapper.builder()
        .enable(SerializationFeature.INDENT_OUTPUT)
        .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
        .disable(MapperFeature.AUTO_DETECT_IS_GETTERS)
        .defaultPropertyInclusion(
            JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.ALWAYS))
        .build();

    private Documents()
    {
    }

    /**
     * A document as text.
     *
     * @param document record or tree.
     * @return indented, with a line's end.
     */
    public static String text(final Object document)
    {
        try
        {
            return MAPPER.writeValueAsString(document) + "\n";
        }
        catch (final JsonProcessingException ex)
        {
            throw new IllegalStateException("a record of plain values must be writable as JSON", ex);
        }
    }

    /**
     * A document, or a part of one, as a tree.
     *
     * @param part record.
     */
    public static JsonNode tree(final Object part)
    {
        return MAPPER.valueToTree(part);
    }

    /**
     * Read a document of any kind.
     *
     * @param text of it.
     * @throws IllegalArgumentException whose message says that it is not JSON, and where not.
     */
    public static JsonNode parse(final String text)
    {
        try
        {
            return MAPPER.readTree(text);
        }
        catch (final JsonProcessingException ex)
        {
            throw new IllegalArgumentException("it is not JSON (" + firstLine(ex) + ")", ex);
        }
    }

    /**
     * Read a document, or a part of one, from a tree.
     *
     * @param <T>  of the record.
     * @param tree of the document.
     * @param type of the record.
     * @throws IllegalArgumentException whose message names the field that does not have the type that it should have.
     */
    public static <T> T bind(final JsonNode tree, final Class<T> type)
    {
        try
        {
            return MAPPER.treeToValue(tree, type);
        }
        catch (final JsonProcessingException ex)
        {
            throw new IllegalArgumentException("it has a field of another type (" + firstLine(ex) + ")", ex);
        }
    }

    /**
     * Check that a document can be relied on.
     *
     * @param document of a result.
     * @param format   that this program reads.
     * @param fields   that it must have, as JSON pointers.
     * @throws IllegalArgumentException whose message says what is wrong with it.
     */
    public static JsonNode checked(final JsonNode document, final String format, final List<String> fields)
    {
        final String found = document.path("format").asText();
        if (!format.equals(found))
        {
            throw new IllegalArgumentException("its format is '" + found + "', and this version reads '" + format + "'");
        }
        for (final String field : fields)
        {
            if (document.at(field).isMissingNode())
            {
                throw new IllegalArgumentException("it has no " + field.substring(1).replace('/', '.'));
            }
        }

        return document;
    }

    /**
     * A number as documents have it.
     *
     * @param value    of any size.
     * @param decimals that are kept.
     * @return rounded half up.
     */
    public static double rounded(final double value, final int decimals)
    {
        final double unit = Math.pow(10, decimals);
        return Math.round(value * unit) / unit;
    }

    private static String firstLine(final JsonProcessingException ex)
    {
        return ex.getMessage().lines().findFirst().orElse("");
    }
}
