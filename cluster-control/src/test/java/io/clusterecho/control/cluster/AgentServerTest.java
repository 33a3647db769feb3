package io.clusterecho.control.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.process.JsonLines;

class AgentServerTest
{
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final HostAgent agent = new HostAgent(null);

    @TempDir
    private Path dir;

    @AfterEach
    void closeAgent()
    {
        agent.close();
    }

    @Test
    void shouldAnswerEachRequestWithItsNumberUntilThereAreNoMore() throws IOException
    {
        final long beforeNs = System.nanoTime();
        final List<JsonNode> answers = serve("{\"do\":\"ping\",\"id\":4}", "{\"do\":\"ping\",\"id\":7}");

        assertThat(answers).extracting((answer) -> answer.path("id").asLong()).containsExactly(4L, 7L);
        assertThat(answers).allMatch((answer) -> answer.at("/answer/nanoTime").isIntegralNumber() && !answer.has("error"));
        assertThat(answers.get(0).at("/answer/nanoTime").asLong() - beforeNs).isNotNegative();
        assertThat(answers.get(0).at("/answer/epochNs").asLong()).isPositive();
    }

    @Test
    void shouldSayWhyItCannotDoSomething() throws IOException
    {
        final String base = ",\"base\":\"" + dir.resolve("cluster") + "\"}";
        final List<JsonNode> answers = serve(
            "{\"id\":1,\"do\":\"start\"" + base,
            "{\"id\":2,\"do\":\"configure\",\"arguments\":[{\"echo.mtu\":\"7\"},\"\",1]" + base,
            "{\"id\":3,\"do\":\"pid\",\"base\":\"\\u0000\"}", "{\"id\":4,\"do\":\"pid\"" + base);

        assertThat(answers.get(0).path("exitCode").asInt()).isEqualTo(ControlFailure.NOT_READY);
        assertThat(answers.get(0).path("error").asText()).contains("no cluster was started in " + dir);
        assertThat(answers.get(1).path("exitCode").asInt()).isEqualTo(ControlFailure.UNUSABLE);
        assertThat(answers.get(1).path("error").asText()).contains("echo.mtu=7");
        assertThat(answers.get(2).path("exitCode").asInt()).isEqualTo(1);
        assertThat(answers.get(2).path("error").asText()).contains("InvalidPathException");
        assertThat(answers.get(3).get("answer").isNull()).isTrue();
    }

    @Test
    void shouldGoOnAfterARequestThatIsNone() throws IOException
    {
        final List<JsonNode> answers = serve("{\"id\":1,", "", "3", "{\"id\":2,\"do\":\"ping\"}");

        assertThat(answers).hasSize(4);
        assertThat(answers.get(0).path("error").asText()).contains("not JSON");
        assertThat(answers.subList(0, 3)).allMatch((answer) -> answer.has("error") && !answer.has("answer"));
        assertThat(answers.get(3).path("id").asInt()).isEqualTo(2);
        assertThat(answers.get(3).has("answer")).isTrue();
    }

    @Test
    void shouldDoNothingMoreWhenNobodyReadsItsAnswers() throws IOException
    {
        final Path settings = Files.createFile(Files.createDirectory(dir.resolve("cluster")).resolve("settings.properties"));
        final OutputStream broken = new OutputStream()
        {
            @Override
            public void write(final int value) throws IOException
            {
                throw new IOException("Broken pipe");
            }
        };

        serve(new JsonLines(
            lines("{\"do\":\"ping\"}", "{\"do\":\"forget\",\"base\":\"" + settings.getParent() + "\"}"), broken));

        assertThat(settings).exists();
    }

    @Test
    void shouldFailWhenItsInputBreaks()
    {
        final InputStream broken = new InputStream()
        {
            @Override
            public int read() throws IOException
            {
                throw new IOException("Connection reset");
            }
        };

        assertThatThrownBy(() -> serve(new JsonLines(broken, System.err)))
            .isInstanceOf(UncheckedIOException.class).hasRootCauseMessage("Connection reset");
    }

    private List<JsonNode> serve(final String... requests) throws IOException
    {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        serve(new JsonLines(lines(requests), bytes));
        final List<JsonNode> answers = new ArrayList<>();
        for (final String line : bytes.toString(StandardCharsets.UTF_8).lines().toList())
        {
            answers.add(MAPPER.readTree(line));
        }

        return answers;
    }

    private void serve(final JsonLines lines)
    {
        agent.server(lines).serve();
    }

    private static InputStream lines(final String... lines)
    {
        return new ByteArrayInputStream((String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8));
    }
}
