package io.clusterecho.client.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.results.DocumentKind;
import io.clusterecho.reporting.results.Percentile;
import io.clusterecho.reporting.results.ResultFolder;
import io.clusterecho.reporting.results.RunDescription;
import io.clusterecho.reporting.results.Spread;
import io.clusterecho.settings.InvalidSettingException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SweepRecordTest
{
    @TempDir
    private Path parent;

    @Test
    void shouldResumeAfterTheLastRunThatWasDone() throws IOException
    {
        final SweepRecord before = begin();
        final List<Cell> cells = before.plan().cells();
        before.add(SampleSweep.run(cells.get(0), 1, true));
        before.add(SweepRun.failed(cells.get(1), 1, "the port is taken"));
        before.add(SweepRun.notStarted(cells.get(2), 1, "the cluster", "No space left on device"));

        // The previous record gets no notice: its process may have been killed.
        final SweepRecord after = SweepRecord.resume(before.folder().path());
        assertThat(after.plan()).isEqualTo(before.plan());
        assertThat(after.doneCount()).isEqualTo(2);
        assertThat(after.isDone(cells.get(0), 1)).isTrue();
        assertThat(after.isDone(cells.get(0), 2)).isFalse();
        // A failed run is done: its row contains the reason.
        assertThat(after.isDone(cells.get(1), 1)).isTrue();
        // Its cluster did not start, which says nothing of the cell.
        assertThat(after.isDone(cells.get(2), 1)).isFalse();

        SampleSweep.complete(after);
        final SweepRecord whole = SweepRecord.resume(before.folder().path());
        assertThat(whole.isWhole()).isTrue();
        assertThat(withoutMachine(document(whole))).isEqualTo(withoutMachine(document(after)));
    }

    @Test
    void shouldBeWholeOnDiskAfterEveryRun() throws IOException
    {
        final SweepRecord sweep = begin();
        for (final Cell cell : sweep.plan().cells())
        {
            sweep.add(SampleSweep.run(cell, 1, true));
            final SweepDocument document = SweepRecord.document(sweep.folder().path());
            assertThat(document.runs()).hasSize(sweep.doneCount());
            assertThat(Files.readAllLines(sweep.folder().path().resolve("runs.csv"))).hasSize(1 + sweep.doneCount());
            assertThat(document.verdict().label()).isEqualTo("PARTIAL");
        }
    }

    @Test
    void shouldRefuseAFormatThatItDoesNotKnow() throws IOException
    {
        final SweepRecord sweep = begin();
        final Path file = sweep.folder().path().resolve(DocumentKind.SWEEP.fileName());
        Files.writeString(file, Files.readString(file).replace("cluster-echo-sweep/1", "cluster-echo-sweep/9"));
        assertThatThrownBy(() -> SweepRecord.resume(sweep.folder().path()))
            .isInstanceOf(InvalidSettingException.class).hasMessageContaining("cluster-echo-sweep/9");
    }

    @Test
    void shouldSumUpRunsAndNotMessages()
    {
        final CellSummary summary = SampleSweep.complete(begin()).summaries().get(1);
        assertThat(summary.verdict()).isEqualTo("GOOD");
        // 288 bytes at level 0, in the repeats 1 to 4.
        assertThat(summary.spread(Percentile.P50))
            .isEqualTo(new Spread(3_002_000, 3_001_000, 3_004_000, 4));
    }

    @Test
    void shouldCountGoodRunsOnlyAsLongAsThereAreAny()
    {
        final SweepRecord sweep = begin();
        final Cell cell = sweep.plan().cells().get(0);
        sweep.add(SampleSweep.run(cell, 1, false));
        assertThat(sweep.summaries().get(0).spread(Percentile.P50).median()).isEqualTo(1_001_000);
        sweep.add(SampleSweep.run(cell, 2, true));
        sweep.add(SweepRun.failed(cell, 3, "no cluster"));
        final CellSummary summary = sweep.summaries().get(0);
        assertThat(summary.spread(Percentile.P50)).isEqualTo(new Spread(1_002_000, 1_002_000, 1_002_000, 1));
        assertThat(summary.verdict()).isEqualTo("FAILED");
        assertThat(summary.goodCount()).isEqualTo(1);
        assertThat(summary.reasons()).containsExactly("repeat 1: rate missed <i>", "repeat 3: no cluster");
        assertThat(sweep.verdict(List.of()).label()).isEqualTo("FAILED");
    }

    @Test
    void shouldMarkCellsWhoseRunsWereDisturbed() throws IOException
    {
        final SweepRecord sweep = begin();
        final List<Cell> cells = sweep.plan().cells();
        sweep.add(SampleSweep.run(cells.get(0), 1, 1, "other-programs"));
        sweep.add(SampleSweep.run(cells.get(1), 1, 1, "few-cores"));
        SampleSweep.complete(sweep);

        final SweepDocument document = SweepRecord.document(sweep.folder().path());
        assertThat(document.runs().get(0).disturbances()).containsExactly("other-programs in repeat 1");
        assertThat(document.cells().get(0).disturbances()).containsExactly("repeat 1: other-programs in repeat 1");
        assertThat(document.cells().get(0).verdict().label()).isEqualTo("GOOD");
        assertThat(document.cells().subList(1, cells.size())).allSatisfy((cell) -> assertThat(cell.disturbances()).isNull());
        assertThat(document.verdict().warnings()).singleElement().asString().endsWith(": " + sweep.name(cells.get(0)));
        assertThat(SweepText.text(sweep, sweep.verdict(List.of())).lines().filter((line) -> line.contains("disturbed")))
            .filteredOn((line) -> line.contains(sweep.name(cells.get(0)))).hasSize(3);
    }

    @Test
    void shouldRemarkOnAnOrderThatContradictsItself() throws IOException
    {
        final SweepRecord sweep = begin();
        final List<Cell> cells = sweep.plan().cells();
        final Cell slow = cells.get(2);
        assertThat(slow.value(Dimension.FSYNC)).isEqualTo("1");
        for (int repeat = 1; repeat <= sweep.plan().repeats(); repeat++)
        {
            sweep.add(SampleSweep.run(slow, repeat, 5, ""));
        }
        SampleSweep.complete(sweep);

        final SweepDocument document = SweepRecord.document(sweep.folder().path());
        // Slower than fsync 2, and than nine times as long messages.
        final String rest =
            ", and fsync=1 size=32, which cannot cost more, one of 10.0 ms: something else differed between them";
        assertThat(document.verdict().warnings()).containsExactly(
            "fsync=2 size=32 has a p50 of 4.00 ms" + rest, "fsync=1 size=288 has a p50 of 6.00 ms" + rest);
        assertThat(document.verdict().good()).isTrue();
    }

    @Test
    void shouldNotRemarkOnAnOrderThatMayBeChance()
    {
        final SweepRecord sweep = begin();
        // One of the repeats is slow.
        sweep.add(SampleSweep.run(sweep.plan().cells().get(2), 1, 5, ""));
        assertThat(SampleSweep.complete(sweep).contradictions()).isEmpty();
    }

    @Test
    void shouldHoldRatiosAgainstPublishedOnesWhereTheSameThingWasMeasured()
    {
        final SweepRecord sweep = SampleSweep.complete(begin());
        final List<Ratio> ratios = Ratio.of(sweep);
        // Levels 1 and 2 against 0 for each of two lengths, and 288 bytes against 32 for each of three levels.
        assertThat(ratios).hasSize(7);
        assertThat(ratios.stream().filter((ratio) -> "fsync".equals(ratio.dimension()))).hasSize(4)
            .allSatisfy((ratio) -> assertThat(ratio.published()).isNull())
            .allSatisfy((ratio) -> assertThat(ratio.ours().get("p50")).isCloseTo(
                "1".equals(sweep.cell(ratio.cell()).value(Dimension.FSYNC)) ? 2 : 4, within(0.02)));
        final List<Ratio> bySize = ratios.stream().filter((ratio) -> "size".equals(ratio.dimension())).toList();
        assertThat(bySize).hasSize(3).allSatisfy((ratio) -> assertThat(ratio.ours().get("p99")).isCloseTo(3, within(0.02)));
        assertThat(bySize).allSatisfy((ratio) -> assertThat(ratio.published()).isNull());
        assertThat(bySize.get(0).publishedDiffers())
            .containsExactly("load: open loop at 1000/s here, open loop at 100000/s in the report");
        assertThat(bySize.get(1).publishedDiffers()).anySatisfy((one) -> assertThat(one).contains("file sync level 1, MTU 1408"));

        final List<Ratio> atItsRate = Ratio.of(SampleSweep.complete(guide(
            "fsync", "0", "mtu", "1408", "size", "32,288", "rate", "100k", "repeats", "1")));
        // The published 288 and 32 bytes: 109 to 107 us, and 235 to 132 us; without flushing.
        assertThat(atItsRate.get(0).published().get("p50")).isEqualTo(Documents.rounded(109.0 / 107, 4));
        assertThat(atItsRate.get(0).published().get("p99")).isEqualTo(Documents.rounded(235.0 / 132, 4));
        assertThat(atItsRate.get(0).publishedDiffers()).isEmpty();
    }

    @Test
    void shouldHoldTheRateAndTheArrivalsOfTheRunsAgainstThePublishedOnes()
    {
        final List<Ratio> scaled = Ratio.of(SampleSweep.complete(guide(
            "fsync", "0", "mtu", "1408", "size", "32,288", "rate", "100k", "scale", "0.1", "repeats", "1")));
        assertThat(scaled.get(0).published()).isNull();
        assertThat(scaled.get(0).publishedDiffers())
            .containsExactly("load: open loop at 10000/s here, open loop at 100000/s in the report");
        final List<Ratio> scaledToTheirs = Ratio.of(SampleSweep.complete(guide(
            "fsync", "0", "mtu", "1408", "size", "32,288", "rate", "1M", "scale", "0.1", "repeats", "1")));
        assertThat(scaledToTheirs.get(0).publishedDiffers()).isEmpty();
        assertThat(scaledToTheirs.get(0).published()).isNotEmpty();
        final SweepRecord poisson = SweepRecord.begin(
            ResultFolder.create(parent, "poisson", Instant.EPOCH), guide(
                "fsync", "0", "mtu", "1408", "size", "32,288", "rate", "100k", "repeats", "1").plan(), new RunDescription(
            "poisson", Instant.EPOCH, "", Map.of("arrivals", "poisson"), Map.of(), "", "", 0));
        assertThat(Ratio.of(SampleSweep.complete(poisson)).get(0).publishedDiffers())
            .containsExactly("load: open loop at 100000/s, poisson arrivals here, open loop at 100000/s in the report");
    }

    @Test
    void shouldHoldNothingAgainstPublishedFiguresWhereTheClientWasTheLimit()
    {
        final SweepRecord sweep = guide("fsync", "0", "mtu", "1408", "size", "32,288", "rate", "100k", "repeats", "2");
        final List<Cell> cells = sweep.plan().cells();
        for (int repeat = 1; repeat <= 2; repeat++)
        {
            sweep.add(SampleSweep.run(cells.get(0), repeat, true));
            sweep.add(SampleSweep.run(cells.get(1), repeat, true, 1 == repeat ? "GOOD" : "CLIENT-LIMITED"));
        }
        assertThat(sweep.summaries()).extracting(CellSummary::verdict).containsExactly("GOOD", "CLIENT-LIMITED");
        assertThat(sweep.summaries()).allMatch(CellSummary::isValid);
        final Ratio ratio = Ratio.of(sweep).get(0);
        assertThat(ratio.published()).isNull();
        assertThat(ratio.publishedDiffers())
            .containsExactly("limited by the client here: 1 of 2 runs, and 0 of 2 of the other cell");
        assertThat(sweep.verdict(List.of()).label()).isEqualTo("GOOD");
    }

    @Test
    void shouldCompareTheCostOfALevelWithADiskSync()
    {
        final SweepRecord sweep = SampleSweep.complete(begin());
        final List<SyncCost> costs = SyncCost.of(sweep);
        // 32 and 288 bytes, each at levels 1 and 2.
        assertThat(costs).extracting((cost) -> sweep.cell(cost.cell()).value(Dimension.FSYNC))
            .containsExactly("1", "1", "2", "2");
        assertThat(costs).extracting(SyncCost::p50Ns).containsExactly(1e6, 3e6, 3e6, 9e6);
        assertThat(costs).extracting(SyncCost::cpuSecondsPerMillion).containsExactly(20.5, 20.5, 41.0, 41.0);
        assertThat(costs).extracting(SyncCost::syncNs).containsExactly(150_000L, 150_000L, 300_000L, 300_000L);
        assertThat(costs).allSatisfy((cost) ->
        {
            final Cell against = sweep.cell(cost.against());
            assertThat(against.value(Dimension.FSYNC)).isEqualTo("0");
            assertThat(against.value(Dimension.SIZE)).isEqualTo(sweep.cell(cost.cell()).value(Dimension.SIZE));
        });
    }

    @Test
    void shouldSayWhyNoSyncOfTheDiskIsKnown()
    {
        final SweepRecord sweep = SampleSweep.begin(parent, "fsync", "0,1", "size", "288", "rate", "1k", "repeats", "1");
        for (final Cell cell : sweep.plan().cells())
        {
            final ObjectNode node = (ObjectNode)Documents.tree(SampleSweep.run(cell, 1, true));
            node.remove(List.of("floorSyncNs", "cpuSecondsPerMillion"));
            sweep.add(run(node.put("floorMissing", "not known: no baseline")));
        }
        assertThat(SyncCost.of(sweep)).singleElement().satisfies((cost) ->
        {
            assertThat(cost.syncNs()).isNull();
            assertThat(cost.syncMissing()).isEqualTo("not known: no baseline");
            assertThat(cost.cpuText()).isNull();
        });
        assertThat(text(sweep)).contains("compared with fsync 0", "+3.00 ms", "disk sync: not known: no baseline");
    }

    @Test
    void shouldNotStateACostThatIsWithinTheSpreadOfTheRepeats() throws IOException
    {
        // Medians of 1,000 and 700 us: the sync would cost -300 us.
        final SweepRecord sweep = withLevels(new long[]{ 1_000, 1_400 }, new long[]{ 700, 1_234 });
        assertThat(text(sweep)).doesNotContain("-300 us ", "+-300").containsPattern(
            "fsync=1 +not distinguishable from 0 \\(2 repeats, -700 us\\.\\.\\+234 us\\)");
        final JsonNode cost = json(sweep).at("/syncCosts/0");
        assertThat(cost.get("p50Ns").asDouble()).isEqualTo(-300_000);
        assertThat(cost.get("p50NsMin").asDouble()).isEqualTo(-700_000);
        assertThat(cost.get("p50NsMax").asDouble()).isEqualTo(234_000);
        assertThat(cost.get("p50Text").asText()).startsWith("not distinguishable from 0");
    }

    @Test
    void shouldStateACostWithItsRangeWhenItIsBeyondTheSpreadOfTheRepeats()
    {
        final SweepRecord sweep = withLevels(new long[]{ 1_000, 1_400 }, new long[]{ 1_500, 1_900 });
        assertThat(text(sweep)).containsPattern("fsync=1 +\\+500 us \\(2 repeats, \\+100 us\\.\\.\\+900 us\\)");
    }

    @Test
    void shouldNotStateACostOfASingleRepeat() throws IOException
    {
        final SweepRecord sweep = withLevels(new long[]{ 1_000 }, new long[]{ 1_500 });
        assertThat(text(sweep)).containsPattern("fsync=1 +not known from 1 repeat \\(\\+500 us\\)");
        assertThat(json(sweep).at("/syncCosts/0/repeats").asInt()).isEqualTo(1);
    }

    @Test
    void shouldShowHowFarARatioScatters() throws IOException
    {
        final JsonNode ratio = json(withLevels(new long[]{ 1_000, 1_400 }, new long[]{ 700, 1_234 })).at("/ratios/0");
        assertThat(ratio.at("/ours/p50").asDouble()).isCloseTo(700.0 / 1_000, within(1e-4));
        assertThat(ratio.at("/oursMin/p50").asDouble()).isCloseTo(0.5, within(1e-4));
        assertThat(ratio.at("/oursMax/p50").asDouble()).isCloseTo(1.234, within(1e-4));
        assertThat(ratio.get("runs").asInt()).isEqualTo(2);
        assertThat(ratio.get("againstRuns").asInt()).isEqualTo(2);
    }

    @Test
    void shouldNotCallRunsGoodThatFailed()
    {
        final SweepRecord sweep = SampleSweep.begin(parent, "fsync", "0,1", "repeats", "1");
        sweep.add(SampleSweep.run(sweep.plan().cells().get(0), 1, true));
        assertThat(text(sweep)).doesNotContain("failed runs");
        sweep.add(SampleSweep.run(sweep.plan().cells().get(1), 1, false));
        assertThat(text(sweep)).contains("no good run, times are from failed runs: fsync=1\n");
    }

    @Test
    void shouldSayOfEachCellWhyNoSyncIsKnown()
    {
        final SweepRecord sweep = SampleSweep.begin(parent, "fsync", "0,1", "size", "32,288", "rate", "1k", "repeats", "1");
        for (final Cell cell : sweep.plan().cells())
        {
            final ObjectNode node = (ObjectNode)Documents.tree(SampleSweep.run(cell, 1, true));
            node.remove("floorSyncNs");
            sweep.add(run(node.put("floorMissing", "no baseline for " + cell.value(Dimension.SIZE) + " bytes")));
        }
        assertThat(text(sweep)).contains(
            "disk sync: no baseline for 32 bytes\n", "disk sync: no baseline for 288 bytes\n");
    }

    @Test
    void shouldHoldTheRatioOfTheDriversAgainstThePublishedOne()
    {
        final List<Ratio> ratios = Ratio.of(SampleSweep.complete(
            guide("driver", "java,c,embedded", "mtu", "1408", "size", "288", "rate", "100k", "repeats", "1",
                "receive-vector", "2", "send-vector", "2", "messages-per-send", "2")));
        assertThat(ratios).extracting(Ratio::cell).containsExactly(2, 3);
        assertThat(ratios.get(0).ours().get("p50")).isCloseTo(1, within(0.02));
        assertThat(ratios.get(0).published().get("p50")).isEqualTo(Documents.rounded(108.0 / 109, 4));
        assertThat(ratios.get(1).published()).isNull();
    }

    @Test
    void shouldNameWhatTheReportHasNot()
    {
        final List<Ratio> drivers = Ratio.of(SampleSweep.complete(guide(
            "driver", "java,c", "mtu", "1408", "size", "288", "rate", "100k", "repeats", "1")));
        assertThat(drivers.get(0).published()).isNull();
        assertThat(drivers.get(0).publishedDiffers()).contains("send-vector: 4 here, 2 in the report");

        final List<Ratio> sizes = Ratio.of(SampleSweep.complete(guide(
            "snapshot-every", "5s", "mtu", "1408", "size", "32,288", "rate", "100k", "repeats", "1")));
        assertThat(sizes.get(0).published()).isNull();
        assertThat(sizes.get(0).publishedDiffers()).containsExactly("snapshot-every: 5s here, not in the report");
    }

    @Test
    void shouldNotTakeAClientWithAnotherDriverForTheReports()
    {
        final List<Ratio> ratios = Ratio.of(SampleSweep.complete(guide(
            "client-driver", "c", "mtu", "1408", "size", "32,288", "rate", "100k", "repeats", "1")));
        assertThat(ratios.get(0).published()).isNull();
        assertThat(ratios.get(0).publishedDiffers()).containsExactly("client-driver: c here, not in the report");
    }

    @Test
    void shouldNotHoldTwoPlacementsAgainstOneFigureOfTheReport()
    {
        final List<Ratio> ratios = Ratio.of(SampleSweep.complete(guide(
            "placement", "none,cluster", "mtu", "1408", "size", "288", "rate", "100k", "repeats", "1")));
        assertThat(ratios.get(0).published()).isNull();
        assertThat(ratios.get(0).publishedDiffers()).isNull();
    }

    @Test
    void shouldHoldThePartitionAgainstThePublishedOne()
    {
        final SweepRecord sweep = SampleSweep.complete(guide(
            "placement", "cluster,partition", "mtu", "1408", "size", "288", "rate", "100k", "repeats", "1"));
        final List<Ratio> ratios = Ratio.of(sweep);
        assertThat(ratios).hasSize(1);
        assertThat(ratios.get(0).dimension()).isEqualTo("placement");
        assertThat(ratios.get(0).published().get("p50")).isEqualTo(Documents.rounded(2070.0 / 109, 4));
        assertThat(ratios.get(0).published().get("p99")).isEqualTo(Documents.rounded(2207.0 / 235, 4));
        assertThat(document(sweep)).contains("emulated partition: in words");
    }

    @Test
    void shouldQuoteWhatStandsInACell() throws IOException
    {
        final SweepRecord sweep = begin();
        sweep.add(SweepRun.failed(sweep.plan().cells().get(0), 1, "taken: \"port\", 33000\nsecond line"));
        final List<String> rows = Files.readAllLines(sweep.folder().path().resolve("runs.csv"));
        assertThat(rows).hasSize(2);
        assertThat(rows.get(1)).endsWith("\"taken: \"\"port\"\", 33000 / second line\"");
    }

    /** The load average changes all the time. */
    private static JsonNode withoutMachine(final String json) throws IOException
    {
        final ObjectNode document = (ObjectNode)new ObjectMapper().readTree(json);
        document.remove("machine");
        return document;
    }

    /**
     * A sweep of two levels.
     *
     * @param without medians at level 0 in us, one for each repeat.
     * @param with    medians at level 1.
     */
    private SweepRecord withLevels(final long[] without, final long[] with)
    {
        final SweepRecord sweep =
            SampleSweep.begin(parent, "fsync", "0,1", "rate", "1k", "repeats", String.valueOf(without.length));
        for (int repeat = 1; repeat <= without.length; repeat++)
        {
            for (final Cell cell : sweep.plan().cells())
            {
                final ObjectNode run = (ObjectNode)Documents.tree(SampleSweep.run(cell, repeat, true));
                final long[] medians = "0".equals(cell.value(Dimension.FSYNC)) ? without : with;
                ((ObjectNode)run.get("responseTimeNs")).put("p50", 1_000 * medians[repeat - 1]);
                sweep.add(run(run));
            }
        }
        return sweep;
    }

    private static SweepRun run(final ObjectNode node)
    {
        return Documents.bind(node, SweepRun.class);
    }

    private static String text(final SweepRecord sweep)
    {
        return SweepText.text(sweep, sweep.verdict(List.of()));
    }

    private static String document(final SweepRecord sweep)
    {
        return Documents.text(SweepDocument.of(sweep, sweep.verdict(List.of())));
    }

    private static JsonNode json(final SweepRecord sweep) throws IOException
    {
        return new ObjectMapper().readTree(document(sweep));
    }

    /** A sweep that is compared with the guide to measuring Aeron on AWS. */
    private SweepRecord guide(final String... properties)
    {
        return SampleSweep.begin(parent, Stream.concat(
            Stream.of("published", "aeron-aws cluster-echo", "published@cluster", "aeron-{driver}"), Stream.of(properties))
            .toArray(String[]::new));
    }

    private SweepRecord begin()
    {
        return guide("fsync", "0,1,2", "mtu", "1408", "size", "32,288", "rate", "1k", "repeats", "4");
    }
}
