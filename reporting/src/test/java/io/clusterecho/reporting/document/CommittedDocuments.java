package io.clusterecho.reporting.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;

import io.clusterecho.reporting.results.DocumentKind;

/** The documents in {@code results/}, each of which its record must represent completely. */
public final class CommittedDocuments
{
    private static final Path RESULTS = Path.of("..", "results");
    private static final ObjectReader READER = Documents.MAPPER.reader(
        DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private CommittedDocuments()
    {
    }

    /**
     * Bind each document of a format to its record and back: the record must know every field, and lose none. There must be
     * at least one, or one of an earlier version, whose fields may be others.
     *
     * @param format of the documents.
     * @param type   of the record.
     * @throws IOException if they cannot be read.
     */
    public static void checkAll(final String format, final Class<?> type) throws IOException
    {
        int count = 0;
        for (final Path file : files())
        {
            final JsonNode document = Documents.parse(Files.readString(file));
            final String found = document.path("format").asText();
            count += Documents.isReadable(found, format) ? 1 : 0;
            if (format.equals(found))
            {
                final JsonNode again = Documents.tree(READER.forType(type).readValue(document));
                final List<String> differences = new ArrayList<>();
                compare("", document, again, differences);
                assertThat(differences).as(file.toString()).isEmpty();
            }
        }
        assertThat(count).as("documents of " + format).isPositive();
    }

    /**
     * Fail if a document does not have the format of its name, so that no check would find it.
     *
     * @throws IOException if one cannot be read.
     */
    static void checkFormats() throws IOException
    {
        for (final Path file : files())
        {
            for (final DocumentKind kind : DocumentKind.values())
            {
                if (kind.fileName().equals(file.getFileName().toString()))
                {
                    assertThatCode(() -> Documents.checked(Documents.parse(Files.readString(file)), kind))
                        .as(file.toString()).doesNotThrowAnyException();
                }
            }
        }
    }

    private static List<Path> files() throws IOException
    {
        try (Stream<Path> found = Files.walk(RESULTS))
        {
            return found.filter((file) -> file.toString().endsWith(".json")).sorted().toList();
        }
    }

    /** What the record adds to an old document is null. */
    private static void compare(
        final String path, final JsonNode before, final JsonNode after, final List<String> differences)
    {
        if (before.isObject() && after.isObject())
        {
            before.properties().forEach((field) -> compare(
                path + "/" + field.getKey(), field.getValue(), after.path(field.getKey()), differences));
            after.properties().stream()
                .filter((field) -> !before.has(field.getKey()) && !field.getValue().isNull())
                .forEach((field) -> differences.add(path + "/" + field.getKey() + " is new"));
        }
        else if (before.isArray() && after.isArray() && before.size() == after.size())
        {
            for (int i = 0; i < before.size(); i++)
            {
                compare(path + "/" + i, before.get(i), after.get(i), differences);
            }
        }
        else if (!(before.isNumber() && after.isNumber() ?
            0 == before.decimalValue().compareTo(after.decimalValue()) : before.equals(after)))
        {
            differences.add(path + ": " + before + " became " + after);
        }
    }
}
