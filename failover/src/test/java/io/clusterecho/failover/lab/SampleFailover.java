package io.clusterecho.failover.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import io.clusterecho.client.load.Delivery;
import io.clusterecho.client.load.LoadPlan;
import io.clusterecho.client.record.Journal;
import io.clusterecho.client.schedule.ConstantSchedule;
import io.clusterecho.failover.audit.AuditReport;
import io.clusterecho.failover.audit.FindingKind;
import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.measurement.Counter;
import io.clusterecho.reporting.measurement.Counts;
import io.clusterecho.reporting.measurement.Histograms;
import io.clusterecho.reporting.measurement.LoadMeasurement;
import io.clusterecho.reporting.measurement.LoadOutcome;
import io.clusterecho.reporting.measurement.TimeRecorder;
import io.clusterecho.reporting.results.Cycle;
import io.clusterecho.reporting.results.CycleBuilder;
import io.clusterecho.reporting.results.RunEvidence;
import io.clusterecho.reporting.results.Verdict;
import io.clusterecho.schema.codecs.EchoResponseDecoder;
import io.clusterecho.schema.codecs.RepeatedEchoResponseDecoder;

/**
 * A failover test with known numbers. A message is due each ms and answered 1 ms later. The fault of cycle <i>k</i> comes at
 * 2 s + 6 <i>k</i> s. Messages due in the 449 ms after it are answered 450 ms after the fault, except that the one due after
 * 10 ms is never answered and the one due after 20 ms is answered twice.
 */
public final class SampleFailover
{
    public static final long NS_PER_MS = 1_000_000L;
    public static final int RATE_PER_SECOND = 1_000;
    public static final long OUTAGE_MS = 450;
    private static final long FIRST_FAULT_MS = 2_000;
    private static final long CYCLE_MS = 6_000;
    private static final long CLIENT_ID = 77;
    private static final long SCHEDULE_START_NS = 123_456_789L;

    /** With heartbeats of 2 s. */
    static final FailoverResult.Bounds BOUNDS = new FailoverResult.Bounds(2_000 * NS_PER_MS, 3_000 * NS_PER_MS);

    private SampleFailover()
    {
    }

    /**
     * A test.
     *
     * @param folder     for the journal.
     * @param cycleCount of it.
     * @param problem    of the last cycle, or empty.
     */
    public static FailoverResult result(final Path folder, final int cycleCount, final String problem) throws IOException
    {
        final List<Cycle> cycles = new ArrayList<>();
        for (int i = 0; i < cycleCount; i++)
        {
            cycles.add(cycle(i, i == cycleCount - 1 ? problem : ""));
        }
        final long lengthMs = FIRST_FAULT_MS + CYCLE_MS * cycleCount;
        final Path journalFile = Files.createDirectories(folder).resolve("journal.bin");
        writeJournal(journalFile, lengthMs);
        final List<CycleTimeline> timelines = timelines(journalFile, cycles, lengthMs, 0);
        final LoadOutcome outcome = new LoadOutcome(
            new Counts().set(Counter.SCHEDULED, lengthMs).set(Counter.ANSWERED, lengthMs - cycleCount)
            .set(Counter.UNANSWERED, cycleCount).set(Counter.NEW_LEADERS, cycleCount),
            1000.0, 0, TimeRecorder.newHistogram(), null, List.of(), List.of(), null);
        final AuditReport.Journal journal = new AuditReport.Journal(
            1, true, 1, lengthMs, 0, lengthMs - cycleCount, lengthMs - cycleCount, 0, 0, 0, 0, 0, 0, 0, 0, cycleCount);
        final AuditReport.Log log = new AuditReport.Log(
            64 * lengthMs, 2, Map.of(), lengthMs, 0, 0, 0, 0, 0, "0000000000000001", List.of(), List.of(), false);
        final AuditReport audit = problem.isEmpty() ?
            new AuditReport(List.of(), log, journal, List.of(), Map.of(), List.of()) :
            new AuditReport(
            List.of(), log, journal, List.of(new AuditReport.Finding(FindingKind.values()[0], 1, 64L, "<b>wrong</b>")),
            Map.of(FindingKind.values()[0], 1L), List.of());
        return new FailoverResult(cycles, timelines, outcome, false, false, audit, BOUNDS, null);
    }

    /**
     * Timelines of any cycles from the journal of a test.
     *
     * @param journalFile of a test.
     * @param cycles      to show.
     * @param loadEndMs   since the start of the schedule.
     * @param warmUpCount messages of the warm-up.
     */
    static List<CycleTimeline> timelines(
        final Path journalFile, final List<Cycle> cycles, final long loadEndMs, final long warmUpCount)
    {
        final LoadPlan plan =
            new LoadPlan(RATE_PER_SECOND, 288, warmUpCount, 10 * loadEndMs, 1, 0, Long.MAX_VALUE, 1024, Delivery.AT_MOST_ONCE);
        return new FailoverHistory(
            journalFile, new ConstantSchedule(RATE_PER_SECOND), plan, CLIENT_ID, SCHEDULE_START_NS, loadEndMs * NS_PER_MS)
            .timelines(cycles);
    }

    /** The verdict on a test whose load had no errors, with one warning. */
    public static Verdict verdict(final FailoverResult result)
    {
        return Verdict.of(new RunEvidence(
            new LoadMeasurement(result.outcome(), new Histograms()), RATE_PER_SECOND, List.of(), false, List.of(),
            List.of("a warning"), result.account(), null));
    }

    /** Write the files that a failover test adds to the folder of its load. */
    public static void write(final Path folder, final int cycleCount, final String problem) throws IOException
    {
        final FailoverResult result = result(folder, cycleCount, problem);
        Files.writeString(
            folder.resolve("failover.json"),
            Documents.text(result.document(verdict(result), "java -jar x.jar", "somewhere")));
        Files.writeString(folder.resolve("failover.txt"), FailoverText.text(result, verdict(result), "somewhere"));
        Files.writeString(folder.resolve("timeline.csv"), FailoverText.timelinesCsv(result.timelines()));
    }

    /**
     * The history of a test.
     *
     * @param journalFile of a test.
     * @param cycleCount  of it.
     */
    static FailoverHistory history(final Path journalFile, final int cycleCount)
    {
        final long lengthMs = FIRST_FAULT_MS + CYCLE_MS * cycleCount;
        return new FailoverHistory(
            journalFile, new ConstantSchedule(RATE_PER_SECOND),
            new LoadPlan(RATE_PER_SECOND, 288, 0, 10 * lengthMs, 1, 0, Long.MAX_VALUE, 1024, Delivery.AT_MOST_ONCE),
            CLIENT_ID, SCHEDULE_START_NS, lengthMs * NS_PER_MS);
    }

    private static Cycle cycle(final int index, final String problem)
    {
        final Map<Cycle.OutagePhase, Long> phases = new EnumMap<>(Cycle.OutagePhase.class);
        phases.put(Cycle.OutagePhase.LAST_ECHO, 0L);
        phases.put(Cycle.OutagePhase.FAILURE_DETECTED, 200 * NS_PER_MS);
        phases.put(Cycle.OutagePhase.ELECTION_START, 220 * NS_PER_MS);
        phases.put(Cycle.OutagePhase.ELECTION_END, 400 * NS_PER_MS);
        phases.put(Cycle.OutagePhase.NEW_LEADER_KNOWN, 410 * NS_PER_MS);
        phases.put(Cycle.OutagePhase.SESSION_USABLE, 420 * NS_PER_MS);
        phases.put(Cycle.OutagePhase.FIRST_ECHO, OUTAGE_MS * NS_PER_MS);
        phases.put(Cycle.OutagePhase.BACKLOG_DRAINED, 460 * NS_PER_MS);
        phases.put(Cycle.OutagePhase.VICTIM_RETURNED, 1_000 * NS_PER_MS);
        phases.put(Cycle.OutagePhase.VICTIM_IN_QUORUM, 1_300 * NS_PER_MS);
        phases.put(Cycle.OutagePhase.VICTIM_CAUGHT_UP, 1_500 * NS_PER_MS);
        return new CycleBuilder(index + 1).with("victim", List.of(index % 3)).with("problem", problem)
            .with("startNs", (FIRST_FAULT_MS + CYCLE_MS * index) * NS_PER_MS).with("outageNs", OUTAGE_MS * NS_PER_MS)
            .with("outageResolutionNs", NS_PER_MS).with(phases).with("leaderBefore", index % 3)
            .with("leaderAfter", (index + 1) % 3).with("newLeaders", List.of(2)).with("effect", Cycle.Effect.KILLS).cycle();
    }

    private static void writeJournal(final Path file, final long lengthMs)
    {
        try (Journal journal = new Journal(file, 0))
        {
            for (long dueMs = 0; dueMs < lengthMs; dueMs++)
            {
                final long afterFaultMs = Math.floorMod(dueMs - FIRST_FAULT_MS, CYCLE_MS);
                final boolean isAfterFault = dueMs >= FIRST_FAULT_MS && afterFaultMs < OUTAGE_MS - 1;
                final long receiveMs = isAfterFault ? dueMs - afterFaultMs + OUTAGE_MS : dueMs + 1;
                journal.onSent(CLIENT_ID, dueMs, 0);
                if (!isAfterFault || 10 != afterFaultMs)
                {
                    journal.onReply(
                        CLIENT_ID, dueMs, 0, EchoResponseDecoder.TEMPLATE_ID, SCHEDULE_START_NS + receiveMs * NS_PER_MS);
                }
                if (isAfterFault && 20 == afterFaultMs)
                {
                    journal.onReply(
                        CLIENT_ID, dueMs, 0, RepeatedEchoResponseDecoder.TEMPLATE_ID,
                        SCHEDULE_START_NS + (receiveMs + 5) * NS_PER_MS);
                }
            }
        }
    }
}
