package io.clusterecho.client.worker;

import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;

import io.clusterecho.client.counters.CounterSampler;
import io.clusterecho.client.counters.CounterSource;
import io.clusterecho.client.load.LoadAgent;
import io.clusterecho.client.load.LoadExecution;
import io.clusterecho.client.load.LoadPlan;
import io.clusterecho.client.load.LoadResult;
import io.clusterecho.client.load.Share;
import io.clusterecho.client.run.EndRequest;
import io.clusterecho.client.run.RunConfig;
import io.clusterecho.client.run.Target;
import io.clusterecho.client.transport.NotConnectedException;
import io.clusterecho.client.transport.Sessions;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.control.remote.CallProtocol;
import io.clusterecho.control.remote.CallServer;
import io.clusterecho.platform.BuildFacts;
import io.clusterecho.platform.MachineFacts;
import io.clusterecho.process.JsonLines;
import io.clusterecho.reporting.measurement.IntervalListener;
import io.clusterecho.reporting.measurement.RunInterval;
import io.clusterecho.reporting.results.ExitCode;
import io.clusterecho.settings.IllegalArgument;
import io.clusterecho.settings.Io;

import org.agrona.concurrent.SystemNanoClock;

/**
 * Makes the runs that a coordinator orders, one after the other. The thread that calls {@link #serve()} makes them; another one
 * takes the coordinator's calls meanwhile.
 */
public final class WorkerService implements LoadWorker
{
    private static final long ORPHAN_TIMEOUT_MS = 10_000;
    private static final Runnable NOBODY = () -> {};

    private final CallServer server;
    private final List<String> ownArguments;
    private final Function<List<String>, RunConfig> parser;
    private final BiFunction<Target, LoadPlan, Sessions> connector;
    private final Runnable orphanGuard;
    private final BlockingQueue<Runnable> orders = new LinkedBlockingQueue<>();
    private final Thread owner = Thread.currentThread();
    private Offered offered = new Offered(new CompletableFuture<>(), EndRequest.byHand(owner));

    /** The last run that was offered: its start on this clock, in ns, cancelled if it never starts; and the request to end it. */
    private record Offered(CompletableFuture<Long> start, EndRequest end)
    {
    }

    /**
     * @param ownArguments options that override those of the coordinator.
     * @param parser       of options; of repeated options the last one counts.
     */
    public WorkerService(
        final JsonLines lines,
        final List<String> ownArguments,
        final Function<List<String>, RunConfig> parser)
    {
        this(lines, ownArguments, parser, Target::open, () -> CompletableFuture.delayedExecutor(
            ORPHAN_TIMEOUT_MS, TimeUnit.MILLISECONDS).execute(() -> Runtime.getRuntime().halt(ExitCode.INTERRUPTED)));
    }

    /**
     * @param connector   opens sessions; fails if one cannot be opened, or at an interrupt.
     * @param orphanGuard run by the reading thread after the input has ended, to make sure that this process ends too.
     */
    WorkerService(
        final JsonLines lines,
        final List<String> ownArguments,
        final Function<List<String>, RunConfig> parser,
        final BiFunction<Target, LoadPlan, Sessions> connector,
        final Runnable orphanGuard)
    {
        this.parser = parser;
        this.connector = connector;
        this.orphanGuard = orphanGuard;
        this.ownArguments = ownArguments;
        server = new CallServer(lines, (call, listeners) -> CallProtocol.invoke(
            this, CallProtocol.method(call, LoadWorker.class), call, listeners));
    }

    /** Serve until the coordinator is gone. Called by the thread that made this. */
    public void serve()
    {
        final Thread reader = new Thread(this::read, "coordinator-reader");
        reader.setDaemon(true);
        reader.start();
        try
        {
            for (Runnable order = orders.take(); NOBODY != order; order = orders.take())
            {
                order.run();
            }
        }
        catch (final InterruptedException ex)
        {
            // Only the wait for sessions is interrupted from here.
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public CompletableFuture<Greeting> hello()
    {
        return CompletableFuture.completedFuture(new Greeting(
            ProcessHandle.current().pid(), Io.orElse("unknown", () -> InetAddress.getLocalHost().getHostName()),
            BuildFacts.versions(), MachineFacts.machine()));
    }

    /** Requests for the end of an earlier run do not apply to this one; requests from now on do, even before it has started. */
    @Override
    public synchronized CompletableFuture<Done> offer(final Order order, final Reports reports)
    {
        // An earlier run that was not started by now never will be.
        offered.start.cancel(false);
        final Offered run = new Offered(new CompletableFuture<>(), EndRequest.byHand(owner));
        offered = run;
        final CompletableFuture<Done> done = new CompletableFuture<>();
        orders.add(() -> perform(order, reports, run, done));
        return done;
    }

    @Override
    public synchronized CompletableFuture<Void> start(final long startNs)
    {
        offered.start.complete(startNs);
        return CompletableFuture.completedFuture(null);
    }

    /** Any thread may call this. */
    @Override
    public synchronized CompletableFuture<Void> end()
    {
        offered.end.request();
        return CompletableFuture.completedFuture(null);
    }

    private void perform(
        final Order order, final Reports reports, final Offered run, final CompletableFuture<Done> done)
    {
        try
        {
            final List<String> arguments = new ArrayList<>(order.arguments());
            arguments.addAll(ownArguments);
            final RunConfig config = parser.apply(arguments);
            config.load().checkMemory(order.durationNs());
            final Target target = Target.ofWorker(config);
            target.checkLength();
            final LoadPlan plan = config.load().plan(order.durationNs()).of(new Share(order.number(), order.count()));
            IllegalArgument.throwIf(order.intervalNs() < 1, "intervalNs=" + order.intervalNs() + ", allowed at least 1");
            config.threads().restrictCompilers();
            final LoadResult result;
            final boolean isEndedEarly;
            try (LoadExecution execution = new LoadExecution(
                plan, config.load().schedule(plan), order.firstClientId(),
                run.end.waitFor(() -> connector.apply(target, plan)), SystemNanoClock.INSTANCE,
                config.idleStrategy(Optional.empty()), config.threads().agents(Optional.empty(), false)))
            {
                execution.add(new Reporter(new CounterSampler(true, false, List.of(), List.of()), reports));
                run.end.ends(execution::requestEnd);
                // Ready once messages and accounts are made, which may take longer than the lead of a start.
                execution.start(order.intervalNs(), () ->
                {
                    reports.ready();
                    return run.start.join();
                });
                result = execution.awaitEnd();
                isEndedEarly = run.end.isRequested();
            }
            done.complete(new Done(
                result.measurement().outcome(), result.problems(), isEndedEarly, LoadAgent.ceilingPerSecond(plan.messages()),
                Stream.concat(result.warnings().stream(), target.warnings().stream()).toList()));
        }
        catch (final CancellationException ex)
        {
            // It never starts, and nobody waits for its end.
        }
        catch (final NotConnectedException ex)
        {
            done.completeExceptionally(new ControlFailure(ExitCode.NOT_CONNECTED, ex.getMessage()));
        }
        catch (final RuntimeException ex)
        {
            done.completeExceptionally(ex);
        }
        finally
        {
            run.end.ends(null);
        }
    }

    /** Sends each interval to the coordinator. */
    private record Reporter(CounterSource counters, Reports reports) implements IntervalListener
    {
        @Override
        public void onInterval(final RunInterval interval)
        {
            reports.interval(new Interval(interval.with(0, 0, null), counters.take()));
        }

        @Override
        public void close()
        {
            counters.close();
        }
    }

    private void read()
    {
        try
        {
            server.serve();
        }
        catch (final UncheckedIOException ex)
        {
            System.err.println("cannot read from the coordinator: " + ex.getCause());
        }
        // The coordinator is gone: continuing the load would only disturb others.
        synchronized (this)
        {
            offered.end.request();
            offered.start.cancel(false);
        }
        orders.add(NOBODY);
        orphanGuard.run();
    }
}
