package io.clusterecho.client.worker;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.clusterecho.client.counters.CounterSource;
import io.clusterecho.control.member.Asked;
import io.clusterecho.reporting.measurement.LoadOutcome;
import io.clusterecho.reporting.measurement.RunInterval;

/**
 * What a coordinator calls a worker for, over {@link io.clusterecho.control.remote.Calls}, which also compare the clocks:
 * <pre>
 *   coordinator                                    worker
 *     |  hello() --------------------------------&gt;   |  answered when it has started
 *     |  offer(order, reports) ------------------&gt;   |  connects its sessions, prepares the run
 *     |  &lt;------------------------ reports.ready()   |
 *     |  start(time) ----------------------------&gt;   |  waits for the time, runs
 *     |  &lt;------------- reports.interval(interval)   |  as each ends
 *     |  end() ----------------------------------&gt;   |  only to end early
 *     |  &lt;------------------------- answer to offer   |  its outcome; sessions are closed; ready for the next offer
 * </pre>
 * When its input ends, the coordinator is gone and the worker ends.
 */
public interface LoadWorker
{
    /** A worker that has started: process, names of its host and of its programs' versions, machine. */
    record Greeting(long pid, String host, Map<String, String> versions, Map<String, String> machine)
    {
    }

    /** A share of a load, from options as on a command line; the client id is that of session 0 of all workers. */
    record Order(List<String> arguments, int number, int count, long durationNs, long intervalNs, long firstClientId)
    {
    }

    /** The run is closed: outcome of the messages, and what failed. */
    record Done(
        LoadOutcome outcome, List<String> problems, boolean isEndedEarly, long ceilingPerSecond, List<String> warnings)
    {
    }

    /** An interval without start and rate of the schedule, which are those of the coordinator, and rows of counters. */
    record Interval(RunInterval interval, CounterSource.Rows counters)
    {
    }

    /** Listens to a run. */
    interface Reports
    {
        /** Sessions are open, and all that the run needs is made. */
        @Asked
        void ready();

        @Asked
        void interval(Interval report);
    }

    @Asked
    CompletableFuture<Greeting> hello();

    /** Make a run. */
    @Asked
    CompletableFuture<Done> offer(Order order, Reports reports);

    /** Start the offered run: message 0 is due at {@code startNs} on the worker's clock. */
    @Asked
    CompletableFuture<Void> start(long startNs);

    /** End the schedule now. */
    @Asked
    CompletableFuture<Void> end();
}
