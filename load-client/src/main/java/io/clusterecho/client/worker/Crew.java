package io.clusterecho.client.worker;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.client.results.ClockOffset;
import io.clusterecho.client.transport.NotConnectedException;
import io.clusterecho.platform.BuildFacts;
import io.clusterecho.settings.InvalidSettingException;

import org.agrona.CloseHelper;

/**
 * Workers that offer the load of one run after the other together. They stay between runs, so that they are warm; one that
 * was lost is started anew for the next. The thread that makes a crew calls all methods.
 */
public final class Crew implements AutoCloseable
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
    private final CoordinatorClock clock;
    private final Worker[] workers;

    /**
     * A worker that said hello.
     *
     * @param name  as people read it.
     * @param link  to it.
     * @param hello that it said.
     */
    record Worker(String name, WorkerLink link, JsonNode hello)
    {
    }

    /**
     * A crew of which nobody is there yet.
     *
     * @param commands  that start the workers, one each.
     * @param option    that named the commands, for errors.
     * @param silenceNs how long a worker may say nothing beyond the length of an interval, before it counts as lost.
     * @param remarks   told what workers say beside the protocol, on any thread.
     */
    public Crew(
        final List<List<String>> commands, final String option, final long silenceNs, final Consumer<String> remarks)
    {
        this(commands, option, silenceNs, remarks, ProcessLink::new, CoordinatorClock.SYSTEM);
    }

    Crew(
        final List<List<String>> commands,
        final String option,
        final long silenceNs,
        final Consumer<String> remarks,
        final WorkerLink.Starter starter,
        final CoordinatorClock clock)
    {
        this.commands = commands;
        this.option = option;
        this.silenceNs = silenceNs;
        this.remarks = remarks;
        this.starter = starter;
        this.clock = clock;
        workers = new Worker[commands.size()];
    }

    /**
     * Start workers that are not there, let all of them open their sessions, and compare the clocks. When that fails, all
     * workers are ended.
     *
     * @param order for all of them.
     * @return the run, ready to begin.
     * @throws InvalidSettingException if a worker cannot be started, or refuses an option.
     * @throws NotConnectedException   if one finds no cluster, or ends; or if this thread is interrupted.
     */
    public CrewRun prepare(final Order order)
    {
        boolean isReady = false;
        try
        {
            start();
            for (int i = 0; i < workers.length; i++)
            {
                workers[i].link().send(runMessage(order, i));
            }
            final long deadlineNs = clock.nanoTime() + order.readyTimeoutNs();
            for (final Worker worker : workers)
            {
                awaitReady(worker, deadlineNs);
            }
            final List<ClockOffset> offsets = new ArrayList<>();
            for (final Worker worker : workers)
            {
                offsets.add(compareClocks(worker));
            }
            isReady = true;
            return new CrewRun(this, order, List.of(workers), offsets, silenceNs);
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

    /**
     * End all workers.
     */
    @Override
    public void close()
    {
        final List<WorkerLink> links = new ArrayList<>();
        for (int i = 0; i < workers.length; i++)
        {
            if (null != workers[i])
            {
                links.add(workers[i].link());
                workers[i] = null;
            }
        }
        // Side by side: each takes its time.
        links.parallelStream().forEach(CloseHelper::quietClose);
    }

    /**
     * Time of all of its runs.
     */
    CoordinatorClock clock()
    {
        return clock;
    }

    /**
     * How a worker was started.
     */
    String command(final int number)
    {
        return String.join(" ", commands.get(number));
    }

    /**
     * Let go of a worker; the next run has a new one.
     */
    void drop(final int number)
    {
        if (null != workers[number])
        {
            workers[number].link().kill();
            CloseHelper.quietClose(workers[number].link());
            workers[number] = null;
        }
    }

    /**
     * Compare the clocks with those of a worker that has nothing else to say.
     */
    ClockOffset compareClocks(final Worker worker) throws InterruptedException
    {
        ClockOffset best = null;
        for (int i = 0; i < PING_COUNT; i++)
        {
            final ObjectNode ping = Protocol.message(Protocol.PING).put("id", i);
            final long leaderEpochNs = clock.epochNs();
            final long sentNs = clock.nanoTime();
            worker.link().send(ping);
            final WorkerLink.Heard heard = await(worker.link(), sentNs + PONG_TIMEOUT_NS);
            if (null == heard || !heard.is(Protocol.PONG) || i != heard.message().path("id").asInt(-1))
            {
                throw lost(worker, heard, "did not answer a ping");
            }
            best = ClockOffset.of(
                sentNs, heard.timeNs(), heard.message().path("nanoTime").asLong(), leaderEpochNs,
                heard.message().path("epochNs").asLong()).orBetter(best);
        }

        return best;
    }

    private void start() throws InterruptedException
    {
        final WorkerLink[] links = new WorkerLink[workers.length];
        try
        {
            for (int i = 0; i < workers.length; i++)
            {
                final String name = "client " + i;
                links[i] = null != workers[i] ? null : start(i, (line) -> remarks.accept(name + ": " + line));
            }
            final long deadlineNs = clock.nanoTime() + HELLO_TIMEOUT_NS;
            for (int i = 0; i < workers.length; i++)
            {
                if (null != links[i])
                {
                    workers[i] = new Worker("client " + i, links[i], hello(links[i], commands.get(i), deadlineNs));
                }
            }
        }
        finally
        {
            for (int i = 0; i < workers.length; i++)
            {
                if (null == workers[i])
                {
                    CloseHelper.quietClose(links[i]);
                }
            }
        }
    }

    private WorkerLink start(final int number, final Consumer<String> remarksOfOne)
    {
        try
        {
            return starter.start("client-" + number, commands.get(number), remarksOfOne);
        }
        catch (final IOException ex)
        {
            throw new InvalidSettingException(
                option, command(number), "a command line that starts a worker (" + ex.getMessage() + ")");
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

    private JsonNode hello(final WorkerLink link, final List<String> command, final long deadlineNs)
        throws InterruptedException
    {
        final WorkerLink.Heard heard = await(link, deadlineNs);
        if (null == heard || !heard.is(Protocol.HELLO))
        {
            throw new InvalidSettingException(
                option, String.join(" ", command), "a command line that starts a worker, as in ssh HOST java -jar " +
                "load-client.jar worker (" + (null == heard ? "it said nothing in time" :
                heard.isEnd() ? link.fate() : "it said something else: " + heard.message()) + ")");
        }
        final int version = heard.message().path("version").asInt();
        if (Protocol.VERSION != version)
        {
            throw new InvalidSettingException(
                option, String.join(" ", command), "a worker that speaks version " + Protocol.VERSION +
                " of the protocol, and not version " + version + ": the same build");
        }

        return heard.message();
    }

    private ObjectNode runMessage(final Order order, final int number)
    {
        final ObjectNode message = Protocol.message(Protocol.RUN);
        order.arguments().forEach(message.putArray("arguments")::add);
        message.put("number", number).put("count", workers.length);
        message.put("durationNs", order.durationNs()).put("intervalNs", order.intervalNs());
        return message.put("firstClientId", order.firstClientId());
    }

    private void awaitReady(final Worker worker, final long deadlineNs) throws InterruptedException
    {
        final WorkerLink.Heard heard = await(worker.link(), deadlineNs);
        if (null != heard && heard.is(Protocol.FAILED))
        {
            final String message = heard.message().path("message").asText();
            final int status = heard.message().path("status").asInt();
            if (STATUS_USAGE == status)
            {
                throw new InvalidSettingException(worker.name() + ": " + message);
            }
            if (STATUS_NOT_CONNECTED == status)
            {
                throw new NotConnectedException(worker.name() + ": " + message, null);
            }
            throw new IllegalStateException(worker.name() + ": " + message);
        }
        if (null == heard || !heard.is(Protocol.READY))
        {
            throw lost(worker, heard, "was not ready in time");
        }
    }

    private static NotConnectedException lost(final Worker worker, final WorkerLink.Heard heard, final String silence)
    {
        return new NotConnectedException(
            worker.name() + " " + (null == heard ? silence : heard.isEnd() ? "is lost: " + worker.link().fate() :
            "said something out of turn: " + heard.message()), null);
    }

    /**
     * What is to be said of workers of another build.
     */
    static List<String> warnings(final List<Worker> workers)
    {
        final Map<String, String> own = BuildFacts.versions();
        final List<String> warnings = new ArrayList<>();
        for (final Worker worker : workers)
        {
            final Map<String, String> theirs = new TreeMap<>();
            worker.hello().path("versions").properties().forEach((one) -> theirs.put(one.getKey(), one.getValue().asText()));
            for (final String name : Arrays.asList("cluster-echo", "commit", "aeron"))
            {
                if (!own.get(name).equals(theirs.get(name)))
                {
                    warnings.add(worker.name() + " has " + name + " " + theirs.get(name) + ", not " + own.get(name));
                }
            }
        }

        return warnings;
    }
}
