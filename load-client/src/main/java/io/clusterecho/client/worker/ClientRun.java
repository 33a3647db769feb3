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
import java.util.TreeMap;

import com.fasterxml.jackson.databind.JsonNode;

import io.clusterecho.client.counters.CounterSource;
import io.clusterecho.client.counters.RunFiles;
import io.clusterecho.client.load.LoadMessages;
import io.clusterecho.client.load.LoadPlan;
import io.clusterecho.client.load.Share;
import io.clusterecho.platform.BuildFacts;
import io.clusterecho.reporting.document.ClientDocument;
import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.measurement.Counter;
import io.clusterecho.reporting.measurement.LoadMeasurement;
import io.clusterecho.reporting.measurement.LoadOutcome;
import io.clusterecho.reporting.measurement.RunInterval;
import io.clusterecho.reporting.measurement.Time;
import io.clusterecho.reporting.results.ClientRecord;
import io.clusterecho.reporting.results.ClockOffset;
import io.clusterecho.reporting.results.FileNames;
import io.clusterecho.reporting.results.ResultFolder;

/** One client's part of a {@link DistributedRun}: its worker's reports so far, its files, and how it ended. One thread. */
final class ClientRun implements CounterSource
{
    /** Time for a worker to close its sessions after its last report. */
    private static final long CLOSE_TIMEOUT_NS = 60_000_000_000L;
    private static final String FOLDER = FileNames.CLIENTS;

    private final WorkerPool.Worker worker;
    private final ClockOffset before;
    private final LoadPlan plan;
    private final Deque<JsonNode> intervals = new ArrayDeque<>();
    private final List<String> warnings = new ArrayList<>();
    private RunFiles files;
    private JsonNode merged;
    private LoadOutcome outcome;
    private ClockOffset after;
    private String loss = "";
    private long heardNs;
    private long sentCount;
    private long responseTimeCount;
    private long ceilingPerSecond;
    private boolean isEndedEarly;
    private boolean isDone;
    private boolean isGone;

    ClientRun(final WorkerPool.Worker worker, final ClockOffset before, final LoadPlan plan)
    {
        this.worker = worker;
        this.before = before;
        this.plan = plan;
        warnOfAnotherBuild();
    }

    private void warnOfAnotherBuild()
    {
        final Map<String, String> own = BuildFacts.versions();
        for (final String program : List.of("cluster-echo", "commit", "aeron"))
        {
            final String version = worker.hello().path("versions").path(program).asText(null);
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
        files = new RunFiles(ResultFolder.at(path), startEpochMs, this, List.of());
    }

    /**
     * Close its files; nothing is written to them any more.
     *
     * @return what could not be written, a sentence each; empty the second time.
     */
    List<String> closeFiles()
    {
        final RunFiles open = files;
        files = null;
        if (null == open)
        {
            return List.of();
        }
        open.close();
        return open.problems().stream().map((problem) -> folderName() + "/" + problem).toList();
    }

    /**
     * Start it.
     *
     * @param startNs when message 0 is due, on the coordinator's clock.
     */
    void start(final long startNs)
    {
        heardNs = startNs;
        worker.link().send(Protocol.message(Protocol.START).put("startNs", startNs + before.offsetNs()));
    }

    /** Next message of the worker; null if there is none, or if the worker has ended. */
    WorkerLink.Heard poll()
    {
        final WorkerLink.Heard heard = isThere() ? worker.link().poll() : null;
        if (null != heard)
        {
            heardNs = heard.timeNs();
        }

        return heard;
    }

    /** This process was stopped for a time, which does not count as silence. */
    void onPause(final long timeNs)
    {
        heardNs += timeNs;
    }

    /**
     * Why it counts as lost because of silence.
     *
     * @param nowNs     on the coordinator's clock.
     * @return a reason, or null if it is not lost.
     */
    String silence(final long nowNs, final long allowedNs)
    {
        final long silentNs = nowNs - heardNs;
        return isThere() && silentNs > (hasOutcome() ? CLOSE_TIMEOUT_NS : allowedNs) ?
            "it sent nothing for " + silentNs / 1_000_000 + " ms" : null;
    }

    /** Process a message; returns why it makes the client a lost one, or null. */
    String take(final JsonNode message)
    {
        final String kind = Protocol.kind(message);
        if (Protocol.FAILED.equals(kind))
        {
            return message.path("message").asText();
        }
        if (hasOutcome() != Protocol.DONE.equals(kind))
        {
            return "it sent an unexpected message: " + kind;
        }

        switch (kind)
        {
            case Protocol.INTERVAL -> intervals.add(message);
            case Protocol.OUTCOME ->
            {
                return takeOutcome(message);
            }
            case Protocol.DONE ->
            {
                isDone = true;
                ceilingPerSecond = message.path("ceilingPerSecond").asLong();
                message.path("warnings").forEach((warning) -> warnings.add(worker.name() + ": " + warning.asText()));
            }
            default ->
            {
                return "it sent an unexpected message: " + kind;
            }
        }

        return null;
    }

    private String takeOutcome(final JsonNode message)
    {
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

    /**
     * Read the oldest interval that was not read yet.
     *
     * @return null if there is none.
     * @throws RuntimeException if it is invalid; then there are no further ones.
     */
    RunInterval readInterval()
    {
        merged = intervals.poll();
        if (null == merged)
        {
            return null;
        }

        try
        {
            final RunInterval share = LoadMessages.interval(merged);
            sentCount += share.times().of(Time.SEND_DELAY).getTotalCount();
            responseTimeCount += share.times().of(Time.RESPONSE).getTotalCount();
            return share;
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
        if (null != files)
        {
            files.onInterval(share);
        }
    }

    /** How its intervals and its outcome differ, or null if they agree. */
    String mismatch()
    {
        final long replies = hasOutcome() ? outcome.replied() : 0;
        return hasOutcome() && replies != responseTimeCount ?
            responseTimeCount + " response times in its intervals, but " + replies + " replies in its outcome" : null;
    }

    /**
     * The last message that its accounts must cover: as many as it reported to be sent were due.
     *
     * @return index in the whole schedule, or -1 if it reported none.
     */
    long lastReportedIndex()
    {
        final Share share = plan.share();
        final long warmUpCount = share.countOf(0, plan.warmUpCount());
        return 0 == sentCount ? -1 : (warmUpCount + sentCount - 1) * share.count() + share.number();
    }

    /**
     * It was lost before it had reported its outcome, or its reports cannot be relied on.
     *
     * @param sentence reason, not empty.
     */
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
        final JsonNode hello = worker.hello();
        final Map<String, String> machine = new TreeMap<>();
        hello.path("machine").properties().forEach((one) -> machine.put(one.getKey(), one.getValue().asText()));
        return new ClientRecord(
            number(), worker.command(), hello.path("host").asText(), hello.path("pid").asLong(), machine, folderName(), before,
            after, ceilingPerSecond, loss, measurement);
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
