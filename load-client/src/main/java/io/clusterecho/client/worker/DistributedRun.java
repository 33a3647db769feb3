package io.clusterecho.client.worker;

import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

import io.clusterecho.client.counters.CounterFiles;
import io.clusterecho.client.counters.CounterSource;
import io.clusterecho.client.load.IntervalListeners;
import io.clusterecho.client.load.LoadMerge;
import io.clusterecho.client.load.LoadResult;
import io.clusterecho.platform.ClockOffset;
import io.clusterecho.platform.WaitClock;
import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.measurement.IntervalListener;
import io.clusterecho.reporting.measurement.LoadMeasurement;
import io.clusterecho.reporting.measurement.RunInterval;
import io.clusterecho.reporting.results.ClientRecord;
import io.clusterecho.reporting.results.FileNames;
import io.clusterecho.reporting.results.IntervalFiles;
import io.clusterecho.reporting.results.ProcessName;
import io.clusterecho.reporting.results.ResultFolder;
import io.clusterecho.settings.Quantity;

/**
 * One run of a {@link WorkerPool}: starts the clients together, receives their reports, and merges them interval by interval. A
 * client that ends, falls silent or sends invalid reports is accounted for; the others continue. {@link #execute} is called
 * once, by the pool's thread; any thread may call {@link #requestEnd()}.
 */
public final class DistributedRun implements AutoCloseable
{
    private static final long NEVER = Long.MIN_VALUE;
    private static final long LEAD_NS = 500_000_000L;
    private static final long PARK_NS = 100_000_000L;
    /** If more time passes between two polls of the clients, this process was stopped. */
    private static final long PAUSE_NS = 1_000_000_000L;
    /** Time for a worker to close its sessions after its last report. */
    private static final long CLOSE_TIMEOUT_NS = 60_000_000_000L;

    private final WorkerPool pool;
    private final WaitClock clock;
    private final WorkerPool.Request request;
    private final Thread taker = Thread.currentThread();
    private final List<Client> clients = new ArrayList<>();
    private final List<String> counterRows = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();
    private final IntervalListeners listeners = new IntervalListeners();
    private final AtomicLong endRequestNs = new AtomicLong(NEVER);
    private LoadMerge merge;
    private long startNs;
    private long lookNs;
    private boolean isLastMerged;
    private boolean isInterrupted;

    DistributedRun(final WorkerPool pool, final WaitClock clock, final WorkerPool.Request request)
    {
        this.pool = pool;
        this.clock = clock;
        this.request = request;
    }

    /** Let all workers open their sessions and make their messages, and compare the clocks. */
    void prepare(final WorkerPool.Worker[] workers)
    {
        for (final WorkerPool.Worker worker : workers)
        {
            final Client client = new Client(worker);
            clients.add(client);
            client.offer(workers.length);
        }
        final long deadlineNs = clock.nanoTime() + request.readyTimeoutNs();
        clients.forEach((client) -> pool.await(
            client.worker, client.ready, deadlineNs,
            "was not ready (sessions opened, messages made) within " + Quantity.formatNs(request.readyTimeoutNs())));
        clients.forEach((client) -> client.offset = pool.compareClocks(client.worker));
    }

    /** End the schedule of all clients now; what was due so far is drained and kept. The first request counts. */
    public void requestEnd()
    {
        endRequestNs.compareAndSet(NEVER, clock.nanoTime());
        clients.forEach((client) -> client.worker.calls().end());
    }

    private boolean isEndRequested()
    {
        return NEVER != endRequestNs.get();
    }

    /** Add a listener of each interval of the whole, called by the thread that executes, and closed after the last interval. */
    public void add(final IntervalListener listener)
    {
        listeners.add(listener);
    }

    /** Source of counter rows: those of the clients in the current interval, numbered, and those of another source. */
    public CounterSource counters(final CounterSource others)
    {
        return new CounterSource()
        {
            @Override
            public Rows take()
            {
                final Rows rows = others.take();
                return new Rows(Stream.concat(counterRows.stream(), rows.processes().stream()).toList(), rows.machine());
            }

            @Override
            public void close()
            {
                others.close();
            }
        };
    }

    /**
     * Run to the end. Measurements are returned whatever happens to a client or a listener: if something fails in this process,
     * the schedule of all clients and their workers are ended, and the result has a problem. An interrupt of this thread is a
     * request to end; the flag is restored after everything is written.
     *
     * @param folder of the result, with a subfolder for each client.
     * @throws UncheckedIOException if the files of the clients cannot be created; then nothing was sent, and all workers were
     *                              ended.
     */
    public LoadResult execute(final ResultFolder folder)
    {
        final long leadNs = LEAD_NS + 4 * clients.stream().mapToLong((client) -> client.offset.errorNs()).max().orElse(0);
        boolean isWhole = false;
        try
        {
            final long startEpochMs = (clock.epochNs() + leadNs) / 1_000_000;
            merge = new LoadMerge(request.plan(), request.schedule(), clients.size(), startEpochMs);
            clients.forEach((client) -> client.openFiles(folder, startEpochMs));
            startNs = clock.nanoTime() + leadNs;
            lookNs = clock.nanoTime();
            for (final Client client : clients)
            {
                client.heardNs = startNs;
                client.worker.calls().start(startNs + client.offset.offsetNs());
            }
            watch();
            final LoadResult result = result(folder);
            isWhole = problems.isEmpty();
            return result;
        }
        finally
        {
            clients.forEach((client) -> client.files.close());
            if (!isWhole)
            {
                pool.close();
            }
            if (isInterrupted)
            {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void watch()
    {
        while (clients.stream().anyMatch(Client::isThere))
        {
            if (!takeAll())
            {
                clock.park(PARK_NS);
            }
            while (clients.stream().anyMatch((client) -> !client.intervals.isEmpty()) &&
                clients.stream().allMatch(Client::isReadyToMerge))
            {
                merge();
            }
            isInterrupted |= Thread.interrupted();
            if (!isEndRequested() && (isInterrupted || !listeners.problems().isEmpty() ||
                clients.stream().anyMatch((client) -> !client.files.problems().isEmpty())))
            {
                requestEnd();
            }
        }
        if (!isLastMerged)
        {
            // No client is left to report the end.
            merge();
        }
    }

    /** Take what the clients have reported; returns whether there was anything. */
    private boolean takeAll()
    {
        final long nowNs = clock.nanoTime();
        final long passedNs = nowNs - lookNs;
        lookNs = nowNs;
        boolean isAny = false;
        for (final Client client : clients)
        {
            // This process was stopped for a time, which does not count as silence.
            client.heardNs += passedNs > PAUSE_NS ? passedNs : 0;
            while (client.isThere() && !client.reports.isEmpty())
            {
                isAny = true;
                client.reports.remove().run();
            }
            client.checkSilence(nowNs);
        }

        return isAny;
    }

    private void merge()
    {
        counterRows.clear();
        for (final Client client : clients)
        {
            client.takeInterval();
            // "client" and "client-driver" get a number after the first word.
            Stream.ofNullable(client.merged).flatMap((merged) -> merged.counters().processes().stream()).forEach((row) ->
                counterRows.add(row.replaceFirst(ProcessName.CLIENT, ProcessName.CLIENT + "-" + client.number)));
        }
        final RunInterval whole = merge.merge(clock.nanoTime() - startNs);
        isLastMerged = whole.isLast();
        listeners.onInterval(whole);
    }

    private LoadResult result(final ResultFolder folder)
    {
        final long endNs = clock.nanoTime() - startNs;
        listeners.close();
        problems.addAll(listeners.problems());
        for (final Client client : clients)
        {
            final long replyCount = merge.replyCount(client.number);
            if (null != client.done && replyCount != client.done.outcome().replied())
            {
                client.giveUp(replyCount + " response times in its intervals, but " + client.done.outcome().replied() +
                    " replies in its outcome");
            }
            if (!client.loss.isEmpty())
            {
                merge.accountForLost(client.number, endNs, isEndRequested(), endRequestNs.get() - startNs);
            }
            client.files.close();
            client.files.problems().forEach((problem) -> problems.add(client.folderName + "/" + problem));
        }
        // Merge the whole before unanswered messages are added to the clients' distributions.
        final LoadMeasurement whole = merge.measurement();
        final List<ClientRecord> records = new ArrayList<>();
        for (final Client client : clients)
        {
            final ClientRecord record = client.record(merge.measurement(client.number));
            try
            {
                folder.write(client.folderName + "/client.json", Documents.text(record));
            }
            catch (final RuntimeException ex)
            {
                problems.add(client.worker.name() + ": its record could not be written: " + ex);
            }
            records.add(record);
        }
        return new LoadResult(
            whole, List.copyOf(problems), List.of(), records,
            clients.stream().anyMatch((client) -> null != client.done && client.done.isEndedEarly()), warnings);
    }

    /** Close the listeners, if that is not done yet. */
    @Override
    public void close()
    {
        listeners.close();
    }

    /**
     * One client's part: its worker's reports so far, its files, and how it ended. Another thread reports; what it reports waits
     * for the thread that executes the run.
     */
    private final class Client implements LoadWorker.Reports
    {
        private final WorkerPool.Worker worker;
        private final int number;
        private final String folderName;
        /** Done once its sessions are open; fails if it cannot make the run. */
        private final CompletableFuture<Void> ready = new CompletableFuture<>();
        private final Queue<Runnable> reports = new ConcurrentLinkedQueue<>();
        private final Deque<LoadWorker.Interval> intervals = new ArrayDeque<>();
        private final IntervalListeners files = new IntervalListeners();
        private LoadWorker.Interval merged;
        /** Null before it has ended its part, and if it is lost. */
        private LoadWorker.Done done;
        private ClockOffset offset;
        /** Why it was lost before it had ended its part, or why its reports cannot be relied on; else empty. */
        private String loss = "";
        private long heardNs;
        private boolean isClosing;

        Client(final WorkerPool.Worker worker)
        {
            this.worker = worker;
            number = worker.number();
            folderName = FileNames.CLIENTS + "/" + number;
        }

        void offer(final int count)
        {
            final LoadWorker.Order order = new LoadWorker.Order(
                request.arguments(), number, count, request.durationNs(), request.intervalNs(), request.firstClientId());
            worker.calls().offer(order, this).whenComplete((answer, failure) ->
            {
                if (null == failure)
                {
                    report(() -> onDone(answer));
                }
                else
                {
                    final Throwable cause = failure.getCause();
                    ready.completeExceptionally(cause);
                    report(() -> giveUp((cause instanceof IllegalArgumentException ? "it sent an invalid answer: " : "") +
                        cause.getMessage()));
                }
            });
        }

        @Override
        public void ready()
        {
            ready.complete(null);
        }

        @Override
        public void interval(final LoadWorker.Interval report)
        {
            final boolean isLast = report.interval().isLast();
            report(() ->
            {
                intervals.add(report);
                isClosing = isLast;
            });
        }

        private void report(final Runnable report)
        {
            reports.add(report);
            LockSupport.unpark(taker);
        }

        /** Whether further messages may come. */
        boolean isThere()
        {
            return null == done && loss.isEmpty();
        }

        /** Whether its part of the next interval is known, even if there is none. */
        boolean isReadyToMerge()
        {
            return !intervals.isEmpty() || isClosing || !isThere();
        }

        void openFiles(final ResultFolder result, final long startEpochMs)
        {
            final ResultFolder folder = result.within(folderName);
            files.add(new IntervalFiles(folder, startEpochMs));
            files.add(new CounterFiles(folder, () -> merged.counters(), List.of()));
        }

        void checkSilence(final long nowNs)
        {
            heardNs = Math.max(heardNs, worker.process().heardNs());
            final long silentNs = nowNs - heardNs;
            if (isThere() && silentNs > (isClosing ? CLOSE_TIMEOUT_NS : request.intervalNs() + request.silenceNs()))
            {
                giveUp("it sent nothing for " + silentNs / 1_000_000 + " ms");
            }
        }

        private void onDone(final LoadWorker.Done answer)
        {
            if (!answer.problems().isEmpty())
            {
                giveUp("it reported problems: " + String.join("; ", answer.problems()));
                return;
            }
            try
            {
                merge.ended(number, answer.outcome(), answer.isEndedEarly());
            }
            catch (final IllegalArgumentException ex)
            {
                giveUp("it sent an invalid outcome: " + ex.getMessage());
                return;
            }

            done = answer;
            done.warnings().forEach((warning) -> warnings.add(worker.name() + ": " + warning));
            if (done.isEndedEarly() && !isEndRequested())
            {
                warnings.add(worker.name() + " ended its part of the schedule early without a request");
            }
        }

        /** Take its oldest interval that was not merged yet, if it has one. */
        void takeInterval()
        {
            merged = intervals.poll();
            try
            {
                if (null != merged)
                {
                    files.onInterval(merge.take(number, merged.interval()));
                }
            }
            catch (final RuntimeException ex)
            {
                merged = null;
                intervals.clear();
                giveUp("it sent an invalid interval: " + ex);
            }
        }

        /** Account for it without reports that are missing or wrong. */
        private void giveUp(final String why)
        {
            done = null;
            loss = String.format(
                Locale.ROOT, "client %d of %d was lost after %.1f s: %s; messages whose replies it did not report count as " +
                "without a reply", number, clients.size(), Math.max(0, clock.nanoTime() - startNs) / 1e9, why);
            merge.lost(number);
            pool.drop(number);
        }

        ClientRecord record(final LoadMeasurement measurement)
        {
            final LoadWorker.Greeting hello = worker.hello();
            return ClientRecord.of(
                number, folderName, hello.host(), hello.pid(), worker.command(), loss, offset, measurement,
                null == done ? 0 : done.ceilingPerSecond(), new TreeMap<>(hello.machine()));
        }
    }
}
