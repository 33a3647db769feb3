package io.clusterecho.reporting.report;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import io.clusterecho.settings.InvalidSettingException;

/**
 * Serves the charts of a run that is going on, on loopback only: a page under {@code /}, and under {@code /run.json} what it
 * draws, which the page asks for again and again. Requests are answered by one thread, which sleeps when nobody asks.
 */
public final class LiveServer implements AutoCloseable
{
    private static final String DATA_PATH = "/run.json";
    private static final int BACKLOG = 4;

    private final HttpServer server;
    private final byte[] page;
    private volatile LiveRun run;
    private byte[] answer;
    private long answerVersion = -1;

    /**
     * Begin to answer.
     *
     * @param option that asked for it, named if the port is taken.
     * @param port   on 127.0.0.1; 0 is any that is free.
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
        server.start();
    }

    /**
     * Show a run from now on.
     *
     * @param newRun to show; it listens to the intervals of the run.
     */
    public LiveRun show(final LiveRun newRun)
    {
        run = newRun;
        return newRun;
    }

    /**
     * Where it answers.
     *
     * @return the address for a browser.
     */
    public String address()
    {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/";
    }

    private void answer(final HttpExchange exchange) throws IOException
    {
        try (exchange)
        {
            final String path = exchange.getRequestURI().getPath();
            // Another host's page that a browser was led to has no business here, whatever name it gave this address.
            final String host = String.valueOf(exchange.getRequestHeaders().getFirst("Host"));
            if (!host.matches("(127\\.0\\.0\\.1|localhost)(:[0-9]+)?"))
            {
                respond(exchange, 403, "text/plain", text("only 127.0.0.1 and localhost are answered\n"));
            }
            else if (!"GET".equals(exchange.getRequestMethod()))
            {
                respond(exchange, 405, "text/plain", text("only GET is answered\n"));
            }
            else if (DATA_PATH.equals(path))
            {
                respond(exchange, 200, "application/json", data());
            }
            else if ("/".equals(path))
            {
                respond(exchange, 200, "text/html", page);
            }
            else
            {
                respond(exchange, 404, "text/plain", text("only / and " + DATA_PATH + " are here\n"));
            }
        }
    }

    /**
     * Made once an interval, however many ask.
     */
    private byte[] data()
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
        exchange.getResponseHeaders().set("Content-Type", type + "; charset=utf-8");
        exchange.getResponseHeaders().set("Cache-Control", "no-store");
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
    }
}
