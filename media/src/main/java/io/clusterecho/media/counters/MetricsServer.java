package io.clusterecho.media.counters;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import org.agrona.CloseHelper;

/**
 * Answers {@code GET /metrics} on loopback with the counters of this process's media driver. Requests are answered one at a
 * time on a thread of the server's; the member's own threads have no part in it. Nothing can be changed through it.
 */
public final class MetricsServer implements AutoCloseable
{
    private static final String PATH = "/metrics";
    private static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";
    private static final int BACKLOG = 4;

    private final DriverCounters counters;
    private final MetricsText metrics;
    private final HttpServer server;
    private boolean isClosed;

    /**
     * Begin to answer.
     *
     * @param memberId of this process.
     * @param aeronDir of its media driver, which runs.
     * @param port     on loopback; 0 is any.
     * @throws UncheckedIOException if the port is taken.
     */
    public MetricsServer(final int memberId, final Path aeronDir, final int port)
    {
        counters = DriverCounters.map(aeronDir, ProcessHandle.current().pid())
            .orElseThrow(() -> new IllegalStateException("this process has no media driver in " + aeronDir));
        metrics = new MetricsText(memberId, counters.reader());
        try
        {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), BACKLOG);
        }
        catch (final IOException ex)
        {
            CloseHelper.quietClose(counters);
            throw new UncheckedIOException("metrics cannot be served on port " + port, ex);
        }
        server.createContext("/", this::answer);
        server.start();
    }

    /**
     * Where it answers.
     *
     * @return the port.
     */
    public int port()
    {
        return server.getAddress().getPort();
    }

    private void answer(final HttpExchange exchange) throws IOException
    {
        try (exchange)
        {
            if (!PATH.equals(exchange.getRequestURI().getPath()))
            {
                respond(exchange, 404, "only " + PATH + " is here\n");
            }
            else if (!"GET".equals(exchange.getRequestMethod()))
            {
                respond(exchange, 405, "only GET is answered\n");
            }
            else
            {
                respond(exchange, 200, text());
            }
        }
    }

    private synchronized String text()
    {
        // The mapping may be gone: a request that came in while this was closed is not worth a crash.
        return isClosed ? "" : metrics.text();
    }

    private static void respond(final HttpExchange exchange, final int status, final String text) throws IOException
    {
        final byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", CONTENT_TYPE);
        exchange.sendResponseHeaders(status, bytes.length);
        try (OutputStream out = exchange.getResponseBody())
        {
            out.write(bytes);
        }
    }

    @Override
    public void close()
    {
        server.stop(0);
        synchronized (this)
        {
            isClosed = true;
            counters.close();
        }
    }
}
