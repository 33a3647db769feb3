package io.clusterecho.client.worker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.clusterecho.client.load.LoadPlan;
import io.clusterecho.client.run.ClientsConfig;
import io.clusterecho.client.schedule.Schedule;
import io.clusterecho.client.transport.NotConnectedException;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.control.remote.CallLink;
import io.clusterecho.control.remote.Calls;
import io.clusterecho.platform.BuildFacts;
import io.clusterecho.platform.ClockOffset;
import io.clusterecho.platform.WaitClock;
import io.clusterecho.process.Launch;
import io.clusterecho.reporting.results.ExitCode;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Quantity;

/**
 * Workers that share the load of one run after the other. They stay between runs, so that they are warm; a lost one is
 * restarted for the next run. The thread that makes a pool calls all methods.
 */
public final class WorkerPool implements AutoCloseable
{
    private static final long HELLO_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long PONG_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(10);
    private static final long STOP_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(3);
    private static final int PING_COUNT = 20;

    private final List<List<String>> commands;
    private final Consumer<String> remarks;
    private final Starter starter;
    private final WaitClock clock;
    private final Worker[] workers;

    /**
     * The load that all clients of a run are to send.
     *
     * @param arguments      options of the load, as on a command line.
     * @param firstClientId  client id of session 0 of all clients; the others count up from it.
     * @param readyTimeoutNs time for a worker to open its sessions and make its messages and accounts.
     * @param silenceNs      longest silence of a worker, beyond the length of an interval, before it counts as lost.
     */
    public record Request(
        LoadPlan plan,
        Schedule schedule,
        List<String> arguments,
        long durationNs,
        long firstClientId,
        long intervalNs,
        long readyTimeoutNs,
        long silenceNs)
    {
    }

    /** Starts the processes of workers. */
    @FunctionalInterface
    interface Starter
    {
        /** Start a process, whose output beside the calls are remarks, on any thread; fails if there is no such program. */
        Calls start(String name, List<String> command, Consumer<String> remarks);
    }

    /** A started worker. */
    record Worker(
        int number, String command, Calls process, LoadWorker calls, CompletableFuture<LoadWorker.Greeting> greeting)
    {
        String name()
        {
            return WorkerPool.name(number);
        }

        /** Its answer, once that has been awaited. */
        LoadWorker.Greeting hello()
        {
            return greeting.join();
        }
    }

    /** An empty pool: the first run starts the workers. Remarks are their output beside the protocol, on any thread. */
    public WorkerPool(final List<List<String>> commands, final Consumer<String> remarks)
    {
        this(commands, remarks, (name, command, output) -> new CallLink(
            new Launch("its process", command).pipedInput().pipedOutput().errors(output).stopTimeoutNs(STOP_TIMEOUT_NS).start(),
            name + "-out", null, output, WaitClock.SYSTEM), WaitClock.SYSTEM);
    }

    WorkerPool(
        final List<List<String>> commands, final Consumer<String> remarks, final Starter starter, final WaitClock clock)
    {
        this.commands = commands;
        this.remarks = remarks;
        this.starter = starter;
        this.clock = clock;
        workers = new Worker[commands.size()];
    }

    /**
     * Start missing workers, let all of them prepare their run, and compare the clocks. If that fails, all workers are ended.
     *
     * @throws InvalidSettingException if a worker cannot be started, or rejects an option.
     * @throws NotConnectedException   if a worker cannot reach the cluster, or ends; or if this thread is interrupted.
     */
    public DistributedRun prepare(final Request request)
    {
        try
        {
            start();
            final DistributedRun run = new DistributedRun(this, clock, request);
            run.prepare(workers);
            return run;
        }
        catch (final RuntimeException ex)
        {
            close();
            throw ex;
        }
    }

    @Override
    public void close()
    {
        // Ask all of them first, because each takes some time to end.
        Stream.of(workers).filter(Objects::nonNull).forEach((worker) -> worker.process().requestEnd());
        for (int i = 0; i < workers.length; i++)
        {
            drop(i);
        }
    }

    void drop(final int number)
    {
        if (null != workers[number])
        {
            workers[number].process().close();
            workers[number] = null;
        }
    }

    ClockOffset compareClocks(final Worker worker)
    {
        ClockOffset best = null;
        for (int i = 0; i < PING_COUNT; i++)
        {
            final long deadlineNs = clock.nanoTime() + PONG_TIMEOUT_NS;
            best = await(
                worker, worker.process().exchangeClocks(), deadlineNs,
                "did not answer a ping within " + Quantity.formatNs(PONG_TIMEOUT_NS)).orBetter(best);
        }

        return best;
    }

    private void start()
    {
        for (int i = 0; i < workers.length; i++)
        {
            final String end = null == workers[i] ? null : workers[i].process().endReason();
            if (null != end)
            {
                remarks.accept(name(i) + ": " + end + "; it is restarted");
                drop(i);
            }
            if (null == workers[i])
            {
                workers[i] = start(i);
            }
        }
        final long deadlineNs = clock.nanoTime() + HELLO_TIMEOUT_NS;
        Stream.of(workers).forEach((worker) -> checkBuild(worker, deadlineNs));
    }

    private Worker start(final int number)
    {
        final String command = String.join(" ", commands.get(number));
        try
        {
            final Calls process = starter.start(
                "client-" + number, commands.get(number), (line) -> remarks.accept(name(number) + ": " + line));
            final LoadWorker calls = process.as(LoadWorker.class);
            return new Worker(number, command, process, calls, calls.hello());
        }
        catch (final UncheckedIOException ex)
        {
            throw noWorker(command, name(number) + " cannot be started: " + ex.getCause().getMessage());
        }
    }

    /** Another build may have another protocol, or measure in another way. */
    private void checkBuild(final Worker worker, final long deadlineNs)
    {
        final Map<String, String> there;
        try
        {
            there = Objects.requireNonNullElse(await(
                worker, worker.greeting(), deadlineNs, "sent nothing within " + Quantity.formatNs(HELLO_TIMEOUT_NS)).versions(),
                Map.of());
        }
        catch (final NotConnectedException ex)
        {
            throw Thread.currentThread().isInterrupted() ? ex : noWorker(worker.command(), ex.getMessage());
        }
        final Map<String, String> own = BuildFacts.versions();
        List.of("cluster-echo", "commit", "aeron").forEach((program) -> InvalidSettingException.throwIf(
            !own.get(program).equals(there.get(program)), ClientsConfig.COMMAND, worker.command(),
            "a worker of the same build (" + worker.name() + " has " + program + " " + there.get(program) + " instead of " +
            own.get(program) + ")"));
    }

    private InvalidSettingException noWorker(final String command, final String why)
    {
        return new InvalidSettingException(
            ClientsConfig.COMMAND, command,
            "a command line that starts a worker, as in ssh HOST cluster-echo/bin/load-client worker (" + why + ")");
    }

    /** Wait for a worker's answer; throws a {@link NotConnectedException} also at an interrupt, which is restored. */
    <T> T await(
        final Worker worker, final CompletableFuture<T> answer, final long deadlineNs, final String silence)
    {
        final Thread waiter = Thread.currentThread();
        answer.whenComplete((value, failure) -> LockSupport.unpark(waiter));
        for (long leftNs = deadlineNs - clock.nanoTime(); !answer.isDone(); leftNs = deadlineNs - clock.nanoTime())
        {
            if (leftNs <= 0 || waiter.isInterrupted())
            {
                throw new NotConnectedException(
                    waiter.isInterrupted() ? "interrupted while it waited for " + worker.name() :
                    worker.name() + " " + silence, null);
            }
            clock.park(leftNs);
        }

        try
        {
            return answer.join();
        }
        catch (final CompletionException ex)
        {
            throw failure(worker.name(), ex.getCause());
        }
    }

    private static RuntimeException failure(final String name, final Throwable cause)
    {
        if (cause instanceof final ControlFailure failed)
        {
            final String message = name + ": " + failed.getMessage();
            return switch (failed.exitCode())
            {
                case ExitCode.USAGE -> new InvalidSettingException(message);
                case ExitCode.NOT_CONNECTED -> new NotConnectedException(message, null);
                default -> new IllegalStateException(message);
            };
        }

        return new NotConnectedException(
            name + (cause instanceof IOException ? " is lost: " : " sent an invalid answer: ") + cause.getMessage(), null);
    }

    private static String name(final int number)
    {
        return "client " + number;
    }
}
