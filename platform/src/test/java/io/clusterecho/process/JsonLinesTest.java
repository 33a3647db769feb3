package io.clusterecho.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class JsonLinesTest
{
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    @Test
    void shouldSendOneLineForEachMessage() throws IOException
    {
        final JsonLines lines = new JsonLines(InputStream.nullInputStream(), out);
        lines.send(message("one\nline \u00e4"));
        lines.send(message("two"));

        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("{\"text\":\"one\\nline \u00e4\"}\n{\"text\":\"two\"}\n");
    }

    @Test
    void shouldReceiveMessagesAndOtherLinesInTheirOrder() throws IOException
    {
        final JsonLines lines = new JsonLines(
            input("Welcome\r\n{\"text\":\"\u00e4\"}\n{\"text\":\n\n5\n{}"), out);

        assertThat(lines.receive()).satisfies((line) ->
        {
            assertThat(line.text()).isEqualTo("Welcome");
            assertThat(line.message()).isNull();
        });
        assertThat(lines.receive().message().path("text").asText()).isEqualTo("\u00e4");
        for (final String text : new String[]{ "{\"text\":", "", "5" })
        {
            final JsonLines.Received line = lines.receive();
            assertThat(line.text()).isEqualTo(text);
            assertThat(line.message()).as(text).isNull();
        }
        assertThat(lines.receive().message().isEmpty()).isTrue();
        assertThat(lines.receive()).isNull();
        assertThat(lines.receive()).isNull();
    }

    @Test
    void shouldTalkWithAChildUntilItsInputEnds() throws IOException
    {
        try (ChildProcess child = new Launch("the child", JavaCommand.ofClass(
            Echo.class.getName(), List.of("-Xmx32m", "-XX:TieredStopAtLevel=1"), List.of()))
            .pipedInput().pipedOutput().errors((line) -> {}).start())
        {
            final JsonLines lines = new JsonLines(child.output(), child.input());
            for (final String text : new String[]{ "one", "two \u00e4" })
            {
                lines.send(message(text));
                assertThat(lines.receive().message()).isEqualTo(message(text));
            }
            child.requestEnd();
            assertThat(lines.receive()).isNull();
            assertThat(child.describeEnd()).isEqualTo("the child ended, exit status 0; last output: printed / printed");
            assertThatThrownBy(() -> lines.send(message("three"))).isInstanceOf(IOException.class);
        }
    }

    /** Answers each message with itself, and prints between the answers. */
    static final class Echo
    {
        private Echo()
        {
        }

        public static void main(final String[] args) throws IOException
        {
            final JsonLines lines = JsonLines.ofParent();
            for (JsonLines.Received line = lines.receive(); null != line; line = lines.receive())
            {
                System.out.println("printed");
                lines.send((ObjectNode)line.message());
            }
        }
    }

    private static ObjectNode message(final String text)
    {
        return JsonNodeFactory.instance.objectNode().put("text", text);
    }

    private static InputStream input(final String text)
    {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }
}
