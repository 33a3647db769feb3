package io.clusterecho.client.worker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

import com.fasterxml.jackson.databind.JsonNode;

import io.clusterecho.client.counters.CounterFiles;
import io.clusterecho.client.counters.CounterSource;
import io.clusterecho.client.load.IntervalListeners;
import io.clusterecho.client.load.LoadMessages;
import io.clusterecho.client.load.LoadPlan;
import io.clusterecho.platform.BuildFacts;
import io.clusterecho.platform.ClockOffset;
import io.clusterecho.reporting.document.ClientDocument;
import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.measurement.Counter;
import io.clusterecho.reporting.measurement.LoadMeasurement;
import io.clusterecho.reporting.measurement.LoadOutcome;
import io.clusterecho.reporting.measurement.RunInterval;
import io.clusterecho.reporting.results.ClientRecord;
import io.clusterecho.reporting.results.FileNames;
import io.clusterecho.reporting.results.IntervalFiles;
import io.clusterecho.reporting.results.ResultFolder;

/**
 * One client's part of a {@link DistributedRun}: its worker's reports so far, its files, and how it ended. One thread, except
 * that another one reports.
 */
final class ClientRun implements CounterSource, LoadWorker.Reports
{
    /** Time for a worker to close its sessions after its last report. */
    private static final long CLOSE_TIMEOUT_NS = 60_000_000_000L;
    private static final String FOLDER = FileNames.CLIENTS;

    private final WorkerPool.Worker worker;
    private final LoadPlan plan;
    private final Thread taker = Thread.currentThread();
    private final CompletableFuture<Void> ready = new CompletableFuture<>();
    /** Each returns why it makes the client a lost one, or null. */
    private final Queue<Supplier<String>> reports = new ConcurrentLinkedQueue<>();
    private final Deque<JsonNode> intervals = new ArrayDeque<>();
    private final List<String> warnings = new ArrayList<>();
    private final IntervalListeners files = new IntervalListeners();
    private JsonNode merged;
    private LoadOutcome outcome;
    private ClockOffset before;
    private ClockOffset after;
    private String loss = "";
    private long heardNs;
    private long ceilingPerSecond;
    private boolean isEndedEarly;
    private boolean isDone;
    private boolean isGone;

    ClientRun(final WorkerPool.Worker worker, final LoadPlan plan)
    {
        this.worker = worker;
        this.plan = plan;
        warnOfAnotherBuild();
    }

    void offer(final LoadWorker.Order order)
    {
        worker.calls().offer(order, this).whenComplete((done, failure) ->
        {
            if (null == failure)
            {
                report(() -> takeDone(done));
            }
            else
            {
                ready.completeExceptionally(failure.getCause());
                report(() -> failure.getCause().getMessage());
            }
        });
    }

    @Override
    public void ready()
    {
        ready.complete(null);
    }

    @Override
    public void interval(final JsonNode report)
    {
        report(() -> takeInterval(report));
    }

    @Override
    public void outcome(final JsonNode report)
    {
        report(() -> takeOutcome(report));
    }

    private void report(final Supplier<String> report)
    {
        reports.add(report);
        LockSupport.unpark(taker);
    }

    /** Whether its sessions are open; fails if it cannot make the run. */
    CompletableFuture<Void> readiness()
    {
        return ready;
    }

    private void warnOfAnotherBuild()
    {
        final Map<String, String> own = BuildFacts.versions();
        for (final String program : List.of("cluster-echo", "commit", "aeron"))
        {
            final String version = worker.hello().versions().get(program);
            if (!own.get(program).equals(version))
            {
                warnings.add(worker.name() + " has " + program + " " + version + " instead of " + own.get(program));
            }
        }
    }

    WorkerPool.Worker worker()
    {
        return worker;
    }

    int number()
    {
        return worker.number();
    }

    void before(final ClockOffset newBefore)
    {
        before = newBefore;
    }

    ClockOffset before()
    {
        return before;
    }

    /** Whether further messages may come. */
    boolean isThere()
    {
        return !isDone && !isGone;
    }

    boolean isLost()
    {
        return !loss.isEmpty();
    }

    boolean isGone()
    {
        return isGone;
    }

    boolean hasOutcome()
    {
        return null != outcome;
    }

    LoadOutcome outcome()
    {
        return outcome;
    }

    boolean isEndedEarly()
    {
        return isEndedEarly;
    }

    List<String> warnings()
    {
        return warnings;
    }

    void openFiles(final ResultFolder folder, final long startEpochMs)
    {
        final Path path = folder.path().resolve(folderName());
        try
        {
            Files.createDirectories(path);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("cannot create " + path, ex);
        }
        files.add(new IntervalFiles(ResultFolder.at(path), startEpochMs));
        files.add(new CounterFiles(ResultFolder.at(path), this, List.of()));
    }

    /** Close its files; returns what could not be written, a sentence each. */
    List<String> closeFiles()
    {
        files.close();
        return files.problems().stream().map((problem) -> folderName() + "/" + problem).toList();
    }

    /** Start it, with message 0 due at a time of the coordinator's clock. */
    void start(final long startNs)
    {
        heardNs = startNs;
        worker.calls().start(startNs + before.offsetNs());
    }

    /** Next report of the worker, to be executed; null if there is none, or if the worker has ended. */
    Supplier<String> poll()
    {
        heardNs = Math.max(heardNs, worker.process().heardNs());
        return isThere() ? reports.poll() : null;
    }

    /** This process was stopped for a time, which does not count as silence. */
    void onPause(final long timeNs)
    {
        heardNs += timeNs;
    }

    /** Why it counts as lost because of silence until now, on the coordinator's clock; null if it does not. */
    String silence(final long nowNs, final long allowedNs)
    {
        final long silentNs = nowNs - heardNs;
        return isThere() && silentNs > (hasOutcome() ? CLOSE_TIMEOUT_NS : allowedNs) ?
            "it sent nothing for " + silentNs / 1_000_000 + " ms" : null;
    }

    private String takeInterval(final JsonNode interval)
    {
        if (hasOutcome())
        {
            return "it sent an unexpected message: interval";
        }
        intervals.add(interval);
        return null;
    }

    private String takeDone(final LoadWorker.Done done)
    {
        if (!hasOutcome())
        {
            return "it ended without an outcome";
        }
        isDone = true;
        ceilingPerSecond = done.ceilingPerSecond();
        done.warnings().forEach((warning) -> warnings.add(worker.name() + ": " + warning));
        return null;
    }

    private String takeOutcome(final JsonNode message)
    {
        if (hasOutcome())
        {
            return "it sent an unexpected message: outcome";
        }
        final LoadOutcome reported;
        try
        {
            reported = LoadMessages.outcome(message);
        }
        catch (final RuntimeException ex)
        {
            return "it sent an invalid outcome: " + ex.getMessage();
        }
        final long accounted = reported.replied() + reported.lost();
        if (accounted != reported.of(Counter.SCHEDULED))
        {
            return "its accounts do not add up: scheduled=" + reported.of(Counter.SCHEDULED) + ", accounted for=" + accounted;
        }
        final List<String> problems = new ArrayList<>();
        message.path("problems").forEach((problem) -> problems.add(problem.asText()));
        if (!problems.isEmpty())
        {
            return "it reported problems: " + String.join("; ", problems);
        }
        final long planned = plan.share().countOf(plan.warmUpCount(), plan.messageCount());
        isEndedEarly = message.path("endedEarly").asBoolean();
        if (!isEndedEarly && planned != reported.of(Counter.SCHEDULED))
        {
            return "its accounts are of " + reported.of(Counter.SCHEDULED) + " messages, but its share is " + planned;
        }

        outcome = reported;
        return null;
    }

    boolean hasInterval()
    {
        return !intervals.isEmpty();
    }

    /** Whether its part of the next interval is known, even if there is none. */
    boolean isReadyToMerge()
    {
        return hasInterval() || hasOutcome() || isLost();
    }

    /** The oldest interval that was not read yet, or null; fails if it is invalid, and then there are no further ones. */
    RunInterval readInterval()
    {
        merged = intervals.poll();
        if (null == merged)
        {
            return null;
        }

        try
        {
            return LoadMessages.interval(merged);
        }
        catch (final RuntimeException ex)
        {
            merged = null;
            intervals.clear();
            throw ex;
        }
    }

    void write(final RunInterval share)
    {
        files.onInterval(share);
    }

    /** Whether one of its files in this process could not be written. */
    boolean hasProblems()
    {
        return !files.problems().isEmpty();
    }

    /** It was lost before it had reported its outcome, or its reports cannot be relied on, for a reason that is not empty. */
    void onLost(final String sentence)
    {
        isGone = true;
        outcome = null;
        loss = sentence;
    }

    /** It was lost after it had reported everything. */
    void onLostAtEnd(final String why)
    {
        isGone = true;
        warnings.add(
            worker.name() + " was lost after the measurement: " + why + "; its clock drift is unknown");
    }

    void after(final ClockOffset newAfter)
    {
        after = newAfter;
    }

    @Override
    public List<String> processRows()
    {
        final List<String> rows = new ArrayList<>();
        if (null != merged)
        {
            merged.path("processes").forEach((row) -> rows.add(row.asText()));
        }
        return rows;
    }

    @Override
    public String machineRow()
    {
        return merged.path("machine").asText(null);
    }

    ClientRecord record(final LoadMeasurement measurement)
    {
        final LoadWorker.Greeting hello = worker.hello();
        return new ClientRecord(
            number(), worker.command(), hello.host(), hello.pid(), new TreeMap<>(hello.machine()), folderName(), before, after,
            ceilingPerSecond, loss, measurement);
    }

    void write(final ResultFolder folder, final ClientRecord record)
    {
        ResultFolder.at(folder.path().resolve(folderName())).write(
            "client.json", Documents.text(ClientDocument.of(record)));
    }

    private String folderName()
    {
        return FOLDER + "/" + number();
    }
}
