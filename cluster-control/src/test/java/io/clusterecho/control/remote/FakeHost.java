package io.clusterecho.control.remote;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.platform.BuildFacts;
import io.clusterecho.process.Launch;

/**
 * A host simulated by a test: each connection to it is a process that answers as the test sets. It presents the same
 * build as this end, and does not answer other requests.
 */
final class FakeHost implements Launch.Starter
{
    /** Behaviour of the agent on a request. */
    @FunctionalInterface
    interface Reaction
    {
        void on(FakeProcess process, JsonNode request);
    }

    static final InventoryHost HOST = new InventoryHost(
        "alpha", List.of(), "192.0.2.1", "", "alpha.example", List.of(), Path.of("/opt/cluster-echo"),
        Path.of("/data"), "java");
    /** That of the calls that are asked at once. */
    static final long SAMPLE_TIMEOUT_NS = 1_000_000_000;
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final List<FakeProcess> processes = new CopyOnWriteArrayList<>();
    private final List<List<String>> commands = new CopyOnWriteArrayList<>();
    private final List<JsonNode> requests = new CopyOnWriteArrayList<>();
    private final Map<String, Reaction> reactions = new ConcurrentHashMap<>();
    private volatile IOException startFailure;

    FakeHost()
    {
        on("hello", (process, request) -> answer(process, request, hello(BuildFacts.versions())));
    }

    FakeHost on(final String what, final Reaction reaction)
    {
        reactions.put(what, reaction);
        return this;
    }

    FakeHost answering(final String what, final Object value)
    {
        return on(what, (process, request) -> answer(process, request, value));
    }

    FakeHost failing(final String what, final String error, final int exitCode)
    {
        return on(what, (process, request) -> process.say(
            MAPPER.createObjectNode().put("id", id(request)).put("error", error).put("exitCode", exitCode).toString()));
    }

    void failStart(final IOException failure)
    {
        startFailure = failure;
    }

    static ObjectNode hello(final Map<String, String> versions)
    {
        return MAPPER.createObjectNode().set("versions", MAPPER.valueToTree(versions));
    }

    static void answer(final FakeProcess process, final JsonNode request, final Object value)
    {
        final ObjectNode answer = MAPPER.createObjectNode().put("id", id(request));
        process.say(answer.set("answer", MAPPER.valueToTree(value)).toString());
    }

    private static long id(final JsonNode request)
    {
        return request.path("id").asLong();
    }

    /** The process of a connection, by index from 0 in the order of opening. */
    FakeProcess process(final int index)
    {
        return processes.get(index);
    }

    int connectionCount()
    {
        return processes.size();
    }

    List<String> command(final int index)
    {
        return commands.get(index);
    }

    /** Requests so far, without the greetings. */
    List<JsonNode> requests()
    {
        return requests.stream().filter((request) -> !"hello".equals(request.path("do").asText())).toList();
    }

    JsonNode lastRequest()
    {
        return requests().get(requests().size() - 1);
    }

    int greetingCount()
    {
        return requests.size() - requests().size();
    }

    /** End all remaining processes. */
    void close()
    {
        processes.forEach(FakeProcess::destroy);
    }

    @Override
    public Process start(final ProcessBuilder builder) throws IOException
    {
        if (null != startFailure)
        {
            throw startFailure;
        }
        final FakeProcess process = new FakeProcess(this::onLine);
        commands.add(List.copyOf(builder.command()));
        processes.add(process);
        return process;
    }

    private void onLine(final FakeProcess process, final String line)
    {
        try
        {
            final JsonNode request = MAPPER.readTree(line);
            requests.add(request);
            reactions.getOrDefault(request.path("do").asText(), (to, asked) -> {}).on(process, request);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}
