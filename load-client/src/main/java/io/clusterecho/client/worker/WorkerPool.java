package io.clusterecho.client.worker;

import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.client.transport.NotConnectedException;
import io.clusterecho.platform.WaitClock;
import io.clusterecho.reporting.results.ClockOffset;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Quantity;

/**
 * Workers that share the load of one run after the other. They stay between runs, so that they are warm; a lost one is
 * restarted for the next run. The thread that makes a pool calls all methods.
 */
public final class WorkerPool implements AutoCloseable
{
    private static final long HELLO_TIMEOUT_NS = 60_000_000_000L;
    private static final long PONG_TIMEOUT_NS = 10_000_000_000L;
    private static final int PING_COUNT = 20;
    private static final int STATUS_USAGE = 2;
    private static final int STATUS_NOT_CONNECTED = 3;

    private final List<List<String>> commands;
    private final String option;
    private final long silenceNs;
    private final Consumer<String> remarks;
    private final WorkerLink.Starter starter;
    private final WaitClock clock;
    private final WorkerLink[] links;
    private final JsonNode[] hellos;

    /**
     * A connected worker.
     *
     * @param hello   its first message.
     */
    record Worker(int number, String name, String command, WorkerLink link, JsonNode hello)
    {
    }

    /**
     * An empty pool: the first run starts the workers.
     *
     * @param commands  that start the workers, one each.
     * @param option    with the commands, for errors.
     * @param silenceNs longest silence of a worker, beyond the length of an interval, before it counts as lost.
     * @param remarks   receives output of workers that is not part of the protocol, on any thread.
     */
    public WorkerPool(
        final List<List<String>> commands, final String option, final long silenceNs, final Consumer<String> remarks)
    {
        this(commands, option, silenceNs, remarks, ProcessLink::new, WaitClock.SYSTEM);
    }

    WorkerPool(
        final List<List<String>> commands,
        final String option,
        final long silenceNs,
        final Consumer<String> remarks,
        final WorkerLink.Starter starter,
        final WaitClock clock)
    {
        this.commands = commands;
        this.option = option;
        this.silenceNs = silenceNs;
        this.remarks = remarks;
        this.starter = starter;
        this.clock = clock;
        links = new WorkerLink[commands.size()];
        hellos = new JsonNode[commands.size()];
    }

    /**
     * Start missing workers, let all of them open their sessions, and compare the clocks. If that fails, all workers are ended.
     *
     * @throws InvalidSettingException if a worker cannot be started, or rejects an option.
     * @throws NotConnectedException   if a worker cannot reach the cluster, or ends; or if this thread is interrupted.
     */
    public DistributedRun prepare(final RunRequest request)
    {
        boolean isReady = false;
        try
        {
            start();
            final List<Worker> workers = new ArrayList<>();
            for (int i = 0; i < links.length; i++)
            {
                links[i].send(runMessage(request, i));
                workers.add(new Worker(i, name(i), command(i), links[i], hellos[i]));
            }
            final long deadlineNs = clock.nanoTime() + request.readyTimeoutNs();
            for (final Worker worker : workers)
            {
                awaitReady(worker, deadlineNs, request.readyTimeoutNs());
            }
            final List<ClockOffset> offsets = new ArrayList<>();
            for (final Worker worker : workers)
            {
                offsets.add(compareClocks(worker));
            }
            isReady = true;
            return new DistributedRun(this, request, workers, offsets, silenceNs);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            throw new NotConnectedException("interrupted while the clients were getting ready", ex);
        }
        finally
        {
            if (!isReady)
            {
                close();
            }
        }
    }

    @Override
    public void close()
    {
        // Ask all of them first, because each takes some time to end.
        for (final WorkerLink link : links)
        {
            if (null != link)
            {
                link.endInput();
            }
        }
        for (int i = 0; i < links.length; i++)
        {
            drop(i);
        }
    }

    WaitClock clock()
    {
        return clock;
    }

    void drop(final int number)
    {
        if (null != links[number])
        {
            links[number].close();
            links[number] = null;
            hellos[number] = null;
        }
    }

    /** Compare the clocks with a worker that sends nothing else now. */
    ClockOffset compareClocks(final Worker worker) throws InterruptedException
    {
        ClockOffset best = null;
        for (int i = 0; i < PING_COUNT; i++)
        {
            final ObjectNode ping = Protocol.message(Protocol.PING).put("id", i);
            final long ownEpochNs = clock.epochNs();
            final long sentNs = clock.nanoTime();
            worker.link().send(ping);
            final WorkerLink.Heard heard = await(worker.link(), sentNs + PONG_TIMEOUT_NS);
            if (null == heard || !heard.is(Protocol.PONG) || i != heard.message().path("id").asInt(-1))
            {
                throw failure(worker, heard, "did not answer a ping within " + Quantity.formatNs(PONG_TIMEOUT_NS));
            }
            best = ClockOffset.of(
                sentNs, heard.timeNs(), timeNs(worker, heard.message(), "nanoTime"), ownEpochNs,
                timeNs(worker, heard.message(), "epochNs")).orBetter(best);
        }

        return best;
    }

    private static long timeNs(final Worker worker, final JsonNode pong, final String field)
    {
        if (!pong.path(field).isIntegralNumber())
        {
            throw new NotConnectedException(worker.name() + " answered a ping without its " + field + ": " + pong, null);
        }

        return pong.path(field).asLong();
    }

    private void start() throws InterruptedException
    {
        for (int i = 0; i < links.length; i++)
        {
            dropIfGone(i);
            if (null == links[i])
            {
                links[i] = start(i);
            }
        }
        final long deadlineNs = clock.nanoTime() + HELLO_TIMEOUT_NS;
        for (int i = 0; i < links.length; i++)
        {
            if (null == hellos[i])
            {
                hellos[i] = hello(i, deadlineNs);
            }
        }
    }

    /** A worker sends nothing between two runs; otherwise it has ended or is not to be relied on. */
    private void dropIfGone(final int number)
    {
        final WorkerLink.Heard heard = null == links[number] ? null : links[number].poll();
        if (null != heard)
        {
            remarks.accept(
                name(number) + ": " + (heard.isEnd() ? links[number].fate() :
                "it sent a message between two runs: " + heard.message()) + "; it is restarted");
            drop(number);
        }
    }

    private WorkerLink start(final int number)
    {
        try
        {
            return starter.start(
                "client-" + number, commands.get(number), (line) -> remarks.accept(name(number) + ": " + line));
        }
        catch (final UncheckedIOException ex)
        {
            throw noWorker(number, "cannot be started: " + ex.getCause().getMessage());
        }
    }

    private WorkerLink.Heard await(final WorkerLink link, final long deadlineNs) throws InterruptedException
    {
        while (true)
        {
            if (Thread.interrupted())
            {
                throw new InterruptedException();
            }
            final WorkerLink.Heard heard = link.poll();
            final long leftNs = deadlineNs - clock.nanoTime();
            if (null != heard || leftNs <= 0)
            {
                return heard;
            }
            clock.park(leftNs);
        }
    }

    private JsonNode hello(final int number, final long deadlineNs) throws InterruptedException
    {
        final WorkerLink.Heard heard = await(links[number], deadlineNs);
        if (null == heard)
        {
            throw noWorker(number, "sent nothing within " + Quantity.formatNs(HELLO_TIMEOUT_NS));
        }
        if (heard.isEnd())
        {
            throw noWorker(number, "is lost: " + links[number].fate());
        }
        if (!heard.is(Protocol.HELLO))
        {
            throw noWorker(number, "sent another message: " + heard.message());
        }
        final int version = heard.message().path("version").asInt();
        if (Protocol.VERSION != version)
        {
            throw new InvalidSettingException(
                option, command(number), "a worker of the same build (" + name(number) + " has version " + version +
                " of the protocol, not " + Protocol.VERSION + ")");
        }

        return heard.message();
    }

    private InvalidSettingException noWorker(final int number, final String why)
    {
        return new InvalidSettingException(
            option, command(number), "a command line that starts a worker, as in ssh HOST cluster-echo/bin/load-client worker (" +
            name(number) + " " + why + ")");
    }

    private ObjectNode runMessage(final RunRequest request, final int number)
    {
        final ObjectNode message = Protocol.message(Protocol.RUN);
        request.arguments().forEach(message.putArray("arguments")::add);
        message.put("number", number).put("count", links.length);
        message.put("durationNs", request.durationNs()).put("intervalNs", request.intervalNs());
        return message.put("firstClientId", request.firstClientId());
    }

    private void awaitReady(final Worker worker, final long deadlineNs, final long timeoutNs) throws InterruptedException
    {
        final WorkerLink.Heard heard = await(worker.link(), deadlineNs);
        if (null != heard && heard.is(Protocol.FAILED))
        {
            final String message = worker.name() + ": " + heard.message().path("message").asText();
            throw switch (heard.message().path("status").asInt())
            {
                case STATUS_USAGE -> new InvalidSettingException(message);
                case STATUS_NOT_CONNECTED -> new NotConnectedException(message, null);
                default -> new IllegalStateException(message);
            };
        }
        if (null == heard || !heard.is(Protocol.READY))
        {
            throw failure(worker, heard, "was not ready within " + Quantity.formatNs(timeoutNs));
        }
    }

    private static NotConnectedException failure(final Worker worker, final WorkerLink.Heard heard, final String silence)
    {
        return new NotConnectedException(
            worker.name() + " " + (null == heard ? silence : heard.isEnd() ? "is lost: " + worker.link().fate() :
            "sent an unexpected message: " + heard.message()), null);
    }

    private static String name(final int number)
    {
        return "client " + number;
    }

    private String command(final int number)
    {
        return String.join(" ", commands.get(number));
    }
}
