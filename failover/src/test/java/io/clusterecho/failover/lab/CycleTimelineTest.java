package io.clusterecho.failover.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.clusterecho.failover.lab.CycleTimeline.Part;
import io.clusterecho.failover.lab.CycleTimeline.PartTimes;
import io.clusterecho.failover.lab.CycleTimeline.Slice;
import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.measurement.Counter;
import io.clusterecho.reporting.measurement.LoadOutcome;
import io.clusterecho.reporting.measurement.TimeRecorder;
import io.clusterecho.reporting.results.Cycle;
import io.clusterecho.reporting.results.CycleBuilder;
import io.clusterecho.reporting.results.Percentile;
import io.clusterecho.reporting.results.Verdict;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CycleTimelineTest
{
    private static final long MS = SampleFailover.NS_PER_MS;

    @TempDir
    private Path folder;

    @Test
    void shouldReachFromBeforeTheFaultToAfterTheLastPhaseWithoutGaps() throws IOException
    {
        final Slice[] slices = timeline(2).slices();
        assertThat(slices[0].beginNs()).isEqualTo(-1_000 * MS);
        assertThat(slices[slices.length - 1].endNs()).isEqualTo(3_500 * MS);
        assertThat(slices).hasSize(450);
        for (int i = 1; i < slices.length; i++)
        {
            assertThat(slices[i].beginNs()).isEqualTo(slices[i - 1].endNs());
        }
        assertThat(Arrays.stream(slices).mapToLong(Slice::due).sum()).isEqualTo(4_500);
    }

    @Test
    void shouldChargeAnOutageToTheMessagesThatWereDueInIt() throws IOException
    {
        final Slice[] slices = timeline(1).slices();
        assertThat(slices[99]).isEqualTo(new Slice(-10 * MS, 0, 10, 10, 0, MS, MS, MS));
        // One reply was in flight at the fault.
        assertThat(slices[100]).isEqualTo(new Slice(0, 10 * MS, 10, 1, 0, 445 * MS, 450 * MS, 450 * MS));
        assertThat(slices[101]).isEqualTo(new Slice(10 * MS, 20 * MS, 10, 0, 1, 435 * MS, 439 * MS, 439 * MS));
    }

    @Test
    void shouldCountFirstRepliesWhereTheyCame() throws IOException
    {
        final Slice[] slices = timeline(1).slices();
        // Of the 449 delayed messages one is never answered and one is answered twice; ten more are on time.
        assertThat(slices[145].answered()).isEqualTo(458);
        assertThat(slices[144].answered()).isZero();
    }

    @Test
    void shouldSeparateResponseTimesBeforeDuringAndAfter() throws IOException
    {
        final Map<Part, PartTimes> stages = timeline(1).stages();
        assertThat(stages.keySet()).containsExactly(Part.BEFORE, Part.DURING, Part.CATCH_UP, Part.AFTER);
        assertStage(stages.get(Part.BEFORE), 1_000, 0, 1);
        assertStage(stages.get(Part.DURING), 459, 1, 450);
        assertStage(stages.get(Part.CATCH_UP), 1_040, 0, 1);
        assertStage(stages.get(Part.AFTER), 2_000, 0, 1);
    }

    @Test
    void shouldEndWithTheLoad() throws IOException
    {
        SampleFailover.result(folder, 1, "");
        final Cycle late = new CycleBuilder(1).with("startNs", 7_500 * MS).with("recovered", false).with("outageNs", 400 * MS)
            .cycle();
        final List<CycleTimeline> timelines =
            SampleFailover.timelines(folder.resolve("journal.bin"), List.of(late), 8_000, 0);
        assertThat(List.of(timelines.get(0).slices())).last().extracting(Slice::endNs).isEqualTo(500 * MS);
        // It did not recover, so nothing was due after it.
        assertThat(timelines.get(0).stages().keySet()).containsExactly(Part.BEFORE, Part.DURING);
    }

    @Test
    void shouldHaveEachMeasuredMessageInOneGroupAlone() throws IOException
    {
        final List<Cycle> cycles = SampleFailover.result(folder, 2, "").cycles();
        final Cycle soon = CycleBuilder.of(cycles.get(1)).with("startNs", 4_000 * MS).cycle();
        final List<CycleTimeline> timelines =
            SampleFailover.timelines(folder.resolve("journal.bin"), List.of(cycles.get(0), soon), 14_000, 1_200);
        final List<PartTimes> all = timelines.stream().flatMap((one) -> one.stages().values().stream()).toList();
        // Of the first from 1.2 s, where the warm-up ends, to 3 s; of the second from there to 7.5 s.
        assertThat(all.stream().mapToLong((times) -> times.responseTimes().getTotalCount() + times.unanswered()).sum())
            .isEqualTo(1_800 + 4_500);
    }

    @Test
    void shouldShowTheRestOfTheMeasuredWindowAndWarnOfItsLosses() throws IOException
    {
        final FailoverResult sample = SampleFailover.result(folder, 2, "");
        final FailoverResult result = new FailoverResult(
            sample.cycles(), sample.timelines(), new LoadOutcome(
            sample.outcome().counts().copy().set(Counter.ANSWERED, 13_650).set(Counter.UNANSWERED, 350), 1000.0, 0,
            TimeRecorder.newHistogram(), null, List.of(), List.of(), null), false, false, sample.audit(), sample.bounds(), null);
        final Verdict verdict = SampleFailover.verdict(result);
        assertThat(FailoverText.text(result, verdict, "y").lines())
            .anyMatch((line) -> line.matches("at other times +4652 +- +- +- +- +348"));
        assertThat(verdict.warnings()).first().asString().startsWith("348 messages that were due around no fault got no reply");
        assertThat(SampleFailover.verdict(sample).warnings()).containsExactly("a warning");
    }

    @Test
    void shouldSumTheStagesOfAllValidCycles() throws IOException
    {
        final Map<Part, PartTimes> stages = SampleFailover.result(folder, 3, "").stages();
        assertStage(stages.get(Part.DURING), 3 * 459, 3, 450);
    }

    @Test
    void shouldShowTheSameInJsonTextAndCsv() throws IOException
    {
        final FailoverResult result = SampleFailover.result(folder, 2, "it <i>broke</i>");
        final JsonNode json = new ObjectMapper().readTree(
            Documents.text(result.document(SampleFailover.verdict(result), "x", "y")));
        assertThat(json.at("/verdict/label").asText()).isEqualTo("FAILED");
        assertThat(json.at("/responseTimeNs/during/count").asLong()).isEqualTo(918);
        assertThat(json.at("/responseTimeNs/during/unanswered").asLong()).isEqualTo(2);
        assertThat(json.at("/cycles/1/responseTimeNs/before/count").asLong()).isEqualTo(1_000);
        assertThat(json.at("/cycles/1/electionStartNs").asLong()).isEqualTo(220 * MS);
        assertThat(json.at("/phases/electionStartNs/median").asLong()).isEqualTo(220 * MS);

        assertThat(FailoverText.text(result, SampleFailover.verdict(result), "y").lines())
            .anyMatch((line) -> line.matches("election start +2 +220 ms +220 ms +220 ms +220 ms +2.00 ms"))
            .anyMatch((line) -> line.matches("during the outage +918 .* 450 ms +2"));
        final List<String> rows = FailoverText.timelinesCsv(result.timelines()).lines().toList();
        assertThat(rows).hasSize(1 + 2 * 450).contains("2,0.000,10.000,10,1,0,445000.0,450000.0,450000.0");
    }

    private CycleTimeline timeline(final int cycleCount) throws IOException
    {
        final FailoverResult result = SampleFailover.result(folder, cycleCount, "");
        return result.timelines().get(cycleCount - 1);
    }

    private static void assertStage(final PartTimes times, final long count, final long unanswered, final long maxMs)
    {
        assertThat(times.responseTimes().getTotalCount()).isEqualTo(count);
        assertThat(times.unanswered()).isEqualTo(unanswered);
        assertThat(Percentile.MAX.of(times.responseTimes()) / (double)MS)
            .isCloseTo(maxMs, withinPercentage(0.2));
    }
}
