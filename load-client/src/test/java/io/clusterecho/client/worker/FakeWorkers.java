package io.clusterecho.client.worker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.client.load.Delivery;
import io.clusterecho.client.load.LoadPlan;
import io.clusterecho.client.schedule.ConstantSchedule;
import io.clusterecho.control.remote.Calls;
import io.clusterecho.platform.WaitClock;

/**
 * Workers without processes, on a clock that advances only when someone waits. Each behaves like a worker, except where the
 * test replaces one of its messages.
 */
final class FakeWorkers implements WorkerPool.Starter, WaitClock
{
    static final long SECOND_NS = 1_000_000_000L;
    static final int MESSAGE_COUNT = 2_000;
    static final long INTERVAL_NS = 200_000_000L;
    static final long SILENCE_NS = 3 * SECOND_NS;
    static final WorkerPool.Request REQUEST = new WorkerPool.Request(
        new LoadPlan(1_000, 64, 0, MESSAGE_COUNT, 1, SECOND_NS, 10 * SECOND_NS, 1_024, Delivery.AT_MOST_ONCE),
        new ConstantSchedule(1_000), List.of("--rate=1000"), 2 * SECOND_NS, 7, INTERVAL_NS, 30 * SECOND_NS, SILENCE_NS);
    private static final String COMMAND = "ssh host-%d worker";
    private static final long BEGIN_NS = 5_000 * SECOND_NS;
    private static final long EPOCH_NS = 1_800_000_000L * SECOND_NS;
    /** Longer than any wait of a coordinator. */
    private static final long PATIENCE_NS = 600 * SECOND_NS;
    private static final int MAX_SPINS = 100;

    private final PriorityQueue<Event> events =
        new PriorityQueue<>(Comparator.comparingLong(Event::timeNs).thenComparingLong(Event::order));
    private final Map<String, BiConsumer<FakeWorker, ObjectNode>> replacements = new HashMap<>();
    private final List<FakeWorker> started = new ArrayList<>();
    private final List<String> remarks = new ArrayList<>();
    private final List<String> log = new ArrayList<>();
    private final List<String> unstartable = new ArrayList<>();
    private long nowNs = BEGIN_NS;
    private long eventCount;
    private int spins;

    private record Event(long timeNs, long order, Runnable action)
    {
    }

    /** A pool of these workers. */
    WorkerPool pool(final int count)
    {
        final List<List<String>> commands = IntStream.range(0, count)
            .mapToObj((number) -> List.of(String.format(COMMAND, number).split(" "))).toList();
        return new WorkerPool(commands, remarks::add, this, this);
    }

    /**
     * Replace a message of a worker.
     *
     * @param number      of the client.
     * @param what        the message: its kind, a blank and the number of earlier messages of that kind.
     * @param replacement called with the worker and the content of the message.
     */
    void inPlaceOf(final int number, final String what, final BiConsumer<FakeWorker, ObjectNode> replacement)
    {
        replacements.put(number + " " + what, replacement);
    }

    void cannotStart(final int number)
    {
        unstartable.add("client-" + number);
    }

    /** The replacement for the next message of a kind, if there is one. */
    BiConsumer<FakeWorker, ObjectNode> replacement(final int number, final String what)
    {
        return replacements.remove(number + " " + what);
    }

    void after(final long delayNs, final Runnable action)
    {
        events.add(new Event(nowNs + delayNs, eventCount++, action));
    }

    /** Stop all processes of this machine for a while: the coordinator and its readers. */
    void stall(final long timeNs)
    {
        nowNs += timeNs;
    }

    long elapsedNs()
    {
        return nowNs - BEGIN_NS;
    }

    /** The last worker started with a number. */
    FakeWorker worker(final int number)
    {
        return started.stream().filter((worker) -> number == worker.number()).reduce((one, other) -> other).orElseThrow();
    }

    List<String> remarks()
    {
        return remarks;
    }

    /** The order in which workers were asked to end and awaited. */
    List<String> log()
    {
        return log;
    }

    /** Workers that were started and not closed. */
    List<Integer> left()
    {
        return started.stream().filter((worker) -> !worker.isClosed()).map(FakeWorker::number).toList();
    }

    List<FakeWorker> started()
    {
        return started;
    }

    @Override
    public Calls start(final String name, final List<String> command, final Consumer<String> remarks)
    {
        if (unstartable.contains(name))
        {
            throw new UncheckedIOException(new IOException("no such program"));
        }
        final FakeWorker worker = new FakeWorker(this, Integer.parseInt(name.substring("client-".length())), remarks);
        started.add(worker);
        return worker;
    }

    @Override
    public long nanoTime()
    {
        return nowNs;
    }

    @Override
    public long epochNs()
    {
        return EPOCH_NS + nowNs;
    }

    @Override
    public void park(final long maxNs)
    {
        if (maxNs <= 0)
        {
            throw new AssertionError("waits for " + maxNs + " ns");
        }
        if (Thread.currentThread().isInterrupted())
        {
            // Like the system's clock, which does not wait then.
            spins++;
            if (spins > MAX_SPINS)
            {
                throw new AssertionError("spins on its interrupt");
            }
            return;
        }
        final long deadlineNs = nowNs + maxNs;
        if (events.isEmpty() || events.peek().timeNs > deadlineNs)
        {
            nowNs = deadlineNs;
        }
        else
        {
            final Event event = events.poll();
            nowNs = Math.max(nowNs, event.timeNs);
            event.action.run();
        }
        if (elapsedNs() > PATIENCE_NS)
        {
            throw new AssertionError("still waits after " + elapsedNs() / SECOND_NS + " s");
        }
    }
}
