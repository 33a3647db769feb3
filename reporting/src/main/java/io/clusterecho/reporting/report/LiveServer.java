package io.clusterecho.reporting.report;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import io.clusterecho.settings.InvalidSettingException;

/**
 * Serves a run in progress, on loopback only: a page under {@code /}, its data under {@code /run.json}, which the page polls,
 * and metrics for Prometheus under {@code /metrics}. Each request has its own thread, so that one that stops half way does not
 * delay the others; it is ended after 10 s.
 */
public final class LiveServer implements AutoCloseable
{
    private static final String DATA_PATH = "/run.json";
    private static final String METRICS_PATH = "/metrics";
    private static final String TEXT = "text/plain; charset=utf-8";
    private static final int BACKLOG = 16;
    private static final int MAX_THREADS = 16;
    private static final long IDLE_S = 10;
    private static final long POLLED_NS = TimeUnit.SECONDS.toNanos(3);
    private static final long LINGER_MS = 2_000;

    static
    {
        // Limits of the JDK's server, in seconds; without them a request that stops half way keeps its thread for ever.
        for (final String limit : new String[]{ "sun.net.httpserver.maxReqTime", "sun.net.httpserver.maxRspTime" })
        {
            System.setProperty(limit, System.getProperty(limit, String.valueOf(IDLE_S)));
        }
    }

    private final CountDownLatch endShown = new CountDownLatch(1);

    private final HttpServer server;
    private final ExecutorService threads = new ThreadPoolExecutor(
        0, MAX_THREADS, IDLE_S, TimeUnit.SECONDS, new SynchronousQueue<>(), (request) ->
        {
            final Thread thread = new Thread(request, "live-server");
            thread.setDaemon(true);
            return thread;
        });
    private final byte[] page;
    private volatile LiveRun run;
    private volatile LiveMetrics metrics;
    private volatile long lastPollNs = System.nanoTime() - POLLED_NS;
    private volatile boolean isEnded;
    private byte[] answer;
    private long answerVersion = -1;

    /**
     * Start serving.
     *
     * @param option named in the message if the port is taken.
     * @param port   on 127.0.0.1; 0 for any free port.
     * @throws InvalidSettingException if the port is taken.
     */
    public LiveServer(final String option, final int port)
    {
        page = ReportPage.live().getBytes(StandardCharsets.UTF_8);
        try
        {
            server = HttpServer.create(
                new InetSocketAddress(InetAddress.getByAddress(new byte[]{ 127, 0, 0, 1 }), port), BACKLOG);
        }
        catch (final IOException ex)
        {
            throw new InvalidSettingException(option, port, "a free port of 127.0.0.1, or 0 for any (" + ex.getMessage() + ")");
        }
        server.createContext("/", this::answer);
        server.setExecutor(threads);
        server.start();
    }

    /** Show a run from now on; it listens to the intervals of the run. */
    public LiveRun show(final LiveRun newRun)
    {
        metrics = new LiveMetrics(newRun);
        run = newRun;
        return newRun;
    }

    /** The address for a browser, with a slash at the end. */
    public String address()
    {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/";
    }

    private void answer(final HttpExchange exchange) throws IOException
    {
        try (exchange)
        {
            final String path = exchange.getRequestURI().getPath();
            // A page of another host may have resolved its own name to this address (DNS rebinding).
            final String host = String.valueOf(exchange.getRequestHeaders().getFirst("Host"));
            if (!host.matches("(127\\.0\\.0\\.1|localhost)(:[0-9]+)?"))
            {
                respond(exchange, 403, TEXT, text("only 127.0.0.1 and localhost are answered\n"));
            }
            else if (!"GET".equals(exchange.getRequestMethod()))
            {
                respond(exchange, 405, TEXT, text("only GET is answered\n"));
            }
            else if (DATA_PATH.equals(path))
            {
                lastPollNs = System.nanoTime();
                final boolean isLast = isEnded;
                respond(exchange, 200, "application/json; charset=utf-8", data());
                if (isLast)
                {
                    endShown.countDown();
                }
            }
            else if (METRICS_PATH.equals(path))
            {
                final LiveMetrics shown = metrics;
                respond(exchange, 200, LiveMetrics.CONTENT_TYPE, null == shown ? new byte[0] : shown.text());
            }
            else if ("/".equals(path))
            {
                respond(exchange, 200, "text/html; charset=utf-8", page);
            }
            else
            {
                respond(exchange, 404, TEXT, text("only /, " + DATA_PATH + " and " + METRICS_PATH + " are here\n"));
            }
        }
    }

    /** Built once an interval, however many pages poll. */
    private synchronized byte[] data()
    {
        final LiveRun shown = run;
        if (null == shown)
        {
            return text("{\"runs\":[]}");
        }
        final long version = shown.version();
        if (answerVersion != version)
        {
            answer = text(shown.json());
            answerVersion = version;
        }

        return answer;
    }

    private static byte[] text(final String text)
    {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static void respond(final HttpExchange exchange, final int status, final String type, final byte[] bytes)
        throws IOException
    {
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.getResponseHeaders().set("Cache-Control", "no-store");
        exchange.sendResponseHeaders(status, bytes.length);
        try (OutputStream out = exchange.getResponseBody())
        {
            out.write(bytes);
        }
    }

    /**
     * Stop serving. If a page has polled within the last 3 s, wait up to 2 s for it to poll once more, so that it can say that
     * the run has ended.
     */
    @Override
    public void close()
    {
        final LiveRun shown = run;
        if (null != shown)
        {
            shown.end();
            isEnded = true;
            if (System.nanoTime() - lastPollNs < POLLED_NS)
            {
                awaitLastPoll();
            }
        }
        server.stop(0);
        threads.shutdownNow();
    }

    private void awaitLastPoll()
    {
        try
        {
            endShown.await(LINGER_MS, TimeUnit.MILLISECONDS);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }
}
