package io.clusterecho.client.worker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.client.counters.CounterFiles;
import io.clusterecho.client.counters.CounterSource;
import io.clusterecho.client.load.IntervalListener;
import io.clusterecho.client.load.LoadInterval;
import io.clusterecho.client.load.LoadJson;
import io.clusterecho.client.load.LoadMeasurement;
import io.clusterecho.client.load.LoadMerge;
import io.clusterecho.client.load.Phase;
import io.clusterecho.client.results.ClientRecord;
import io.clusterecho.client.results.ClockOffset;
import io.clusterecho.client.results.IntervalFiles;
import io.clusterecho.client.results.Manifest;
import io.clusterecho.client.results.ResultFolder;
import io.clusterecho.client.transport.NotConnectedException;

import org.agrona.CloseHelper;

/**
 * One run of a {@link Crew}: starts the clients together, takes what they tell, and puts it together interval by interval. A
 * client that ends, or falls silent, is accounted for; the others go on. {@link #execute} is called once, by the crew's
 * thread; any thread may call {@link #requestEnd()}.
 */
public final class CrewRun
{
    private static final long LEAD_NS = 500_000_000L;
    private static final long PARK_NS = 100_000_000L;
    /** For a worker to close its sessions, when all is told that matters. */
    private static final long CLOSE_TIMEOUT_NS = 60_000_000_000L;
    private static final String FOLDER = "clients";

    private final Crew crew;
    private final CoordinatorClock clock;
    private final Order order;
    private final long silenceNs;
    private final List<Part> parts = new ArrayList<>();
    private final List<String> counterRows = new ArrayList<>();
    private LoadMerge merge;
    private boolean isEndedEarly;
    private long startNs;
    private Phase phase = Phase.CONNECT;
    private volatile boolean isEndRequested;
    private volatile long endRequestNs;

    /** A client of this run. */
    private static final class Part implements CounterSource
    {
        private final Crew.Worker worker;
        private final int number;
        private final ClockOffset before;
        private final Deque<JsonNode> intervals = new ArrayDeque<>();
        private final List<String> warnings = new ArrayList<>();
        private ClockOffset after;
        private IntervalFiles files;
        private CounterFiles counters;
        private JsonNode merged;
        private long heardNs;
        private long ceilingPerSecond;
        private String loss = "";
        private boolean isEnded;
        private boolean isDone;

        private Part(final Crew.Worker worker, final int number, final ClockOffset before)
        {
            this.worker = worker;
            this.number = number;
            this.before = before;
        }

        private boolean isLost()
        {
            return !loss.isEmpty();
        }

        /** Whether it may still tell something. */
        private boolean isThere()
        {
            return !isDone && !isLost();
        }

        @Override
        public List<String> processRows()
        {
            final List<String> rows = new ArrayList<>();
            merged.path("processes").forEach((row) -> rows.add(row.asText()));
            return rows;
        }

        @Override
        public String machineRow()
        {
            return merged.path("machine").asText(null);
        }
    }

    CrewRun(
        final Crew crew,
        final Order order,
        final List<Crew.Worker> workers,
        final List<ClockOffset> offsets,
        final long silenceNs)
    {
        this.crew = crew;
        clock = crew.clock();
        this.order = order;
        this.silenceNs = silenceNs;
        for (int i = 0; i < workers.size(); i++)
        {
            parts.add(new Part(workers.get(i), i, offsets.get(i)));
        }
    }

    /**
     * End the schedule of all clients now; what was due so far is drained and kept.
     */
    public void requestEnd()
    {
        endRequestNs = clock.nanoTime();
        isEndRequested = true;
        final ObjectNode end = Protocol.message(Protocol.END);
        parts.forEach((part) -> part.worker.link().send(end));
    }

    /**
     * Where the rows of counters come from: those of the clients in the interval that is told of, named by their numbers,
     * beside others.
     *
     * @param others which gives the rest.
     * @return all of them.
     */
    public CounterSource counters(final CounterSource others)
    {
        return new CounterSource()
        {
            @Override
            public List<String> processRows()
            {
                final List<String> rows = new ArrayList<>(counterRows);
                rows.addAll(others.processRows());
                return rows;
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
     * Run to the end.
     *
     * @param folder    of the result, in which each client gets one of its own.
     * @param listeners told of each interval of the whole, in order, on this thread.
     * @return what was measured.
     */
    public CrewResult execute(final ResultFolder folder, final List<IntervalListener> listeners)
    {
        final long leadNs = LEAD_NS + 4 * parts.stream().mapToLong((part) -> part.before.errorNs()).max().orElse(0);
        startNs = clock.nanoTime() + leadNs;
        final long startEpochMs = (clock.epochNs() + leadNs) / 1_000_000;
        merge = new LoadMerge(order.plan(), order.schedule(), parts.size(), startEpochMs);
        try
        {
            for (final Part part : parts)
            {
                final ResultFolder own = folderOf(folder, part);
                part.files = new IntervalFiles(own, startEpochMs);
                part.counters = new CounterFiles(own, part);
            }
            for (final Part part : parts)
            {
                part.heardNs = startNs;
                part.worker.link().send(
                    Protocol.message(Protocol.START).put("startNs", startNs + part.before.offsetNs()));
            }
            while (isAnyThere())
            {
                if (!takeAll())
                {
                    clock.park(PARK_NS);
                }
                while (canMerge())
                {
                    merge(listeners);
                }
            }
            if (Phase.DONE != phase)
            {
                // Nobody is left to tell of the end.
                merge(listeners);
            }
            return result(folder);
        }
        finally
        {
            for (final Part part : parts)
            {
                CloseHelper.quietCloseAll(part.files, part.counters);
            }
        }
    }

    private static ResultFolder folderOf(final ResultFolder folder, final Part part)
    {
        final Path path = folder.path().resolve(FOLDER).resolve(String.valueOf(part.number));
        try
        {
            Files.createDirectories(path);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("cannot make " + path, ex);
        }

        return ResultFolder.at(path);
    }

    private boolean isAnyThere()
    {
        return parts.stream().anyMatch(Part::isThere);
    }

    /**
     * @return whether there was anything.
     */
    private boolean takeAll()
    {
        boolean isAny = false;
        for (final Part part : parts)
        {
            for (WorkerLink.Heard heard = next(part); null != heard; heard = next(part))
            {
                isAny = true;
                part.heardNs = heard.timeNs();
                take(part, heard);
            }
            final long silentNs = clock.nanoTime() - part.heardNs;
            if (part.isThere() && silentNs > (part.isEnded ? CLOSE_TIMEOUT_NS : order.intervalNs() + silenceNs))
            {
                lose(part, "it said nothing for " + silentNs / 1_000_000 + " ms");
            }
        }

        return isAny;
    }

    private static WorkerLink.Heard next(final Part part)
    {
        return part.isThere() ? part.worker.link().poll() : null;
    }

    private void take(final Part part, final WorkerLink.Heard heard)
    {
        if (heard.isEnd())
        {
            lose(part, part.worker.link().fate());
            return;
        }

        final JsonNode message = heard.message();
        switch (Protocol.kind(message))
        {
            case Protocol.INTERVAL -> part.intervals.add(message);
            case Protocol.OUTCOME ->
            {
                part.isEnded = true;
                isEndedEarly |= message.path("endedEarly").asBoolean() && !isEndRequested;
                merge.ended(part.number, LoadJson.outcome(message));
            }
            case Protocol.DONE ->
            {
                part.isDone = true;
                part.ceilingPerSecond = message.path("ceilingPerSecond").asLong();
                message.path("warnings").forEach((warning) -> part.warnings.add(part.worker.name() + ": " + warning.asText()));
            }
            case Protocol.FAILED -> lose(part, message.path("message").asText());
            default -> lose(part, "it said something out of turn: " + Protocol.kind(message));
        }
    }

    private void lose(final Part part, final String why)
    {
        if (part.isEnded)
        {
            // All that it measured is here.
            part.isDone = true;
            part.warnings.add(part.worker.name() + " was lost when all was measured: " + why);
        }
        else
        {
            final double timeS = Math.max(0, clock.nanoTime() - startNs) / 1e9;
            part.loss = String.format(
                Locale.ROOT, "client %d of %d was lost after %.1f s: %s; what it had not told to be answered counts as without " +
                "a reply", part.number, parts.size(), timeS, why);
            merge.lost(part.number);
        }
        crew.drop(part.number);
    }

    private boolean canMerge()
    {
        return parts.stream().anyMatch((part) -> !part.intervals.isEmpty()) &&
            parts.stream().allMatch((part) -> !part.intervals.isEmpty() || part.isEnded || part.isLost());
    }

    private void merge(final List<IntervalListener> listeners)
    {
        final boolean[] isPresent = new boolean[parts.size()];
        counterRows.clear();
        for (final Part part : parts)
        {
            part.merged = part.intervals.poll();
            if (null != part.merged)
            {
                isPresent[part.number] = true;
                final LoadInterval share = merge.share(part.number);
                LoadJson.read(part.merged, share);
                part.files.onInterval(share);
                part.counters.onInterval(share);
                // "client" and "client-driver" get a number behind the first word.
                part.processRows().forEach((row) -> counterRows.add(
                    row.replaceFirst(CounterFiles.CLIENT, CounterFiles.CLIENT + "-" + part.number)));
            }
        }
        final LoadInterval whole = merge.merge(isPresent, clock.nanoTime() - startNs);
        phase = whole.phase();
        for (final IntervalListener listener : listeners)
        {
            listener.onInterval(whole);
        }
    }

    private CrewResult result(final ResultFolder folder)
    {
        final long endNs = clock.nanoTime() - startNs;
        final List<ClientRecord> clients = new ArrayList<>();
        final List<String> warnings = new ArrayList<>(Crew.warnings(parts.stream().map((part) -> part.worker).toList()));
        for (final Part part : parts)
        {
            if (part.isLost())
            {
                merge.accountForLost(part.number, endNs, isEndRequested, endRequestNs - startNs);
            }
            else
            {
                compareClocksAgain(part);
            }
            warnings.addAll(part.warnings);
        }
        // The whole is counted before the parts get what was not answered in their distributions.
        final LoadMeasurement whole = merge.measurement();
        for (final Part part : parts)
        {
            final ClientRecord record = record(part);
            final ObjectNode node = JsonNodeFactory.instance.objectNode();
            record.put(node);
            folderOf(folder, part).write("client.json", Manifest.text(node));
            clients.add(record);
        }

        return new CrewResult(whole, clients, isEndedEarly, warnings);
    }

    private void compareClocksAgain(final Part part)
    {
        try
        {
            part.after = crew.compareClocks(part.worker);
        }
        catch (final NotConnectedException ex)
        {
            // It has told all that it measured. What is missing is how far its clock has gone off meanwhile.
            part.warnings.add(ex.getMessage() + "; how far its clock drifted is not known");
            crew.drop(part.number);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }

    private ClientRecord record(final Part part)
    {
        final JsonNode hello = part.worker.hello();
        final Map<String, String> machine = new TreeMap<>();
        hello.path("machine").properties().forEach((one) -> machine.put(one.getKey(), one.getValue().asText()));
        return new ClientRecord(
            part.number, crew.command(part.number), hello.path("host").asText(), hello.path("pid").asLong(), machine,
            FOLDER + "/" + part.number, part.before, part.after, part.ceilingPerSecond, part.loss,
            merge.measurement(part.number));
    }
}
