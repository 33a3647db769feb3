package io.clusterecho.failover.lab;

import static io.clusterecho.failover.lab.SampleFailover.NS_PER_MS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import io.clusterecho.client.load.Delivery;
import io.clusterecho.client.load.LoadPlan;
import io.clusterecho.client.record.Journal;
import io.clusterecho.client.record.JournalReader;
import io.clusterecho.client.schedule.BatchedSchedule;
import io.clusterecho.client.schedule.ConstantSchedule;
import io.clusterecho.client.schedule.Schedule;
import io.clusterecho.reporting.results.Cycle;
import io.clusterecho.reporting.results.CycleBuilder;
import io.clusterecho.schema.codecs.EchoResponseDecoder;
import io.clusterecho.settings.InvalidSettingException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FailoverHistoryTest
{
    private static final long CLIENT_ID = 5;
    private static final long START_NS = 1_000;
    private static final long RATE = 1_000;

    @TempDir
    private Path folder;

    @Test
    void shouldTakeOutagesFromTheJournalAndNotFromTheLab()
    {
        final Cycle cycle = measured(journal(new long[][]{ { 0, 100, 0 }, { 100, 550, 550 }, { 550, 1_000, 0 } }), 100, 900)
            .get(0);

        // Echoes come 1 ms after their message was due: the last one at 100 ms, the next at 551 ms.
        assertThat(cycle.outageNs()).isEqualTo(451 * NS_PER_MS);
        assertThat(cycle.outageResolutionNs()).isEqualTo(NS_PER_MS);
        assertThat(cycle.phaseNs(Cycle.OutagePhase.LAST_ECHO)).isZero();
        assertThat(cycle.phaseNs(Cycle.OutagePhase.FIRST_ECHO)).isEqualTo(451 * NS_PER_MS);
        assertThat(cycle.phaseNs(Cycle.OutagePhase.BACKLOG_DRAINED)).isEqualTo(452 * NS_PER_MS);
        // Phases that do not come from echoes are unchanged.
        assertThat(cycle.phaseNs(Cycle.OutagePhase.ELECTION_END)).isEqualTo(77);
    }

    @Test
    void shouldAssignEachGapToTheLastFaultBeforeItsEnd()
    {
        final List<Cycle> cycles = measured(
            journal(new long[][]{ { 0, 100, 0 }, { 100, 200, 200 }, { 200, 500, 0 }, { 500, 800, 800 }, { 800, 1_000, 0 } }),
            150, 450);
        assertThat(cycles).extracting(Cycle::outageNs).containsExactly(101 * NS_PER_MS, 301 * NS_PER_MS);
    }

    @Test
    void shouldSplitAGapOverTwoFaultsAtTheSecond()
    {
        final List<Cycle> cycles = measured(journal(new long[][]{ { 0, 100, 0 }, { 3_000, 4_000, 0 } }), 100, 2_000);
        assertThat(cycles).extracting(Cycle::outageNs).containsExactly(1_900 * NS_PER_MS, 1_001 * NS_PER_MS);
        assertThat(cycles.get(0).phases()).containsEntry(Cycle.OutagePhase.LAST_ECHO, 0L)
            .doesNotContainKeys(Cycle.OutagePhase.FIRST_ECHO, Cycle.OutagePhase.BACKLOG_DRAINED);
        assertThat(cycles.get(1).phases()).containsEntry(Cycle.OutagePhase.FIRST_ECHO, 1_001 * NS_PER_MS)
            .doesNotContainKeys(Cycle.OutagePhase.LAST_ECHO);
    }

    @Test
    void shouldMeasureFromTheFaultIfNoEchoCameBefore()
    {
        final Cycle cycle = measured(journal(new long[][]{ { 600, 1_000, 0 } }), 500).get(0);
        assertThat(cycle.outageNs()).isEqualTo(101 * NS_PER_MS);
        assertThat(cycle.phases()).containsEntry(Cycle.OutagePhase.FIRST_ECHO, 101 * NS_PER_MS)
            .doesNotContainKey(Cycle.OutagePhase.LAST_ECHO);
    }

    @Test
    void shouldTakeTheLongestOfSeveralGaps()
    {
        final Cycle cycle = measured(journal(
            new long[][]{ { 0, 100, 0 }, { 130, 200, 0 }, { 400, 500, 0 }, { 550, 1_000, 0 } }), 100).get(0);
        assertThat(cycle.outageNs()).isEqualTo(201 * NS_PER_MS);
        assertThat(cycle.phaseNs(Cycle.OutagePhase.LAST_ECHO)).isEqualTo(100 * NS_PER_MS);
        assertThat(cycle.phaseNs(Cycle.OutagePhase.FIRST_ECHO)).isEqualTo(301 * NS_PER_MS);
    }

    @Test
    void shouldLeaveOutGapsThatBeginAfterTheRecovery()
    {
        // Recovered after 300 ms; then gaps of 200 ms from 1,300 ms on, and of 900 ms from 2,000 ms on.
        final Path journal = journal(new long[][]{ { 0, 100, 0 }, { 200, 1_299, 0 }, { 1_500, 2_000, 0 }, { 2_900, 4_000, 0 } });
        final Cycle unrecovered = measured(journal, 100).get(0);
        assertThat(unrecovered.outageNs()).isEqualTo(901 * NS_PER_MS);

        final Cycle cycle = history(journal).measured(List.of(recovered(100, 300))).get(0);
        assertThat(cycle.outageNs()).isEqualTo(202 * NS_PER_MS);
        assertThat(cycle.phaseNs(Cycle.OutagePhase.FIRST_ECHO)).isEqualTo(1_401 * NS_PER_MS);
    }

    @Test
    void shouldFindNoOutageInGapsThatAreShorterThanTenMessages()
    {
        final Cycle cycle =
            measured(journal(new long[][]{ { 0, 100, 0 }, { 100, 108, 108 }, { 108, 1_000, 0 } }), 90, 900).get(0);
        assertThat(cycle.outageNs()).isZero();
        assertThat(cycle.phases()).doesNotContainKeys(
            Cycle.OutagePhase.LAST_ECHO, Cycle.OutagePhase.FIRST_ECHO, Cycle.OutagePhase.BACKLOG_DRAINED);
    }

    @Test
    void shouldEndAnOpenGapWithTheLoad()
    {
        final Cycle cycle = measured(journal(new long[][]{ { 0, 100, 0 } }), 50).get(0);
        assertThat(cycle.outageNs()).isEqualTo(900 * NS_PER_MS);
        assertThat(cycle.phases()).doesNotContainKeys(Cycle.OutagePhase.FIRST_ECHO, Cycle.OutagePhase.BACKLOG_DRAINED);
    }

    @Test
    void shouldUseTheIntervalOfBatchesAsResolution()
    {
        final Schedule batches = new BatchedSchedule(new ConstantSchedule(RATE), 20);
        assertThat(batches.distanceNs()).isEqualTo(20 * NS_PER_MS);
        assertThat(FailoverHistory.thresholdNs(batches.distanceNs())).isEqualTo(200 * NS_PER_MS);
        assertThat(FailoverHistory.thresholdNs(1)).isEqualTo(5 * NS_PER_MS);
    }

    @Test
    void shouldReadNoOutageFromAnIncompleteJournal() throws IOException
    {
        final Path journal = journal(new long[][]{ { 0, 1_000, 0 } });
        try (RandomAccessFile file = new RandomAccessFile(journal.toFile(), "rw"))
        {
            file.setLength(file.length() - 24 * 100);
        }

        assertThatThrownBy(() -> measured(journal, 50)).isInstanceOf(InvalidSettingException.class)
            .hasMessageContaining("it has no closing record");
        assertThatThrownBy(() -> history(journal).timelines(List.of(cycle(50)))).isInstanceOf(InvalidSettingException.class);
    }

    @Test
    void shouldNumberMessagesBeyondTwoToTheThirtyOne()
    {
        final long index = (1L << 31) + 5;
        final Path file = folder.resolve("long.bin");
        try (Journal journal = new Journal(file, 0))
        {
            journal.onSent(CLIENT_ID, index, 0);
            journal.onReply(CLIENT_ID, index, 0, EchoResponseDecoder.TEMPLATE_ID, 9);
            journal.onReply(CLIENT_ID, index, 0, EchoResponseDecoder.TEMPLATE_ID, 10);
        }

        final long[] seen = new long[2];
        JournalReader.readFirstReplies(file, 1, CLIENT_ID, index + 1, (read, timeNs) ->
        {
            seen[0] += read;
            seen[1] += timeNs;
        });
        assertThat(seen).containsExactly(index, 9);
    }

    private List<Cycle> measured(final Path journal, final long... faultsMs)
    {
        return history(journal).measured(Arrays.stream(faultsMs).mapToObj(FailoverHistoryTest::cycle).toList());
    }

    private static FailoverHistory history(final Path journal)
    {
        final LoadPlan plan = new LoadPlan(RATE, 288, 0, 10_000, 1, 0, Long.MAX_VALUE, 1024, Delivery.AT_MOST_ONCE);
        return new FailoverHistory(
            journal, new ConstantSchedule(RATE), plan, CLIENT_ID, START_NS, 1_000 * NS_PER_MS);
    }

    private static Cycle cycle(final long faultMs)
    {
        return cycle(faultMs, Map.of(Cycle.OutagePhase.ELECTION_END, 77L, Cycle.OutagePhase.FIRST_ECHO, 4L));
    }

    private static Cycle recovered(final long faultMs, final long afterMs)
    {
        return cycle(faultMs, Map.of(Cycle.OutagePhase.VICTIM_CAUGHT_UP, afterMs * NS_PER_MS));
    }

    private static Cycle cycle(final long faultMs, final Map<Cycle.OutagePhase, Long> phases)
    {
        return new CycleBuilder(1).with("startNs", faultMs * NS_PER_MS).with("outageNs", 5).with("outageResolutionNs", 5)
            .with(phases).cycle();
    }

    /**
     * A journal of messages due from the first to the second time in ms and answered 1 ms later, but not before the third time
     * unless it is 0.
     */
    private Path journal(final long[][] spans)
    {
        final Path file = folder.resolve("journal.bin");
        try (Journal journal = new Journal(file, 0))
        {
            for (final long[] span : spans)
            {
                for (long dueMs = span[0]; dueMs < span[1]; dueMs++)
                {
                    journal.onSent(CLIENT_ID, dueMs, 0);
                    journal.onReply(
                        CLIENT_ID, dueMs, 0, EchoResponseDecoder.TEMPLATE_ID,
                        START_NS + (Math.max(dueMs, span[2]) + 1) * NS_PER_MS);
                }
            }
        }

        return file;
    }
}
