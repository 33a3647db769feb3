package io.clusterecho.client.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;

import io.clusterecho.reporting.document.FailoverDocument;
import io.clusterecho.reporting.document.RunDocument;
import io.clusterecho.reporting.results.DocumentKind;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The schemas in {@code docs/schemas} are those of the records, and valid for every document of the project. */
class DocumentSchemasTest
{
    private static final Path ROOT = Path.of("..");
    private static final Path SCHEMAS = ROOT.resolve("docs/schemas");
    private static final Map<DocumentKind, Class<?>> RECORDS = Map.of(
        DocumentKind.RUN, RunDocument.class, DocumentKind.FAILOVER, FailoverDocument.class,
        DocumentKind.SWEEP, SweepDocument.class);
    private static final ObjectMapper MAPPER = new ObjectMapper();

    /** With {@code -Dtest.update=true} it writes them again. */
    @ParameterizedTest
    @EnumSource(names = { "RUN", "FAILOVER", "SWEEP" })
    void shouldBePublishedAsTheRecordsAre(final DocumentKind kind) throws IOException
    {
        final String text = RecordSchema.of(RECORDS.get(kind), kind.format(), false).toPrettyString() + "\n";
        if (Boolean.getBoolean("test.update"))
        {
            Files.writeString(published(kind), text);
        }
        assertThat(published(kind)).hasContent(text);
    }

    /** Without fields that the schema does not know: a program may ignore those, but the project may not forget to list them. */
    @ParameterizedTest
    @EnumSource(names = { "RUN", "FAILOVER", "SWEEP" })
    void shouldHoldForEveryDocument(final DocumentKind kind) throws IOException
    {
        final JsonSchema strict = schema(RecordSchema.of(RECORDS.get(kind), kind.format(), true));
        int count = 0;
        for (final Path file : documents())
        {
            final JsonNode document = MAPPER.readTree(file.toFile());
            if (document.path("machine").isTextual())
            {
                // A golden file, which has a word in place of the facts of the machine that runs the tests.
                ((ObjectNode)document).remove(List.of("versions", "machine", "jvm"));
            }
            if (kind.format().equals(document.path("format").asText()))
            {
                assertThat(strict.validate(document)).as(file.toString()).isEmpty();
                count++;
            }
        }
        assertThat(count).isGreaterThan(1);
    }

    @Test
    void shouldRefuseWhatIsMissingOrOfAnotherType() throws IOException
    {
        final JsonSchema schema = schema(MAPPER.readTree(published(DocumentKind.SWEEP).toFile()));
        final ObjectNode sweep = (ObjectNode)MAPPER.readTree(
            ROOT.resolve("results/reference-20261127-quick/sweep.json").toFile());
        sweep.put("later", "a field of a later version");
        assertThat(schema.validate(sweep)).isEmpty();
        sweep.put("format", "cluster-echo-sweep/99");
        sweep.remove("verdict");
        ((ObjectNode)sweep.get("plan")).put("repeats", "two");
        assertThat(schema.validate(sweep).stream().map(ValidationMessage::getMessage)).hasSize(3)
            .anyMatch((text) -> text.contains("format")).anyMatch((text) -> text.contains("verdict"))
            .anyMatch((text) -> text.contains("repeats"));
    }

    private static Path published(final DocumentKind kind)
    {
        return SCHEMAS.resolve(kind.fileName().replace(".json", ".schema.json"));
    }

    private static JsonSchema schema(final JsonNode schema)
    {
        return JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012).getSchema(schema);
    }

    /** Committed results and the golden files of all modules. */
    private static List<Path> documents() throws IOException
    {
        try (Stream<Path> results = Files.walk(ROOT.resolve("results"));
            Stream<Path> golden = Stream.of("reporting", "failover", "load-client").flatMap(DocumentSchemasTest::golden))
        {
            return Stream.concat(results, golden).filter((file) -> file.toString().endsWith(".json")).sorted().toList();
        }
    }

    private static Stream<Path> golden(final String module)
    {
        try
        {
            return Files.walk(ROOT.resolve(module).resolve("src/test/resources"));
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}
