package io.clusterecho.reporting.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.clusterecho.reporting.measurement.SampleInterval;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
        final LiveRun run = server.show(new LiveRun("live", folder, "java -jar load-client.jar", "fsync 0: in words"));
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
        return new ObjectMapper().readTree(HttpClient.newHttpClient().send(
            HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofString()).body());
    }
}
