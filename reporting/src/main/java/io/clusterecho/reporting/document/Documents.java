package io.clusterecho.reporting.document;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.util.function.Function;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.reporting.results.DocumentKind;
import io.clusterecho.reporting.results.Percentile;
import io.clusterecho.settings.IllegalArgument;
import io.clusterecho.settings.InvalidSettingException;

/**
 * Writes the documents of results as JSON and reads them back. Each document is a record whose components are its fields. A
 * null component is left out unless its type says otherwise; a missing field is read as null, and an unknown one is ignored.
 */
public final class Documents
{
    static final JsonMapper MAPPER = JsonMapper.builder()
        .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
        .disable(MapperFeature.AUTO_DETECT_IS_GETTERS)
        .defaultPropertyInclusion(
            JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.ALWAYS))
        .build();

    /** Makes something of a file. */
    @FunctionalInterface
    public interface Parser<T>
    {
        T parse(Path file) throws IOException;
    }

    /** A document, record or tree, as indented JSON that ends with a line feed. */
    public static String text(final Object document)
    {
        return tree(document).toPrettyString() + "\n";
    }

    /** The same as JSON that ends with its only line feed. */
    public static String line(final Object document)
    {
        return tree(document) + "\n";
    }

    /** A document, or a part of one, as a tree. */
    public static JsonNode tree(final Object part)
    {
        return MAPPER.valueToTree(part);
    }

    /** Read a document of any kind; an {@link IllegalArgumentException} says where it is not JSON. */
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

    /** Read a document or a part of one; an {@link IllegalArgumentException} names a field of the wrong type. */
    public static <T> T bind(final JsonNode tree, final Class<T> type)
    {
        try
        {
            return MAPPER.treeToValue(tree, type);
        }
        catch (final JsonProcessingException ex)
        {
            throw new IllegalArgumentException("a field has the wrong type (" + firstLine(ex) + ")", ex);
        }
    }

    /** Read the document that marks a result folder; an error names the file, also if {@link #checked} refuses it. */
    public static JsonNode read(final Path folder, final DocumentKind kind)
    {
        return read(folder, kind, Function.identity());
    }

    /**
     * Read it and make something of it.
     *
     * @param mapping which may refuse it with an {@link IllegalArgumentException}, or a time in it with a {@link
     *                DateTimeException}.
     */
    public static <T> T read(final Path folder, final DocumentKind kind, final Function<JsonNode, T> mapping)
    {
        return read(folder.resolve(kind.fileName()), (file) -> mapping.apply(
            checked(parse(Files.readString(file, StandardCharsets.UTF_8)), kind)));
    }

    /**
     * Read any file of a result.
     *
     * @param parser that throws as {@code mapping} may if the file is damaged.
     * @throws InvalidSettingException if it cannot be read or is damaged; the message names the file.
     */
    public static <T> T read(final Path file, final Parser<T> parser)
    {
        try
        {
            return parser.parse(file);
        }
        catch (final IOException | IllegalArgumentException | DateTimeException ex)
        {
            throw new InvalidSettingException(
                file + " cannot be read: " + (ex instanceof IOException ? ex.toString() : ex.getMessage()));
        }
    }

    /**
     * Check the format and the required fields of a document. Earlier versions of its format are read too; percentiles that this
     * version does not state are taken out of them.
     *
     * @throws IllegalArgumentException whose message says what is wrong.
     */
    public static JsonNode checked(final JsonNode document, final DocumentKind kind)
    {
        final String found = document.path("format").asText();
        IllegalArgument.throwIf(
            !isReadable(found, kind.format()), "its format is '" + found + "'; this version reads '" + kind.format() + "'");
        kind.requiredFields().forEach((field) ->
            IllegalArgument.throwIf(document.at(field).isMissingNode(), "it has no " + field.substring(1).replace('/', '.')));

        document.findParents("p50").stream().filter((times) -> times.path("count").isNumber()).forEach((times) ->
            Stream.of(Percentile.values()).filter((one) -> Percentile.MAX != one && times.path(one.label()).isNumber() &&
            !Percentile.isStated(one.percent(), times.path("count").asLong()))
            .forEach((one) -> ((ObjectNode)times).remove(one.label())));
        return document;
    }

    /** Whether a document has a format, or an earlier version of it. */
    static boolean isReadable(final String found, final String format)
    {
        final int version = format.lastIndexOf('/') + 1;
        return found.startsWith(format.substring(0, version)) && found.substring(version).matches("[1-9]\\d{0,3}") &&
            Integer.parseInt(found.substring(version)) <= Integer.parseInt(format.substring(version));
    }

    /** A number for a document, rounded half up. */
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
