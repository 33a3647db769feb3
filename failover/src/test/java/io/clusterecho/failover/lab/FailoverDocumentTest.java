package io.clusterecho.failover.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.stream.LongStream;

import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.document.FailoverDocument;
import io.clusterecho.reporting.results.Cycle;
import io.clusterecho.reporting.results.CycleBuilder;
import io.clusterecho.reporting.results.Expectation;
import io.clusterecho.testing.GoldenFile;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The format of the published documents and tables of a failover test does not change. */
class FailoverDocumentTest
{
    @TempDir
    private Path folder;

    @Test
    void shouldWriteAllFieldsOfATest() throws IOException
    {
        final FailoverResult result = SampleFailover.result(folder, 2, "the <b>victim</b> did not return");
        check(result, "failover.json");
        GoldenFile.check(getClass(), "timeline.csv", FailoverText.timelinesCsv(result.timelines().subList(0, 1)));
    }

    @Test
    void shouldWriteNullForWhatIsNotKnownYet() throws IOException
    {
        final FailoverResult complete = SampleFailover.result(folder, 1, "");
        final Cycle known = complete.cycles().get(0);
        final EnumMap<Cycle.OutagePhase, Long> phases = new EnumMap<>(Cycle.OutagePhase.class);
        phases.put(Cycle.OutagePhase.LAST_ECHO, -7L);
        final Cycle begun = new CycleBuilder(2).with("fault", "pause").with("choice", "followers").with("victim", List.of(0, 2))
            .with("expectation", Expectation.NO_QUORUM).with("startNs", known.startNs()).with("valid", false)
            .with("recovered", false).with("interrupted", true).with("problem", "interrupted").with("quorumLost", true)
            .with("outageNs", 0).with(phases).with("echoesWithoutQuorum", 3).with("leaderBefore", -1).with("leaderAfter", -1)
            .with("newLeaders", List.of()).cycle();
        final FailoverResult result = new FailoverResult(
            List.of(known, begun), List.of(), null, true, null, complete.bounds(), null);
        GoldenFile.checkDocument(
            getClass(), "failover-begun.json",
            Documents.text(result.document(SampleFailover.verdict(complete), "java -jar x.jar", "results/sample")));
    }

    @Test
    void shouldCountLastEchoesBeforeTheFault() throws IOException
    {
        final FailoverResult complete = SampleFailover.result(folder, 1, "");
        final List<Cycle> cycles = LongStream.of(-9, 4, -7).mapToObj((lastEchoNs) -> withLastEcho(
            complete.cycles().get(0), lastEchoNs)).toList();
        final FailoverDocument.Spread spread =
            new FailoverResult(cycles, List.of(), null, true, null, complete.bounds(), null)
            .document(SampleFailover.verdict(complete), "", "").phases().get(Cycle.OutagePhase.LAST_ECHO.key());
        assertThat(spread).isEqualTo(new FailoverDocument.Spread(3, -9, -7, 4, 4));
    }

    private static Cycle withLastEcho(final Cycle cycle, final long lastEchoNs)
    {
        final EnumMap<Cycle.OutagePhase, Long> phases = new EnumMap<>(cycle.phases());
        phases.put(Cycle.OutagePhase.LAST_ECHO, lastEchoNs);
        return CycleBuilder.of(cycle).with(phases).cycle();
    }

    private void check(final FailoverResult result, final String name) throws IOException
    {
        GoldenFile.checkDocument(
            getClass(), name,
            Documents.text(result.document(SampleFailover.verdict(result), "java -jar x.jar", "results/sample")));
    }
}
