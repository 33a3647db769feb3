package io.clusterecho.client.worker;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.client.load.LoadMessages;
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

/** One of {@link FakeWorkers}. Messages are answered at fixed times: message n of the schedule after n ms. */
final class FakeWorker implements WorkerLink
{
    static final long NS_PER_MESSAGE = 1_000_000L;
    private static final long DELAY_NS = 50_000L;
    private static final long RESPONSE_TIME_NS = 100_000L;

    private final FakeWorkers workers;
    private final int number;
    private final Consumer<String> remarks;
    private final Deque<Heard> heard = new ArrayDeque<>();
    private final Map<String, Integer> saidCounts = new HashMap<>();
    private final List<ObjectNode> received = new ArrayList<>();
    private ObjectNode run;
    private String fate = "it closed its output";
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

    List<String> receivedKinds()
    {
        return received.stream().map(Protocol::kind).toList();
    }

    ObjectNode received(final String kind)
    {
        return received.stream().filter((message) -> kind.equals(Protocol.kind(message))).findFirst().orElseThrow();
    }

    boolean isClosed()
    {
        return isClosed;
    }

    void begin()
    {
        final ObjectNode hello = Protocol.message(Protocol.HELLO);
        hello.put("version", Protocol.VERSION).put("pid", 1_000 + number).put("host", "host-" + number);
        BuildFacts.versions().forEach(hello.putObject("versions")::put);
        hello.putObject("machine").put("cores", "2");
        later(hello);
    }

    /** Send any message now. */
    void say(final ObjectNode message)
    {
        if (!isGone && !isSilent)
        {
            heard.add(new Heard(message, workers.nanoTime()));
        }
    }

    void remark(final String line)
    {
        remarks.accept(line);
    }

    void die(final int status)
    {
        if (!isGone)
        {
            fate = "its process ended, " + (status > 128 ? "signal " + (status - 128) : "exit status " + status);
            isGone = true;
            isRunning = false;
            heard.add(new Heard(null, workers.nanoTime()));
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
    public void send(final ObjectNode message)
    {
        if (isInputEnded)
        {
            return;
        }
        received.add(message);
        switch (Protocol.kind(message))
        {
            case Protocol.RUN ->
            {
                run = message;
                toldNs = 0;
                isEnding = false;
                later(Protocol.message(Protocol.READY));
            }
            case Protocol.PING ->
            {
                final ObjectNode pong = Protocol.message(Protocol.PONG).put("id", message.path("id").asInt());
                final long readNs = workers.nanoTime() + DELAY_NS;
                later(pong.put("nanoTime", readNs + clockOffsetNs()).put("epochNs", workers.epochNs() + DELAY_NS));
            }
            case Protocol.START -> start(message.path("startNs").asLong() - clockOffsetNs());
            case Protocol.END ->
            {
                if (!isDeaf)
                {
                    end();
                }
            }
            default -> throw new AssertionError("unexpected message " + message);
        }
    }

    @Override
    public Heard poll()
    {
        return heard.poll();
    }

    @Override
    public String fate()
    {
        return fate;
    }

    @Override
    public void endInput()
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
        endInput();
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
        final long intervalNs = run.path("intervalNs").asLong();
        final long durationNs = run.path("durationNs").asLong();
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
            perform(interval(endNs, false));
        }
    }

    private void finish(final long endNs)
    {
        if (isRunning)
        {
            isRunning = false;
            perform(interval(endNs, true));
            final ObjectNode outcome = Protocol.message(Protocol.OUTCOME);
            LoadMessages.put(outcome(dueBy(endNs)), outcome);
            perform(outcome.put("endedEarly", isEnding));
            final ObjectNode done = Protocol.message(Protocol.DONE).put("ceilingPerSecond", 1_000_000);
            done.putArray("warnings");
            workers.after(100_000_000L, () -> perform(done));
        }
    }

    private ObjectNode interval(final long endNs, final boolean isLast)
    {
        final ObjectNode interval = Protocol.message(Protocol.INTERVAL);
        final long due = dueBy(endNs);
        final Histogram times = TimeRecorder.newHistogram();
        times.recordValueWithCount(RESPONSE_TIME_NS, due - (0 == toldNs ? 0 : dueBy(toldNs)));
        final Counts totals = new Counts();
        Stream.of(Counter.SENT_ALL, Counter.ANSWERED_ALL, Counter.SENT, Counter.ANSWERED)
            .forEach((counter) -> totals.set(counter, due));
        LoadMessages.put(new RunInterval(
            RunPhase.MEASURE, isLast, 0, toldNs, endNs, 0, 0, 0, totals, totals,
            new Histograms(Map.of(Time.RESPONSE, times, Time.SERVICE, times, Time.SEND_DELAY, times)),
            TimeRecorder.newHistogram(), times), interval);
        interval.putArray("processes").add("client," + (1_000 + number));
        toldNs = endNs;
        return interval;
    }

    /** Messages of its share that are due by a given time since the start, inclusive. */
    private long dueBy(final long timeNs)
    {
        final long dueOfAll =
            timeNs < 0 ? 0 : Math.min(run.path("durationNs").asLong() / NS_PER_MESSAGE, timeNs / NS_PER_MESSAGE + 1);
        final int count = run.path("count").asInt();
        return (dueOfAll - number + count - 1) / count;
    }

    private static LoadOutcome outcome(final long answered)
    {
        return new LoadOutcome(
            new Counts().set(Counter.SCHEDULED, answered).set(Counter.ANSWERED, answered), 0, 0, TimeRecorder.newHistogram(),
            null,
            List.of());
    }

    private void later(final ObjectNode message)
    {
        workers.after(2 * DELAY_NS, () -> perform(message));
    }

    private void perform(final ObjectNode message)
    {
        if (isGone)
        {
            return;
        }
        final String kind = Protocol.kind(message);
        final int saidCount = saidCounts.merge(kind, 1, Integer::sum) - 1;
        final BiConsumer<FakeWorker, ObjectNode> replacement = workers.replacement(number, kind + " " + saidCount);
        if (null == replacement)
        {
            say(message);
        }
        else
        {
            replacement.accept(this, message);
        }
    }
}
