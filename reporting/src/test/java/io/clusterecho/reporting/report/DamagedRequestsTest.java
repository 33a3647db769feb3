package io.clusterecho.reporting.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import io.clusterecho.testing.Fuzz;

import org.junit.jupiter.api.Test;

/** Whatever is sent to the port of {@code --live}: other requests are still answered. */
class DamagedRequestsTest
{
    private static final int MAX_ANSWER_LENGTH = 4 << 20;

    @Test
    void shouldAnswerAfterEveryRequest() throws Exception
    {
        final List<byte[]> samples = Stream.of(
            "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n",
            "GET /run.json?a=%20b HTTP/1.0\r\nHost: localhost:80\r\nAccept: */*\r\n\r\n",
            "POST /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 3\r\n\r\nabc",
            "POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n")
            .map((text) -> text.getBytes(StandardCharsets.US_ASCII)).toList();
        try (LiveServer server = new LiveServer("--live-port", 0))
        {
            final URI address = URI.create(server.address());
            Fuzz.run("http", 300, samples, List.of(), (input) ->
            {
                try (Socket socket = new Socket(address.getHost(), address.getPort()))
                {
                    socket.getOutputStream().write(input);
                    socket.shutdownOutput();
                    assertThat(socket.getInputStream().readNBytes(MAX_ANSWER_LENGTH)).hasSizeLessThan(MAX_ANSWER_LENGTH);
                }
                catch (final SocketException ex)
                {
                    // Refused by the server, which need not read all of it.
                    assertThat(ex.getMessage()).containsAnyOf("reset", "Broken pipe");
                }
            });

            final HttpResponse<String> answer = HttpClient.newHttpClient().send(
                HttpRequest.newBuilder(address).timeout(Duration.ofMinutes(1)).build(), HttpResponse.BodyHandlers.ofString());
            assertThat(answer.statusCode()).isEqualTo(200);
        }
    }
}
