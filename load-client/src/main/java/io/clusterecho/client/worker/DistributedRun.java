package io.clusterecho.client.worker;

import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.clusterecho.client.counters.CounterSource;
import io.clusterecho.client.load.IntervalListeners;
import io.clusterecho.client.load.LoadMerge;
import io.clusterecho.client.load.LoadResult;
import io.clusterecho.client.transport.NotConnectedException;
import io.clusterecho.platform.WaitClock;
import io.clusterecho.reporting.measurement.IntervalListener;
import io.clusterecho.reporting.measurement.LoadMeasurement;
import io.clusterecho.reporting.measurement.RunInterval;
import io.clusterecho.reporting.results.ClientRecord;
import io.clusterecho.reporting.results.ProcessName;
import io.clusterecho.reporting.results.ResultFolder;

/**
 * One run of a {@link WorkerPool}: starts the clients together, receives their reports, and merges them interval by interval. A
 * client that ends, falls silent or sends invalid reports is accounted for; the others continue. {@link #execute} is called
 * once, by the pool's thread; any thread may call {@link #requestEnd()}.
 */
public final class DistributedRun implements AutoCloseable
{
    private static final long LEAD_NS = 500_000_000L;
    private static final long PARK_NS = 100_000_000L;
    /** If more time passes between two polls of the clients, this process was stopped. */
    private static final long PAUSE_NS = 1_000_000_000L;

    private final WorkerPool pool;
    private final WaitClock clock;
    private final RunRequest request;
    private final long silenceNs;
    private final List<ClientRun> clients;
    private final List<String> counterRows = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();
    private final IntervalListeners listeners = new IntervalListeners();
    private LoadMerge merge;
    private long startNs;
    private long lookNs;
    private boolean isLastMerged;
    private boolean isInterrupted;
    private volatile boolean isEndRequested;
    private volatile long endRequestNs;

    DistributedRun(
        final WorkerPool pool,
        final RunRequest request,
        final List<ClientRun> clients,
        final long silenceNs)
    {
        this.pool = pool;
        clock = pool.clock();
        this.request = request;
        this.silenceNs = silenceNs;
        this.clients = clients;
    }

    /** End the schedule of all clients now; what was due so far is drained and kept. The first request counts. */
    public void requestEnd()
    {
        synchronized (this)
        {
            if (!isEndRequested)
            {
                endRequestNs = clock.nanoTime();
                isEndRequested = true;
            }
        }
        clients.forEach((client) -> client.worker().calls().end());
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
            public List<String> processRows()
            {
                return Stream.concat(counterRows.stream(), others.processRows().stream()).toList();
            }

            @Override
            public String machineRow()
            {
                return others.machineRow();
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
        final long leadNs = LEAD_NS + 4 * clients.stream().mapToLong((client) -> client.before().errorNs()).max().orElse(0);
        boolean isWhole = false;
        try
        {
            final long startEpochMs = (clock.epochNs() + leadNs) / 1_000_000;
            merge = new LoadMerge(request.plan(), request.schedule(), clients.size(), startEpochMs);
            clients.forEach((client) -> client.openFiles(folder, startEpochMs));
            startNs = clock.nanoTime() + leadNs;
            lookNs = clock.nanoTime();
            clients.forEach((client) -> client.start(startNs));
            watch();
            final LoadResult result = result(folder);
            isWhole = problems.isEmpty();
            return result;
        }
        finally
        {
            clients.forEach(ClientRun::closeFiles);
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
        while (clients.stream().anyMatch(ClientRun::isThere))
        {
            if (!takeAll())
            {
                clock.park(PARK_NS);
            }
            while (canMerge())
            {
                merge();
            }
            isInterrupted |= Thread.interrupted();
            if (!isEndRequested && (isInterrupted || !listeners.problems().isEmpty() ||
                clients.stream().anyMatch(ClientRun::hasProblems)))
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

    /** @return whether there was anything. */
    private boolean takeAll()
    {
        final long nowNs = clock.nanoTime();
        final long passedNs = nowNs - lookNs;
        lookNs = nowNs;
        boolean isAny = false;
        for (final ClientRun client : clients)
        {
            if (passedNs > PAUSE_NS)
            {
                client.onPause(passedNs);
            }
            for (Supplier<String> report = client.poll(); null != report; report = client.poll())
            {
                isAny = true;
                take(client, report);
            }
            final String silence = client.silence(nowNs, request.intervalNs() + silenceNs);
            if (null != silence)
            {
                lose(client, silence);
            }
        }

        return isAny;
    }

    private void take(final ClientRun client, final Supplier<String> report)
    {
        final boolean hadOutcome = client.hasOutcome();
        final String failure = report.get();
        if (null != failure)
        {
            lose(client, failure);
        }
        else if (!hadOutcome && client.hasOutcome())
        {
            merge.ended(client.number(), client.outcome());
            if (client.isEndedEarly() && !isEndRequested)
            {
                client.warnings().add(
                    client.worker().name() + " ended its part of the schedule early without a request");
            }
        }
    }

    private void lose(final ClientRun client, final String why)
    {
        if (client.hasOutcome())
        {
            client.onLostAtEnd(why);
            pool.drop(client.number());
        }
        else
        {
            giveUp(client, why);
        }
    }

    /** Account for a client without reports that are missing or wrong. */
    private void giveUp(final ClientRun client, final String why)
    {
        final double timeS = Math.max(0, clock.nanoTime() - startNs) / 1e9;
        client.onLost(String.format(
            Locale.ROOT, "client %d of %d was lost after %.1f s: %s; messages whose replies it did not report count as without " +
            "a reply", client.number(), clients.size(), timeS, why));
        merge.lost(client.number());
        pool.drop(client.number());
    }

    private boolean canMerge()
    {
        return clients.stream().anyMatch(ClientRun::hasInterval) && clients.stream().allMatch(ClientRun::isReadyToMerge);
    }

    private void merge()
    {
        counterRows.clear();
        for (final ClientRun client : clients)
        {
            read(client);
            // "client" and "client-driver" get a number after the first word.
            client.processRows().forEach((row) -> counterRows.add(
                row.replaceFirst(ProcessName.CLIENT, ProcessName.CLIENT + "-" + client.number())));
        }
        final RunInterval whole = merge.merge(clock.nanoTime() - startNs);
        isLastMerged = whole.isLast();
        listeners.onInterval(whole);
    }

    /** Take the next interval of a client, if it has one. */
    private void read(final ClientRun client)
    {
        final RunInterval share;
        try
        {
            final RunInterval reported = client.readInterval();
            if (null == reported)
            {
                return;
            }
            share = merge.take(client.number(), reported);
        }
        catch (final RuntimeException ex)
        {
            giveUp(client, "it sent an invalid interval: " + ex);
            return;
        }

        client.write(share);
    }

    private LoadResult result(final ResultFolder folder)
    {
        final long endNs = clock.nanoTime() - startNs;
        listeners.close();
        problems.addAll(listeners.problems());
        for (final ClientRun client : clients)
        {
            final long replyCount = merge.replyCount(client.number());
            if (client.hasOutcome() && replyCount != client.outcome().replied())
            {
                giveUp(client, replyCount + " response times in its intervals, but " + client.outcome().replied() +
                    " replies in its outcome");
            }
            if (client.isLost())
            {
                merge.accountForLost(client.number(), endNs, isEndRequested, endRequestNs - startNs);
            }
            else if (!client.isGone())
            {
                compareClocksAgain(client);
            }
            problems.addAll(client.closeFiles());
        }
        // Merge the whole before unanswered messages are added to the clients' distributions.
        final LoadMeasurement whole = merge.measurement();
        final List<ClientRecord> records = new ArrayList<>();
        final List<String> warnings = new ArrayList<>();
        for (final ClientRun client : clients)
        {
            final ClientRecord record = client.record(merge.measurement(client.number()));
            try
            {
                client.write(folder, record);
            }
            catch (final RuntimeException ex)
            {
                problems.add(client.worker().name() + ": its record could not be written: " + ex);
            }
            records.add(record);
            warnings.addAll(client.warnings());
        }

        return new LoadResult(
            whole, List.copyOf(problems), List.of(), records,
            clients.stream().anyMatch((client) -> client.hasOutcome() && client.isEndedEarly()), warnings);
    }

    private void compareClocksAgain(final ClientRun client)
    {
        try
        {
            client.after(pool.compareClocks(client.worker()));
            return;
        }
        catch (final NotConnectedException ex)
        {
            client.onLostAtEnd(ex.getMessage());
        }
        catch (final InterruptedException ex)
        {
            isInterrupted = true;
            client.onLostAtEnd("interrupted while comparing the clocks");
        }
        pool.drop(client.number());
    }

    /** Close the listeners, if that is not done yet. */
    @Override
    public void close()
    {
        listeners.close();
    }
}
