package io.clusterecho.platform;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.clusterecho.host.HostFiles;
import io.clusterecho.host.RecordedHost;

/** A local service that answers like the metadata service. */
class CloudFactsTest
{
    /** Long, because this does not test the speed of a busy machine. */
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final String TOKEN = "token-of-this-test";
    private static final Map<String, String> ANSWERS = Map.of(
        "/latest/meta-data/instance-type", "c5n.9xlarge",
        "/latest/meta-data/placement/availability-zone", "eu-west-1b",
        "/latest/meta-data/placement/group-name", "echo-partition");

    private final ConcurrentLinkedQueue<String> asked = new ConcurrentLinkedQueue<>();
    private HttpServer server;

    @TempDir
    private Path dir;

    @BeforeEach
    void start() throws IOException
    {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
    }

    @AfterEach
    void stop()
    {
        server.stop(0);
    }

    @Test
    void shouldAskOnAnInstanceForWhatItHas()
    {
        assertThat(facts("Amazon EC2")).containsExactly(
            Map.entry("instanceType", "c5n.9xlarge"), Map.entry("zone", "eu-west-1b"),
            Map.entry("placementGroup", "echo-partition"));
    }

    @Test
    void shouldAskNothingOnOtherMachines()
    {
        assertThat(facts("Some Other Vendor")).isEmpty();
        assertThat(asked).isEmpty();
    }

    @Test
    void shouldReportThatTheServiceDidNotAnswer()
    {
        server.stop(0);
        assertThat(facts("Amazon EC2")).containsOnlyKeys("zone").containsValue("the metadata service did not answer");
    }

    @Test
    void shouldKnowOlderInstancesByTheVersionOfTheirFirmware()
    {
        final HostFiles files = new RecordedHost(dir)
            .put("sys/class/dmi/id/sys_vendor", "Xen").put("sys/class/dmi/id/bios_version", "4.11.amazon").files();
        assertThat(CloudFacts.facts(files, metadata(), TIMEOUT)).containsEntry("zone", "eu-west-1b");
    }

    @Test
    void shouldGiveUpOnAServiceThatDoesNotAnswer() throws IOException
    {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress()))
        {
            final URI address = URI.create("http://127.0.0.1:" + silent.getLocalPort() + "/");
            assertThat(CloudFacts.facts(host("Amazon EC2"), address, Duration.ofMillis(50)))
                .containsOnlyKeys("zone").containsValue("the metadata service did not answer");
        }
    }

    private Map<String, String> facts(final String vendor)
    {
        return CloudFacts.facts(host(vendor), metadata(), TIMEOUT);
    }

    private HostFiles host(final String vendor)
    {
        return new RecordedHost(dir).put("sys/class/dmi/id/sys_vendor", vendor).files();
    }

    private URI metadata()
    {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
    }

    private void answer(final HttpExchange exchange) throws IOException
    {
        final String path = exchange.getRequestURI().getPath();
        asked.add(path);
        final String answer;
        if ("/latest/api/token".equals(path))
        {
            answer = "PUT".equals(exchange.getRequestMethod()) ? TOKEN : null;
        }
        else
        {
            answer = TOKEN.equals(exchange.getRequestHeaders().getFirst("X-aws-ec2-metadata-token")) ?
                ANSWERS.get(path) : null;
        }

        final byte[] body = (null == answer ? "" : answer).getBytes(UTF_8);
        exchange.sendResponseHeaders(null == answer ? 404 : 200, 0 == body.length ? -1 : body.length);
        if (body.length > 0)
        {
            exchange.getResponseBody().write(body);
        }
        exchange.close();
    }
}
