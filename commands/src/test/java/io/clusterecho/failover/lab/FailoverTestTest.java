package io.clusterecho.failover.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.clusterecho.client.load.LoadResult;
import io.clusterecho.client.run.EndRequest;
import io.clusterecho.client.run.RunConfig;
import io.clusterecho.client.series.TestCluster;
import io.clusterecho.failover.audit.AuditReport;
import io.clusterecho.reporting.evidence.FullDisk;
import io.clusterecho.reporting.measurement.Histograms;
import io.clusterecho.reporting.measurement.LoadMeasurement;
import io.clusterecho.reporting.measurement.Time;
import io.clusterecho.reporting.measurement.TimeRecorder;
import io.clusterecho.reporting.results.ExitCode;
import io.clusterecho.reporting.results.ResultFolder;
import io.clusterecho.reporting.results.RunDescription;
import io.clusterecho.settings.InvalidSettingException;

import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FailoverTestTest
{
    private static final int CYCLE_COUNT = 2;
    private static final int RATE = SampleFailover.RATE_PER_SECOND;
    private static final long OUTAGE_NS = SampleFailover.OUTAGE_MS * SampleFailover.NS_PER_MS;

    @TempDir
    private Path folder;

    private final List<String> steps = new ArrayList<>();
    private final List<String> problemsOfLoad = new ArrayList<>();
    private FailoverResult sample;
    private final EndRequest endRequest = EndRequest.byHand(Thread.currentThread());
    private FailoverTest test;
    private FullDisk disk;
    private String failingStep = "";
    private boolean isEndedEarly;
    private boolean isEndRequestedInAudit;
    private boolean hasKeptCycles;
    private AuditReport audit;

    @BeforeEach
    void makeTest() throws IOException
    {
        sample = SampleFailover.result(folder, CYCLE_COUNT, "");
        audit = sample.audit();
        disk = new FullDisk(Long.MAX_VALUE / 2);
        test = new WithoutACluster(
            RunConfig.parse(List.of("--rate", String.valueOf(RATE), "--delivery", "at-most-once")));
        test.folder = new ResultFolder(folder, disk);
    }

    @Test
    void shouldWarnOfWhatIsNotKnownOfTheRequestsOfAnotherService()
    {
        final AuditReport.Log log = new AuditReport.Log(
            1, 2, Map.of(), 60, 0, 0, 0, 0, 0, "0000000000000000", List.of(), List.of(), true);
        audit = new AuditReport(
            List.of(), log, new AuditReport.Journal(1, true, 1, 100, 0, 90, 60, 0, 30, 0, 0, 0, 10, 0, 0, 0), List.of(), Map.of(),
            List.of());

        final FailoverTest.Result result = finish();

        assertThat(result.exitStatus()).isEqualTo(ExitCode.GOOD);
        assertThat(result.text()).contains("  ~ 30 of 90 acknowledged requests not known: purged\n");
    }

    @Test
    void shouldTakeItsStepsInOrder() throws IOException
    {
        final FailoverTest.Result result = finish();
        assertThat(result.exitStatus()).isEqualTo(ExitCode.GOOD);
        assertThat(steps).containsExactly("collect", "stop", "audit", "describe");
        assertThat(hasKeptCycles).isTrue();
        assertThat(json("failover.json").at("/outageNs/median").asLong()).isEqualTo(OUTAGE_NS);
        assertThat(Files.readString(folder.resolve("failover.json"))).isEqualTo(result.json());
        assertThat(Files.readString(folder.resolve("failover.txt"))).isEqualTo(result.text());
        assertThat(json("failover.json").path("cycles")).hasSize(CYCLE_COUNT);
        assertThat(Files.readAllLines(folder.resolve("timeline.csv"))).hasSizeGreaterThan(100);
        assertThat(json("audit.json").isEmpty()).isFalse();
        assertThat(json("manifest.json").at("/verdict/label").asText()).isEqualTo("GOOD");
    }

    @Test
    void shouldWriteDownEachCycleBeforeTheLoadHasEnded() throws IOException
    {
        test.keep(sample.cycles().subList(0, 1));
        assertThat(json("failover.json").path("cycles")).hasSize(1);
        assertThat(json("failover.json").at("/verdict/label").asText()).isEqualTo("PARTIAL");
        test.keep(sample.cycles());
        assertThat(json("failover.json").path("cycles")).hasSize(2);
    }

    @Test
    void shouldKeepCyclesOnADiskThatIsFull()
    {
        disk.roomBytes(100);
        test.keep(sample.cycles().subList(0, 1));
        test.keep(sample.cycles());
        final FailoverTest.Result result = finish();
        assertThat(result.exitStatus()).isEqualTo(ExitCode.RUN_FAILED);
        assertThat(result.text()).contains(FullDisk.REASON).contains("outage");
        assertCycles(result);
    }

    @Test
    void shouldTakeOutagesFromLooksWhenTheJournalCannotBeRead() throws IOException
    {
        Files.delete(folder.resolve("journal.bin"));
        final FailoverTest.Result result = finish();
        assertThat(result.exitStatus()).isEqualTo(ExitCode.RUN_FAILED);
        assertThat(result.text()).contains("outages come from polling the running load", "timelines are missing");
        assertCycles(result);
    }

    @Test
    void shouldKeepEverythingWhenTheAuditFails() throws IOException
    {
        failingStep = "audit";
        final FailoverTest.Result result = finish();
        assertThat(result.exitStatus()).isEqualTo(ExitCode.RUN_FAILED);
        assertThat(result.text()).contains("the members' logs were not audited: audit is broken");
        assertThat(folder.resolve("audit.json")).doesNotExist();
        assertCycles(result);
    }

    @Test
    void shouldAuditAClusterThatCannotBeStopped()
    {
        failingStep = "stop";
        final FailoverTest.Result result = finish();
        assertThat(result.text()).contains("stopping the cluster failed: stop is broken");
        assertThat(steps).containsExactly("collect", "stop", "audit", "describe");
        assertCycles(result);
    }

    @Test
    void shouldGoOnWhenAHostKnowsNothing()
    {
        failingStep = "collect";
        final FailoverTest.Result result = finish();
        assertThat(result.text()).contains("collecting evidence from hosts failed: collect is broken");
        assertThat(steps).containsExactly("collect", "stop", "audit", "describe");
        assertCycles(result);
    }

    @Test
    void shouldBePartialWhenTheAuditIsInterrupted() throws IOException
    {
        failingStep = "audit";
        isEndRequestedInAudit = true;
        final FailoverTest.Result result = finish();
        assertThat(result.exitStatus()).isEqualTo(ExitCode.INTERRUPTED);
        assertThat(result.text()).doesNotContain("were not audited");
        assertCycles(result);
    }

    @Test
    void shouldTakeNoHalfAuditForProofOfALoss() throws IOException
    {
        audit = SampleFailover.result(folder.resolve("other"), CYCLE_COUNT, "lost").audit();
        isEndRequestedInAudit = true;
        final FailoverTest.Result result = finish();
        assertThat(result.exitStatus()).isEqualTo(ExitCode.INTERRUPTED);
        assertThat(result.text()).doesNotContain("finding(s)");
    }

    @Test
    void shouldTakeACleanAuditThatEndedBeforeTheSignalDid() throws IOException
    {
        isEndRequestedInAudit = true;
        assertThat(finish().exitStatus()).isEqualTo(ExitCode.GOOD);
        assertThat(folder.resolve("audit.json")).exists();
    }

    @Test
    void shouldBelieveAnAuditThatWasBegunAfterTheSignal() throws IOException
    {
        audit = SampleFailover.result(folder.resolve("other"), CYCLE_COUNT, "lost").audit();
        endRequest.request();
        isEndedEarly = true;
        final FailoverTest.Result result = finish();
        assertThat(result.text()).contains("the audit has 1 finding(s)");
        assertThat(json("failover.json").at("/verdict/partial").asBoolean()).isTrue();
    }

    @Test
    void shouldSayWhatFailedDuringTheLoad()
    {
        problemsOfLoad.add("the journal is incomplete");
        test.problems.add("cycle 1 could not be kept");
        assertThat(finish().text()).contains("the journal is incomplete", "cycle 1 could not be kept");
    }

    @Test
    void shouldFailATestThatLostAMessage()
    {
        audit = new AuditReport(
            List.of(), audit.log(), new AuditReport.Journal(1, true, 1, 10, 0, 10, 9, 0, 0, 1, 0, 0, 0, 0, 0, 0), List.of(),
            Map.of(), List.of());
        final FailoverTest.Result result = finish();
        assertThat(result.exitStatus()).isEqualTo(ExitCode.RUN_FAILED);
        assertThat(result.text()).contains("1 acknowledged messages were lost");
    }

    private void assertCycles(final FailoverTest.Result result)
    {
        try
        {
            assertThat(new ObjectMapper().readTree(result.json()).path("cycles")).hasSize(CYCLE_COUNT)
                .allMatch((cycle) -> OUTAGE_NS == cycle.path("outageNs").asLong());
        }
        catch (final IOException ex)
        {
            throw new AssertionError(ex);
        }
    }

    private FailoverTest.Result finish()
    {
        final Histogram times = TimeRecorder.newHistogram();
        times.recordValue(1_000_000);
        final LoadMeasurement measurement = new LoadMeasurement(
            sample.outcome(), new Histograms().add(Time.RESPONSE, times).add(Time.SERVICE, times));
        return test.finish(
            new FailoverTest.Faults(
                sample.cycles(), SampleFailover.history(folder.resolve("journal.bin"), CYCLE_COUNT), isEndedEarly,
                new LoadResult(measurement, problemsOfLoad, List.of(), List.of(), false, List.of())));
    }

    private JsonNode json(final String name) throws IOException
    {
        return new ObjectMapper().readTree(folder.resolve(name).toFile());
    }

    private void step(final String name)
    {
        steps.add(name);
        if (name.equals(failingStep))
        {
            throw new InvalidSettingException(name + " is broken");
        }
    }

    /** A test whose steps after the load are noted, and fail if they are to. */
    private final class WithoutACluster extends FailoverTest
    {
        private WithoutACluster(final RunConfig config)
        {
            super(config, null, new TestCluster(null, false, null), endRequest, List.of(), null);
        }

        @Override
        FailoverResult.Bounds bounds()
        {
            return sample.bounds();
        }

        @Override
        List<String> collectEvidence()
        {
            step("collect");
            hasKeptCycles = Files.exists(folder.path().resolve("failover.json"));
            return List.of();
        }

        @Override
        void stopCluster()
        {
            step("stop");
        }

        @Override
        AuditReport auditLogs()
        {
            if (isEndRequestedInAudit)
            {
                endRequest.request();
            }
            step("audit");
            return audit;
        }

        @Override
        RunDescription describe(final LoadResult load)
        {
            step("describe");
            return new RunDescription(
                "failover", Instant.EPOCH, "java -jar load-client.jar failover", Map.of(), Map.of(), "fsync 0",
                "none emulated", 0);
        }
    }
}
