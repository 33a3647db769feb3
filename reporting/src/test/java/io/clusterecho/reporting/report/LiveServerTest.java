package io.clusterecho.reporting.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.clusterecho.reporting.measurement.SampleInterval;

import org.agrona.CloseHelper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LiveServerTest
{
    private static final long LINGER_NS = TimeUnit.SECONDS.toNanos(2);

    @TempDir
    private Path folder;

    @Test
    void shouldSayThatTheRunHasEndedAndStopPolling() throws Exception
    {
        final Browser browser = Browser.required();
        final LiveServer server = new LiveServer("--live-port", 0);
        try (BrowserPage page = browser.open(serve(server)))
        {
            assertThat(page.html()).contains("data-verdict=\"RUNNING\"");
            server.close();
            page.await("document.documentElement.dataset.live === 'ended'");
            assertThat(page.html()).contains("data-verdict=\"ENDED\"").doesNotContain("data-verdict=\"RUNNING\"");
            assertThat(page.evaluate("document.querySelector('.remark').innerText").asText())
                .contains("has ended", "stopped polling", folder.toString());
            final int pollCount = pollCount(page);
            // Longer than three polls.
            page.evaluate("new Promise((done) => setTimeout(() => done(true), 3500))");
            assertThat(pollCount(page)).isEqualTo(pollCount);
        }
        finally
        {
            server.close();
        }
    }

    @Test
    void shouldReportTheEndOfTheRunToAPageThatPolls() throws Exception
    {
        final LiveServer server = new LiveServer("--live-port", 0);
        final URI data = URI.create(serve(server) + "run.json");
        assertThat(get(data).has("ended")).isFalse();
        final Thread closing = new Thread(server::close);
        closing.start();
        while (!get(data).has("ended"))
        {
            Thread.onSpinWait();
        }
        closing.join();
    }

    @ParameterizedTest
    @ValueSource(strings = { "G", "GET /metrics HTTP/1.1\r\nHost: 127.0.", "POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\nab" })
    void shouldAnswerWhileOtherRequestsStopHalfWay(final String part) throws Exception
    {
        try (LiveServer server = new LiveServer("--live-port", 0); Sockets sockets = new Sockets())
        {
            final URI address = URI.create(serve(server));
            for (int i = 0; i < 5; i++)
            {
                sockets.open(address).getOutputStream().write(part.getBytes(StandardCharsets.US_ASCII));
                assertThat(answer(address.resolve("/metrics")).body()).contains("cluster_echo_client_sent_messages_total 0");
            }
        }
    }

    @Test
    void shouldServeMetricsToThisMachineOnly() throws Exception
    {
        try (LiveServer server = new LiveServer("--live-port", 0); Sockets sockets = new Sockets())
        {
            final URI address = URI.create(serve(server));
            final HttpResponse<String> answer = answer(address.resolve("/metrics"));
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.headers().firstValue("Content-Type")).contains("text/plain; version=0.0.4; charset=utf-8");

            final Socket socket = sockets.open(address);
            socket.getOutputStream().write("GET /metrics HTTP/1.1\r\nHost: elsewhere.example\r\nConnection: close\r\n\r\n"
                .getBytes(StandardCharsets.US_ASCII));
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII)).contains(" 403 ")
                .doesNotContain("cluster_echo");
        }
    }

    /** Connections of a test. */
    private static final class Sockets implements AutoCloseable
    {
        private final List<Socket> all = new ArrayList<>();

        private Socket open(final URI address) throws IOException
        {
            final Socket socket = new Socket(address.getHost(), address.getPort());
            all.add(socket);
            return socket;
        }

        @Override
        public void close()
        {
            CloseHelper.quietCloseAll(all);
        }
    }

    @Test
    void shouldNotWaitForAPageThatIsNotThere() throws Exception
    {
        final LiveServer server = new LiveServer("--live-port", 0);
        serve(server);
        final long beginNs = System.nanoTime();
        server.close();
        assertThat(System.nanoTime() - beginNs).isLessThan(LINGER_NS);
    }

    private String serve(final LiveServer server)
    {
        final LiveRun run = server.show(new LiveRun("live", folder, "java -jar load-client.jar", "fsync 0: in words", List.of()));
        run.onInterval(SampleInterval.of(0));
        run.onInterval(SampleInterval.of(1));
        return server.address();
    }

    private static int pollCount(final BrowserPage page)
    {
        return page.evaluate("performance.getEntriesByName(location.href + 'run.json').length").asInt();
    }

    private static JsonNode get(final URI address) throws Exception
    {
        return new ObjectMapper().readTree(answer(address).body());
    }

    private static HttpResponse<String> answer(final URI address) throws Exception
    {
        return HttpClient.newHttpClient().send(
            HttpRequest.newBuilder(address).timeout(Duration.ofMinutes(1)).build(), HttpResponse.BodyHandlers.ofString());
    }
}
