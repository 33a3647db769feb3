package io.clusterecho.failover.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

import io.clusterecho.failover.audit.AuditReport;
import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.document.FailoverDocument;
import io.clusterecho.reporting.measurement.Counter;
import io.clusterecho.reporting.measurement.Counts;
import io.clusterecho.reporting.measurement.LoadOutcome;
import io.clusterecho.reporting.measurement.TimeRecorder;
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
            List.of(known, begun), List.of(), null, true, false, null, complete.bounds(), null);
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
            new FailoverResult(cycles, List.of(), null, true, false, null, complete.bounds(), null)
            .document(SampleFailover.verdict(complete), "", "").phases().get(Cycle.OutagePhase.LAST_ECHO.key());
        assertThat(spread).isEqualTo(new FailoverDocument.Spread(3, -9, -7, 4, 4));
    }

    @Test
    void shouldNotClaimOfAnotherServiceWhatIsNotKnown() throws IOException
    {
        final FailoverResult sample = SampleFailover.result(folder, 1, "");
        final Counts counts = sample.outcome().counts().copy().set(Counter.DUPLICATES, 5);
        final LoadOutcome outcome = new LoadOutcome(
            counts, 1000.0, 0, TimeRecorder.newHistogram(), null, List.of(), List.of(), null);
        final AuditReport audit = new AuditReport(
            List.of(), sample.audit().log(), new AuditReport.Journal(1, true, 1, 100, 0, 90, 60, 0, 30, 0, 0, 2, 10, 0, 0, 0),
            List.of(), Map.of(), List.of("the service is not the echo"));
        final FailoverResult own = new FailoverResult(
            sample.cycles(), sample.timelines(), outcome, false, true, audit, sample.bounds(), null);

        final FailoverDocument document = own.document(SampleFailover.verdict(sample), "", "");
        assertThat(document.proof().appliedTwice()).as("a second reply is not a second application").isEqualTo(2);
        assertThat(document.proof().acknowledgedPurged()).isEqualTo(30);
        assertThat(document.audit().notes()).containsExactly("the service is not the echo");
        assertThat(own.account().appliedTwice()).as("the audit has a finding for each").isZero();
        assertThat(FailoverText.text(own, SampleFailover.verdict(sample), "")).contains(
            "proof      acknowledged 90, 0 of them lost, not known, purged 30, committed twice 2; unanswered: 10 in the log")
            .contains("note: the service is not the echo");

        final FailoverResult echo = new FailoverResult(
            sample.cycles(), sample.timelines(), outcome, false, false, audit, sample.bounds(), null);
        assertThat(echo.appliedTwice()).isEqualTo(5);
        assertThat(FailoverText.text(echo, SampleFailover.verdict(sample), "")).contains(
            "0 of them lost, purged and only counted by a snapshot 30, applied twice 5;");
        assertThat(Documents.text(sample.document(SampleFailover.verdict(sample), "", ""))).doesNotContain("acknowledgedPurged");
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
