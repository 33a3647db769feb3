package io.clusterecho.client.worker;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.client.counters.CounterSampler;
import io.clusterecho.client.counters.CounterSource;
import io.clusterecho.client.load.LoadExecution;
import io.clusterecho.client.load.LoadMessages;
import io.clusterecho.client.load.LoadPlan;
import io.clusterecho.client.load.LoadResult;
import io.clusterecho.client.load.Share;
import io.clusterecho.client.run.Ceiling;
import io.clusterecho.client.run.RunConfig;
import io.clusterecho.client.run.Target;
import io.clusterecho.client.transport.NotConnectedException;
import io.clusterecho.client.transport.Sessions;
import io.clusterecho.platform.BuildFacts;
import io.clusterecho.platform.MachineFacts;
import io.clusterecho.platform.WaitClock;
import io.clusterecho.process.JsonLines;
import io.clusterecho.reporting.measurement.IntervalListener;
import io.clusterecho.reporting.measurement.RunInterval;
import io.clusterecho.reporting.results.ExitCode;
import io.clusterecho.settings.InvalidSettingException;

import org.agrona.concurrent.SystemNanoClock;

/**
 * Makes the runs that a coordinator requests, one after the other, see {@link Protocol}. The thread that calls {@link #serve()}
 * makes them; another one reads the coordinator's messages and answers its pings meanwhile.
 */
public final class WorkerService
{
    private static final long CEILING_MEASURE_NS = 300_000_000L;
    private static final long ORPHAN_TIMEOUT_MS = 10_000;
    private static final JsonNode NOBODY = Protocol.message("nobody");

    private final JsonLines lines;
    private final List<String> ownArguments;
    private final Function<List<String>, RunConfig> parser;
    private final Connector connector;
    private final Runnable orphanGuard;
    private final BlockingQueue<JsonNode> orders = new LinkedBlockingQueue<>();
    private final Thread owner = Thread.currentThread();
    private LoadExecution run;
    private boolean isConnecting;
    private boolean isEnding;

    /** Opens the sessions of a run. */
    @FunctionalInterface
    interface Connector
    {
        /**
         * Open sessions; an interrupt ends the wait for them.
         *
         * @throws NotConnectedException if one cannot be opened.
         */
        Sessions open(Target target, LoadPlan plan);
    }

    /**
     * @param lines        from and to the coordinator.
     * @param ownArguments options that override those of the coordinator.
     * @param parser       of options; of repeated options the last one counts.
     */
    public WorkerService(
        final JsonLines lines,
        final List<String> ownArguments,
        final Function<List<String>, RunConfig> parser)
    {
        this(lines, ownArguments, parser, Target::open, WorkerService::haltOrphan);
    }

    /** @param orphanGuard run by the reading thread after the input has ended, to make sure that this process ends too. */
    WorkerService(
        final JsonLines lines,
        final List<String> ownArguments,
        final Function<List<String>, RunConfig> parser,
        final Connector connector,
        final Runnable orphanGuard)
    {
        this.parser = parser;
        this.connector = connector;
        this.orphanGuard = orphanGuard;
        this.lines = lines;
        this.ownArguments = ownArguments;
    }

    /** Serve until the coordinator is gone. Called by the thread that made this. */
    public void serve()
    {
        final Thread reader = new Thread(this::read, "coordinator-reader");
        reader.setDaemon(true);
        reader.start();
        send(hello());
        for (JsonNode order = next(); NOBODY != order; order = next())
        {
            if (Protocol.RUN.equals(Protocol.kind(order)))
            {
                perform(order);
            }
        }
    }

    /** End the current run; any thread. */
    public synchronized void requestEnd()
    {
        isEnding = true;
        if (null != run)
        {
            run.requestEnd();
        }
        else if (isConnecting)
        {
            owner.interrupt();
        }
    }

    private void perform(final JsonNode order)
    {
        try
        {
            final List<String> arguments = new ArrayList<>();
            order.path("arguments").forEach((argument) -> arguments.add(argument.asText()));
            arguments.addAll(ownArguments);
            final RunConfig config = parser.apply(arguments);
            final long durationNs = order.path("durationNs").asLong();
            config.load().checkMemory(durationNs);
            final Target target = Target.ofWorker(config);
            target.checkLength();
            final LoadPlan plan = config.load().plan(durationNs)
                .of(new Share(order.path("number").asInt(), order.path("count").asInt()));
            final long intervalNs = order.path("intervalNs").asLong();
            if (intervalNs < 1)
            {
                throw new IllegalArgumentException("intervalNs=" + intervalNs + ", allowed at least 1");
            }
            if (!offer(config, target, plan, order.path("firstClientId").asLong(), intervalNs))
            {
                return;
            }
            final ObjectNode done = Protocol.message(Protocol.DONE);
            done.put("ceilingPerSecond", Ceiling.messagesPerSecond(plan.messages(), CEILING_MEASURE_NS));
            target.warnings().forEach(done.putArray("warnings")::add);
            send(done);
        }
        catch (final InvalidSettingException ex)
        {
            fail(ExitCode.USAGE, ex.getMessage());
        }
        catch (final NotConnectedException ex)
        {
            fail(ExitCode.NOT_CONNECTED, ex.getMessage());
        }
        catch (final RuntimeException ex)
        {
            ex.printStackTrace();
            fail(ExitCode.INTERNAL, ex.toString());
        }
        finally
        {
            end();
        }
    }

    /** @return false if the coordinator left before the run. */
    private boolean offer(
        final RunConfig config,
        final Target target,
        final LoadPlan plan,
        final long firstClientId,
        final long intervalNs)
    {
        config.threads().restrictCompilers();
        try (LoadExecution execution = new LoadExecution(
            plan, config.load().schedule(plan), firstClientId, connected(target, plan), SystemNanoClock.INSTANCE,
            config.idleStrategy(Optional.empty()), config.threads().agents(Optional.empty(), false)))
        {
            final CounterSource counters = new CounterSampler(true, List.of());
            execution.add(new Reporter(counters));
            send(Protocol.message(Protocol.READY));
            final JsonNode start = next();
            if (!Protocol.START.equals(Protocol.kind(start)))
            {
                orders.add(NOBODY);
                return false;
            }
            begin(execution);
            execution.start(intervalNs, start.path("startNs").asLong());
            final LoadResult result = execution.awaitEnd();
            final ObjectNode outcome = Protocol.message(Protocol.OUTCOME);
            LoadMessages.put(result.measurement().outcome(), outcome);
            result.problems().forEach(outcome.putArray("problems")::add);
            send(outcome.put("endedEarly", isEnding()));
            return true;
        }
    }

    /** Sends each interval to the coordinator. */
    private final class Reporter implements IntervalListener, AutoCloseable
    {
        private final CounterSource counters;

        private Reporter(final CounterSource counters)
        {
            this.counters = counters;
        }

        @Override
        public void onInterval(final RunInterval interval)
        {
            final ObjectNode message = Protocol.message(Protocol.INTERVAL);
            LoadMessages.put(interval, message);
            counters.processRows().forEach(message.putArray("processes")::add);
            send(message.put("machine", counters.machineRow()));
        }

        @Override
        public void close()
        {
            counters.close();
        }
    }

    private Sessions connected(final Target target, final LoadPlan plan)
    {
        isConnecting(true);
        try
        {
            return connector.open(target, plan);
        }
        finally
        {
            isConnecting(false);
        }
    }

    private static ObjectNode hello()
    {
        final ObjectNode hello = Protocol.message(Protocol.HELLO);
        hello.put("version", Protocol.VERSION).put("pid", ProcessHandle.current().pid()).put("host", host());
        final ObjectNode versions = hello.putObject("versions");
        BuildFacts.versions().forEach(versions::put);
        final ObjectNode machine = hello.putObject("machine");
        MachineFacts.machine().forEach(machine::put);
        return hello;
    }

    private static String host()
    {
        try
        {
            return InetAddress.getLocalHost().getHostName();
        }
        catch (final UnknownHostException ex)
        {
            return "unknown";
        }
    }

    private void read()
    {
        try
        {
            for (JsonLines.Received line = lines.receive(); null != line; line = lines.receive())
            {
                final JsonNode message = line.message();
                switch (null == message ? "" : Protocol.kind(message))
                {
                    case Protocol.PING -> send(
                        Protocol.message(Protocol.PONG).put("id", message.path("id").asInt())
                            .put("nanoTime", System.nanoTime()).put("epochNs", WaitClock.SYSTEM.epochNs()));
                    case Protocol.END -> requestEnd();
                    case Protocol.RUN -> onRun(message);
                    case Protocol.START -> orders.add(message);
                    default -> System.err.println("unknown message: " + line.text());
                }
            }
        }
        catch (final IOException ex)
        {
            System.err.println("cannot read from the coordinator: " + ex);
        }
        onNobody();
    }

    /** Requests for an earlier run do not apply to this one; requests from now on do, even before it has started. */
    private void onRun(final JsonNode order)
    {
        synchronized (this)
        {
            isEnding = false;
        }
        orders.add(order);
    }

    /** The coordinator is gone: continuing the load would only disturb others. */
    private void onNobody()
    {
        requestEnd();
        orders.add(NOBODY);
        orphanGuard.run();
    }

    private static void haltOrphan()
    {
        try
        {
            TimeUnit.MILLISECONDS.sleep(ORPHAN_TIMEOUT_MS);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
        Runtime.getRuntime().halt(ExitCode.INTERRUPTED);
    }

    private JsonNode next()
    {
        while (true)
        {
            try
            {
                return orders.take();
            }
            catch (final InterruptedException ex)
            {
                // Meant for a wait that has ended by now.
                Thread.interrupted();
            }
        }
    }

    private void send(final ObjectNode message)
    {
        try
        {
            lines.send(message);
        }
        catch (final IOException ex)
        {
            // The coordinator is gone: its input ends too, and with it the run.
            System.err.println("cannot write to the coordinator: " + ex.getMessage());
        }
    }

    private void fail(final int status, final String message)
    {
        send(Protocol.message(Protocol.FAILED).put("status", status).put("message", message));
    }

    private synchronized boolean isEnding()
    {
        return isEnding;
    }

    private synchronized void begin(final LoadExecution newRun)
    {
        run = newRun;
        if (isEnding)
        {
            run.requestEnd();
        }
    }

    private synchronized void end()
    {
        run = null;
    }

    private synchronized void isConnecting(final boolean isNowConnecting)
    {
        isConnecting = isNowConnecting;
        Thread.interrupted();
        if (isNowConnecting && isEnding)
        {
            owner.interrupt();
        }
    }
}
