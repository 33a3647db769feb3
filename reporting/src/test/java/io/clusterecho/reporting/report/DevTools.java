package io.clusterecho.reporting.report;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * A headless Chromium process, driven through its DevTools protocol. Any thread may call it; each call blocks until the browser
 * has answered.
 */
final class DevTools
{
    private static final long DEADLINE_S = 180;
    private static final long LOOK_MS = 20;
    /** What drops down from it are two pages with 400 scripts. */
    private static final String NO_ADDRESS_BAR = "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup";
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final Map<Integer, CompletableFuture<JsonNode>> pending = new ConcurrentHashMap<>();
    private final Map<String, List<String>> complaints = new ConcurrentHashMap<>();
    private final AtomicInteger ids = new AtomicInteger();
    private final Path profile;
    private final Process process;
    private final WebSocket socket;

    /**
     * Start a browser and connect to it.
     *
     * @param executable of the browser.
     * @throws IllegalStateException if it does not answer within three minutes.
     */
    DevTools(final Path executable) throws IOException, InterruptedException
    {
        profile = Files.createTempDirectory("cluster-echo-browser");
        process = new ProcessBuilder(
            executable.toString(), "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
            "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
            "--hide-scrollbars", NO_ADDRESS_BAR, "--remote-debugging-port=0", "--user-data-dir=" + profile, "about:blank")
            .redirectErrorStream(true).redirectOutput(profile.resolve("output.txt").toFile()).start();
        socket = HttpClient.newHttpClient().newWebSocketBuilder().buildAsync(URI.create(address()), new Listener()).join();
    }

    /**
     * Call a method of the protocol.
     *
     * @param session    of a page, or null for the browser itself.
     * @param method     as in {@code Page.navigate}.
     * @param parameters of the method.
     * @return its result as JSON.
     * @throws IllegalStateException if the browser answers with an error, or not within three minutes.
     */
    JsonNode call(final String session, final String method, final Map<String, Object> parameters)
    {
        final int id = ids.incrementAndGet();
        final CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        pending.put(id, answer);
        final ObjectNode message = MAPPER.createObjectNode().put("id", id).put("method", method);
        message.set("params", MAPPER.valueToTree(parameters));
        if (null != session)
        {
            message.put("sessionId", session);
        }
        synchronized (socket)
        {
            socket.sendText(message.toString(), true).join();
        }
        try
        {
            final JsonNode node = answer.get(DEADLINE_S, TimeUnit.SECONDS);
            if (node.has("error"))
            {
                throw new IllegalStateException(method + " failed: " + node.get("error"));
            }
            return node.get("result");
        }
        catch (final InterruptedException | ExecutionException | TimeoutException ex)
        {
            throw new IllegalStateException("the browser did not answer " + method + " within " + DEADLINE_S + " s", ex);
        }
    }

    /**
     * Errors of a page, and what its scripts printed on the console.
     *
     * @param session of the page.
     * @return so far; empty if there are none.
     */
    List<String> complaints(final String session)
    {
        final List<String> list = complaints.getOrDefault(session, List.of());
        synchronized (list)
        {
            return List.copyOf(list);
        }
    }

    /** Stop the browser and delete its profile. */
    void stop()
    {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        try
        {
            process.waitFor();
            try (Stream<Path> files = Files.walk(profile))
            {
                files.sorted((one, other) -> other.compareTo(one)).forEach((file) -> file.toFile().delete());
            }
        }
        catch (final IOException ignore)
        {
            // A leftover in the folder for temporary files.
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }

    private String address() throws IOException, InterruptedException
    {
        final Path file = profile.resolve("DevToolsActivePort");
        final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_S);
        while (System.nanoTime() - deadlineNs < 0)
        {
            final List<String> lines = Files.exists(file) ? Files.readAllLines(file) : List.of();
            if (lines.size() > 1)
            {
                return "ws://127.0.0.1:" + lines.get(0) + lines.get(1);
            }
            Thread.sleep(LOOK_MS);
        }
        stop();
        throw new IllegalStateException("the browser did not open its port within " + DEADLINE_S + " s");
    }

    private void onMessage(final JsonNode message)
    {
        if (message.has("id"))
        {
            pending.remove(message.get("id").asInt()).complete(message);
            return;
        }
        final String complaint = switch (message.path("method").asText())
        {
            case "Runtime.exceptionThrown" -> message.at("/params/exceptionDetails").toString();
            case "Log.entryAdded" -> "error".equals(message.at("/params/entry/level").asText()) ?
                message.at("/params/entry/text").asText() + " " + message.at("/params/entry/url").asText() : "";
            case "Runtime.consoleAPICalled" -> message.at("/params/args").toString();
            default -> "";
        };
        if (!complaint.isEmpty())
        {
            final List<String> list =
                complaints.computeIfAbsent(message.path("sessionId").asText(), (session) -> new ArrayList<>());
            synchronized (list)
            {
                list.add(complaint);
            }
        }
    }

    private final class Listener implements WebSocket.Listener
    {
        private final StringBuilder text = new StringBuilder();

        @Override
        public CompletionStage<?> onText(final WebSocket webSocket, final CharSequence data, final boolean isLast)
        {
            text.append(data);
            if (isLast)
            {
                final String whole = text.toString();
                text.setLength(0);
                try
                {
                    onMessage(MAPPER.readTree(whole));
                }
                catch (final IOException ex)
                {
                    throw new IllegalStateException("the browser sent no JSON: " + whole, ex);
                }
            }
            webSocket.request(1);
            return null;
        }
    }
}
