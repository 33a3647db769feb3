package io.clusterecho.client.worker;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.client.counters.CounterSource;
import io.clusterecho.control.remote.CallProtocol;
import io.clusterecho.control.remote.Calls;
import io.clusterecho.platform.BuildFacts;
import io.clusterecho.reporting.measurement.Counter;
import io.clusterecho.reporting.measurement.Counts;
import io.clusterecho.reporting.measurement.Histograms;
import io.clusterecho.reporting.measurement.LoadOutcome;
import io.clusterecho.reporting.measurement.RunInterval;
import io.clusterecho.reporting.measurement.RunPhase;
import io.clusterecho.reporting.measurement.Time;
import io.clusterecho.reporting.measurement.TimeRecorder;

import org.HdrHistogram.Histogram;

/**
 * One of {@link FakeWorkers}. Messages are answered at fixed times: message n of the schedule after n ms. What it says has a
 * kind: the name of an event, or hello, pong and done for the answers to the greeting, to a ping and to an offer.
 */
final class FakeWorker extends Calls
{
    static final long NS_PER_MESSAGE = 1_000_000L;
    private static final long DELAY_NS = 50_000L;
    private static final long RESPONSE_TIME_NS = 100_000L;

    private final FakeWorkers workers;
    private final int number;
    private final Consumer<String> remarks;
    private final Map<String, Integer> saidCounts = new HashMap<>();
    /** The message of each content that may be said. */
    private final Map<ObjectNode, ObjectNode> messages = new IdentityHashMap<>();
    private final List<ObjectNode> received = new ArrayList<>();
    private LoadWorker.Order run;
    private long runId;
    private long earlierRunId;
    private long startNs;
    private long toldNs;
    private boolean isRunning;
    private boolean isEnding;
    private boolean isDeaf;
    private boolean isGone;
    private boolean isSilent;
    private boolean isInputEnded;
    private boolean isClosed;

    FakeWorker(final FakeWorkers workers, final int number, final Consumer<String> remarks)
    {
        super(workers);
        this.workers = workers;
        this.number = number;
        this.remarks = remarks;
    }

    int number()
    {
        return number;
    }

    /** Offset of its clock from the coordinator's. */
    long clockOffsetNs()
    {
        return (number + 1) * 77 * FakeWorkers.SECOND_NS;
    }

    /** Names of the methods it was called for. */
    List<String> receivedKinds()
    {
        return received.stream().map((call) -> call.path("do").asText()).toList();
    }

    /** The first argument of the first call of a method. */
    JsonNode received(final String kind)
    {
        return received.stream().filter((call) -> kind.equals(call.path("do").asText())).findFirst().orElseThrow()
            .at("/arguments/0");
    }

    boolean isClosed()
    {
        return isClosed;
    }

    /** Send now what it would have said, or what was made of it. */
    void say(final ObjectNode content)
    {
        send(messages.get(content));
    }

    /** Answer another call than it was asked for. */
    void answerAnotherCall(final ObjectNode content)
    {
        send(messages.get(content).put("id", 1_000_000));
    }

    /** Send an event of the run that no listener knows. */
    void sayUnknownEvent()
    {
        send(message(runId).put("do", "dance"));
    }

    /** Answer the offer with an error. */
    void fail(final int exitCode, final String error)
    {
        send(message(runId).put("error", error).put("exitCode", exitCode));
    }

    /** Answer the offer before the last one with an error. */
    void failEarlierRun(final String error)
    {
        send(message(earlierRunId).put("error", error).put("exitCode", 1));
    }

    private void send(final ObjectNode message)
    {
        if (!isGone && !isSilent)
        {
            onMessage(message);
        }
    }

    private static ObjectNode message(final long id)
    {
        return object().put("id", id);
    }

    private static ObjectNode object()
    {
        return JsonNodeFactory.instance.objectNode();
    }

    void remark(final String line)
    {
        remarks.accept(line);
    }

    void die(final int status)
    {
        if (!isGone)
        {
            final String fate = "its process ended, " + (status > 128 ? "signal " + (status - 128) : "exit status " + status);
            isGone = true;
            isRunning = false;
            end(fate);
        }
    }

    void fallSilent()
    {
        isSilent = true;
    }

    /** Continue when asked to end. */
    void turnDeaf()
    {
        isDeaf = true;
    }

    /** End the schedule, as if by a signal from its own terminal. */
    void end()
    {
        isEnding = true;
        if (isRunning)
        {
            finish(workers.nanoTime() - startNs);
        }
    }

    @Override
    protected void write(final ObjectNode call, final Future<?> answer)
    {
        if (isInputEnded)
        {
            return;
        }
        received.add(call);
        final long id = call.path("id").asLong();
        final JsonNode argument = call.at("/arguments/0");
        switch (call.path("do").asText())
        {
            case "hello" ->
            {
                final ObjectNode hello = object();
                hello.put("pid", 1_000 + number).put("host", "host-" + number);
                BuildFacts.versions().forEach(hello.putObject("versions")::put);
                hello.putObject("machine").put("cores", "2");
                later("hello", answer(id, hello));
            }
            case "offer" ->
            {
                run = CallProtocol.MAPPER.convertValue(argument, LoadWorker.Order.class);
                earlierRunId = runId;
                runId = id;
                toldNs = 0;
                isEnding = false;
                later("ready", event("ready", Map.of()));
            }
            case "ping" ->
            {
                final long readNs = workers.nanoTime() + DELAY_NS;
                later("pong", answer(
                    id, object().put("nanoTime", readNs + clockOffsetNs()).put("epochNs", workers.epochNs() + DELAY_NS)));
            }
            case "start" -> start(argument.asLong() - clockOffsetNs());
            case "end" ->
            {
                if (!isDeaf)
                {
                    end();
                }
            }
            default -> throw new AssertionError("unexpected call " + call);
        }
    }

    private ObjectNode answer(final long id, final ObjectNode content)
    {
        messages.put(content, message(id).set("answer", content));
        return content;
    }

    private ObjectNode event(final String kind, final Object report)
    {
        final ObjectNode content = CallProtocol.MAPPER.valueToTree(report);
        final ObjectNode message = message(runId).put("do", kind);
        message.putArray("arguments").add(content);
        messages.put(content, message);
        return content;
    }

    @Override
    public void requestEnd()
    {
        if (!isInputEnded)
        {
            isInputEnded = true;
            workers.log().add("ask " + number);
        }
    }

    @Override
    public void close()
    {
        requestEnd();
        if (!isClosed)
        {
            isClosed = true;
            workers.log().add("await " + number);
        }
        die(0);
    }

    private void start(final long newStartNs)
    {
        startNs = newStartNs;
        isRunning = true;
        final long intervalNs = run.intervalNs();
        final long durationNs = run.durationNs();
        for (long endNs = intervalNs; endNs < durationNs; endNs += intervalNs)
        {
            final long thisEndNs = endNs;
            workers.after(startNs + endNs - workers.nanoTime(), () -> report(thisEndNs));
        }
        workers.after(startNs + (isEnding ? 0 : durationNs) - workers.nanoTime(), () -> finish(isEnding ? -1 : durationNs));
    }

    private void report(final long endNs)
    {
        if (isRunning)
        {
            perform("interval", interval(endNs, false));
        }
    }

    private void finish(final long endNs)
    {
        if (isRunning)
        {
            isRunning = false;
            perform("interval", interval(endNs, true));
            final ObjectNode done = answer(runId, CallProtocol.MAPPER.valueToTree(
                new LoadWorker.Done(outcome(dueBy(endNs)), List.of(), isEnding, 1_000_000, List.of())));
            workers.after(100_000_000L, () -> perform("done", done));
        }
    }

    private ObjectNode interval(final long endNs, final boolean isLast)
    {
        final long due = dueBy(endNs);
        final Histogram times = TimeRecorder.newHistogram();
        times.recordValueWithCount(RESPONSE_TIME_NS, due - (0 == toldNs ? 0 : dueBy(toldNs)));
        final Counts totals = new Counts();
        Stream.of(Counter.SENT_ALL, Counter.ANSWERED_ALL, Counter.SENT, Counter.ANSWERED)
            .forEach((counter) -> totals.set(counter, due));
        final RunInterval interval = new RunInterval(
            RunPhase.MEASURE, isLast, 0, toldNs, endNs, 0, 0, 0, totals, totals,
            new Histograms(Map.of(Time.RESPONSE, times, Time.SERVICE, times, Time.SEND_DELAY, times)),
            TimeRecorder.newHistogram(), null);
        toldNs = endNs;
        return event("interval", new LoadWorker.Interval(
            interval, new CounterSource.Rows(List.of("client," + (1_000 + number)), null)));
    }

    /** Messages of its share that are due by a given time since the start, inclusive. */
    private long dueBy(final long timeNs)
    {
        final long dueOfAll =
            timeNs < 0 ? 0 : Math.min(run.durationNs() / NS_PER_MESSAGE, timeNs / NS_PER_MESSAGE + 1);
        final int count = run.count();
        return (dueOfAll - number + count - 1) / count;
    }

    private static LoadOutcome outcome(final long answered)
    {
        return new LoadOutcome(
            new Counts().set(Counter.SCHEDULED, answered).set(Counter.ANSWERED, answered), 0, 0, TimeRecorder.newHistogram(),
            null, List.of(), List.of(), null);
    }

    private void later(final String kind, final ObjectNode content)
    {
        workers.after(2 * DELAY_NS, () -> perform(kind, content));
    }

    private void perform(final String kind, final ObjectNode content)
    {
        if (isGone)
        {
            return;
        }
        final int saidCount = saidCounts.merge(kind, 1, Integer::sum) - 1;
        final BiConsumer<FakeWorker, ObjectNode> replacement = workers.replacement(number, kind + " " + saidCount);
        if (null == replacement)
        {
            say(content);
        }
        else
        {
            replacement.accept(this, content);
        }
    }
}
