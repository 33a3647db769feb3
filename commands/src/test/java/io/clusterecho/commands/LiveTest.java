package io.clusterecho.commands;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real run into the memory transport, read over HTTP while it runs. */
class LiveTest
{
    private static final Pattern ADDRESS = Pattern.compile("live charts at http://127\\.0\\.0\\.1:([0-9]+)/");

    private final PrintStream standardOut = System.out;
    private final PrintStream standardErr = System.err;
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final HttpClient client = HttpClient.newHttpClient();

    @TempDir
    private Path folder;

    @BeforeEach
    void captureStreams()
    {
        System.setOut(new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
    }

    @AfterEach
    void restoreStreams()
    {
        System.setOut(standardOut);
        System.setErr(standardErr);
    }

    @Test
    void shouldServeARunWhileItGoesOn() throws Exception
    {
        final CompletableFuture<Integer> run = CompletableFuture.supplyAsync(() -> RootCommand.execute(new String[]{
            "--transport", "memory", "--memory-delay", "2ms", "--rate", "200", "--size", "64", "--warm-up", "250ms",
            "--duration", "5s", "--interval", "250ms", "--live", "--live-port", "0", "--quiet", "--label", "watched",
            "--output", folder.toString() }));
        final String address = address();

        final JsonNode first = awaitCount(address, 1);
        final JsonNode later = awaitCount(address, first.at("/manifest/responseTimeNs/count").asLong() + 100);
        assertThat(later.at("/manifest/verdict/label").asText()).as("a running run has no verdict").isEqualTo("RUNNING");
        assertThat(later.at("/manifest/verdict/good").asBoolean()).isFalse();
        assertThat(later.at("/manifest/responseTimeNs/p50").asLong()).isGreaterThanOrEqualTo(2_000_000L);
        assertThat(later.at("/manifest/label").asText()).isEqualTo("watched");
        assertThat(later.at("/curves/service").isEmpty()).isFalse();
        assertThat(later.get("cells").isEmpty()).isFalse();
        assertThat(get(address, "").body()).contains("connect-src 'self'").contains("\"live\":true");
        assertThat(get(address, "manifest.json").statusCode()).isEqualTo(404);
        assertThat(raw(address, "GET / HTTP/1.1\r\nHost: elsewhere.example\r\nConnection: close\r\n\r\n")).contains(" 403 ");
        assertThat(raw(address, "POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"))
            .contains(" 405 ");

        assertThat(run.get(60, TimeUnit.SECONDS)).as("a machine that is busy may fail a run").isIn(0, 4);
        assertThatThrownBy(() -> get(address, "")).as("over with the run").isInstanceOf(ConnectException.class);
        final List<String> stored = rows();
        for (int i = 0; i < later.at("/intervals/beginS").size(); i++)
        {
            final String[] columns = stored.get(i + 1).split(",");
            assertThat(later.at("/intervals/beginS/" + i).asDouble()).isEqualTo(Double.parseDouble(columns[0]));
            assertThat(later.at("/intervals/phase/" + i).asText()).isEqualTo(columns[2]);
            assertThat(later.at("/intervals/inFlight/" + i).asText()).isEqualTo(columns[6]);
        }
    }

    @Test
    void shouldRefuseATakenPortBeforeAnythingIsMade() throws IOException
    {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByAddress(new byte[]{ 127, 0, 0, 1 })))
        {
            final String port = String.valueOf(taken.getLocalPort());
            assertThat(RootCommand.execute(new String[]{
                "--transport", "memory", "--live", "--live-port", port, "--output", folder.toString() })).isEqualTo(2);
            assertThat(err.toString(StandardCharsets.UTF_8)).contains("--live-port=" + port + " is not allowed")
                .contains("a free port of 127.0.0.1");
        }
        assertThat(folder).isEmptyDirectory();
        assertThat(RootCommand.execute(new String[]{
            "--transport", "memory", "--live-port", "65536", "--output", folder.toString() })).isEqualTo(2);
    }

    private JsonNode awaitCount(final String address, final long count)
    {
        final List<JsonNode> found = new ArrayList<>();
        await().atMost(Duration.ofSeconds(20)).pollInterval(Duration.ofMillis(100)).until(() ->
        {
            final JsonNode run = new ObjectMapper().readTree(get(address, "run.json").body()).at("/runs/0");
            found.add(run);
            return run.at("/manifest/responseTimeNs/count").asLong() >= count;
        });
        return found.get(found.size() - 1);
    }

    private String address()
    {
        await().atMost(Duration.ofSeconds(20)).until(() -> ADDRESS.matcher(err.toString(StandardCharsets.UTF_8)).find());
        final Matcher matcher = ADDRESS.matcher(err.toString(StandardCharsets.UTF_8));
        assertThat(matcher.find()).isTrue();
        return "http://127.0.0.1:" + matcher.group(1) + "/";
    }

    private HttpResponse<String> get(final String address, final String path) throws IOException, InterruptedException
    {
        return client.send(HttpRequest.newBuilder(URI.create(address + path)).build(), HttpResponse.BodyHandlers.ofString());
    }

    private static String raw(final String address, final String request) throws IOException
    {
        final URI uri = URI.create(address);
        try (Socket socket = new Socket(uri.getHost(), uri.getPort()))
        {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private List<String> rows() throws IOException
    {
        try (var folders = Files.list(folder))
        {
            return Files.readAllLines(folders.findFirst().orElseThrow().resolve("intervals.csv"));
        }
    }
}
