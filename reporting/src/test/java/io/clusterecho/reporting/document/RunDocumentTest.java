package io.clusterecho.reporting.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import com.fasterxml.jackson.databind.JsonNode;

import io.clusterecho.attribution.Part;
import io.clusterecho.attribution.SlowMessage;
import io.clusterecho.attribution.StageTimes;
import io.clusterecho.platform.ClockOffset;
import io.clusterecho.platform.StallMeter;
import io.clusterecho.reporting.measurement.Counter;
import io.clusterecho.reporting.measurement.Counts;
import io.clusterecho.reporting.measurement.Histograms;
import io.clusterecho.reporting.measurement.LoadMeasurement;
import io.clusterecho.reporting.measurement.LoadOutcome;
import io.clusterecho.reporting.measurement.SampleStamps;
import io.clusterecho.reporting.measurement.Time;
import io.clusterecho.reporting.measurement.TimeRecorder;
import io.clusterecho.reporting.results.ClientRecord;
import io.clusterecho.reporting.results.ClientShare;
import io.clusterecho.reporting.results.CpuCost;
import io.clusterecho.reporting.results.Diagnosis;
import io.clusterecho.reporting.results.FloorRatio;
import io.clusterecho.reporting.results.MemberStart;
import io.clusterecho.reporting.results.Reason;
import io.clusterecho.reporting.results.RunDescription;
import io.clusterecho.reporting.results.RunEvidence;
import io.clusterecho.reporting.results.RunFindings;
import io.clusterecho.reporting.results.SteadyState;
import io.clusterecho.reporting.results.TailCause;
import io.clusterecho.reporting.results.Times;
import io.clusterecho.reporting.results.Verdict;
import io.clusterecho.testing.GoldenFile;

import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/** The manifest of a run stays as it was published. */
class RunDocumentTest
{
    private static final Verdict GOOD = new Verdict(List.of(), List.of(), "");
    private static final ClientShare SHARE = new ClientShare(
        0.61, 0.52, 0.7, ClientShare.Decision.LIMITED, 6_100, 10_000, 10, true, new ClientShare.CoreWait(45.5, 210), null);
    private static final SteadyState STEADY =
        new SteadyState(true, 8_000_000_000L, List.of("p50 changed from 500 us to 400 us, 8.0 s after the start of the warm-up"));
    private static final Diagnosis SHORT = new Diagnosis("p99 is 2.0 times the median", false, List.of());

    @Test
    void shouldHoldAllThatARunCanHave() throws IOException
    {
        final LoadMeasurement measurement = measurement(1_000, stages());
        final Verdict verdict = new Verdict(
            List.of(
            Reason.of(Reason.Kind.PROBLEM, "3 duplicate replies"), Reason.of(Reason.Kind.THRESHOLD, "p99 < 1 us", "p99 < 1 us")),
            List.of("the platform was \"not\" quiet"), "ended early", false);
        final Diagnosis diagnosis = new Diagnosis(
            "p99 is 7.5 times the median", true,
            List.of(
                new TailCause("steal-time", "others had the cores", "use a quiet machine", 0.123456, 0.98765),
                new TailCause("gc", "2 collections", "make the heap larger", 0, 1)));
        final FloorRatio floor = new FloorRatio(8_000L, 1.23, 6_000L, 2.35, 150_000L, "some/baseline", null);
        GoldenFile.checkDocument(getClass(), "run-full.json", text(
            measurement, true, verdict, diagnosis, SHARE, STEADY, CpuCost.of(12.34567, 45.6), floor, clients()));
    }

    @Test
    void shouldHoldThePartOfTheClientWhereItIsKnown()
    {
        final LoadMeasurement known = measurement(1_000, null);
        final Histograms withLateness =
            new Histograms().add(known.times()).add(Time.RECEIVE_LATENESS, times(990, 100));
        final JsonNode document = Documents.parse(text(
            new LoadMeasurement(known.outcome(), withLateness), true, GOOD, SHORT, SHARE, null, CpuCost.UNKNOWN, null,
            List.of()));

        assertThat(document.at("/receiveLatenessNs/count").asLong()).isEqualTo(990);
        assertThat(document.at("/receiveLatenessNs/p90").asLong()).isEqualTo(90);
        assertThat(document.at("/receiveLatenessNs").has("p99")).as("with nine messages beyond it").isFalse();
        assertThat(document.at("/receiveLatenessNs/confidence95/p90/1").asLong()).isEqualTo(80);
        assertThat(Documents.bind(document, RunDocument.class).clientTail()).isEqualTo(SHARE);
        final JsonNode unknown =
            Documents.parse(text(known, true, GOOD, SHORT, null, null, CpuCost.UNKNOWN, null, List.of()));
        assertThat(unknown.fieldNames()).toIterable()
            .doesNotContain("receiveLatenessNs", "clientTail").contains("sendDelayNs");
    }

    @Test
    void shouldSayWhyThereIsNoFloor() throws IOException
    {
        GoldenFile.checkDocument(getClass(), "run-without-floor.json", text(
            measurement(0, null), false, GOOD, SHORT, null, SteadyState.unknown("the run is short"),
            CpuCost.of(1.5, Double.NaN),
            FloorRatio.missing("not known: measure a baseline"), List.of()));
    }

    @Test
    void shouldLeaveOutWhatDoesNotApply() throws IOException
    {
        GoldenFile.checkDocument(getClass(), "run-plain.json", text(
            measurement(10, null), false, GOOD, SHORT, null, null, CpuCost.UNKNOWN, null, List.of()));
    }

    private static String text(
        final LoadMeasurement measurement,
        final boolean isBounded,
        final Verdict verdict,
        final Diagnosis diagnosis,
        final ClientShare share,
        final SteadyState steadyState,
        final CpuCost cpu,
        final FloorRatio floor,
        final List<ClientRecord> clients)
    {
        final RunDescription description = new RunDescription(
            "sample <b>", Instant.parse("2026-11-21T09:13:36Z"), "java -jar load-client.jar --rate 1k",
            new TreeMap<>(Map.of("rate", "1000", "size", "288", "threads", "")), new TreeMap<>(Map.of("echo.fsync", "1")),
            "fsync 1: what is acknowledged survives", "none emulated", 2_000_000, null, null, null,
            clients.isEmpty() ? null : new MemberStart("5f", "2026-11-21T09:00:00Z"));
        return Documents.text(RunDocument.of(
            new RunFindings(
            description, new RunEvidence(
            measurement, 1_000, List.of(), false, List.of(), List.of(), List.of(), null, steadyState, share, null, false),
            times(measurement, isBounded), diagnosis, null, null, null, cpu, List.of(), floor, clients), verdict,
            "results/sample"));
    }

    private static Map<Time, Times> times(final LoadMeasurement measurement, final boolean isBounded)
    {
        final Map<Time, Map<String, List<Long>>> bounds = Map.of(
            Time.RESPONSE, Map.of("p50", List.of(490_000L, 510_000L)), Time.SERVICE, Map.of("p90", List.of(800_000L, 820_000L)),
            Time.RECEIVE_LATENESS, Map.of("p90", List.of(70L, 80L)));
        final Map<Time, Map<String, String>> missing = Map.of(
            Time.RESPONSE, Map.of("p99.9", "few messages"), Time.SEND_DELAY, Map.of("p90", "few messages"));
        final Map<Time, Times> all = new EnumMap<>(Time.class);
        for (final Time time : Time.OF_MESSAGES)
        {
            final Times times = Times.unbounded(measurement.times().of(time), "the run is short");
            all.put(time, !isBounded ? times : new Times(
                times.percentiles(), times.min(), times.mean(), times.count(), bounds.getOrDefault(time, Map.of()),
                missing.getOrDefault(time, Map.of())));
        }
        return all;
    }

    private static LoadMeasurement measurement(final int count, final StageTimes stages)
    {
        final Counts counts = new Counts();
        final Counter[] inOrder = {
            Counter.ANSWERED, Counter.LATE, Counter.UNANSWERED, Counter.NEVER_SENT, Counter.DUPLICATES, Counter.OUT_OF_ORDER,
            Counter.CORRUPT, Counter.BACK_PRESSURED, Counter.DISCONNECTED, Counter.NEW_LEADERS, Counter.RECONNECTS,
            Counter.RESENT, Counter.REPEATED, Counter.GAPS, Counter.FORGOTTEN, Counter.BOUND_WAITS, Counter.WARM_UP_SKIPPED };
        final int[] values = { count, 2, 3, 7, 4, 5, 6, 8, 9, 10, 11, 13, 14, 15, 16, 17, 18 };
        for (int i = 0; i < values.length; i++)
        {
            counts.set(inOrder[i], values[i]);
        }
        final LoadOutcome outcome = new LoadOutcome(
            counts.set(Counter.SCHEDULED, count + 12), 999.98765, 1_000_000_000L, TimeRecorder.newHistogram(), stages, List.of(),
            List.of(), null == stages ? null : List.of(
            new SlowMessage(417, 900_000_000, 1_000_000, true,
            new TreeMap<>(Map.of(Part.SEND_DELAY, 1_000L, Part.UNKNOWN, 999_000L)), null),
            new SlowMessage(7, 100_000_000, 900_000, false, Map.of(Part.BACK_PRESSURE, 900_000L), null)));
        final Histogram stalls = StallMeter.newHistogram();
        stalls.recordValue(1_234_567);
        return new LoadMeasurement(outcome, new Histograms().add(Time.RESPONSE, times(count, 1_000_000))
            .add(Time.SERVICE, times(count, 900_000)).add(Time.SEND_DELAY, times(count, 1_017))
            .add(Time.STALL, 0 == count ? times(0, 0) : stalls));
    }

    private static Histogram times(final int count, final long longestNs)
    {
        final Histogram histogram = TimeRecorder.newHistogram();
        for (int i = 1; i <= count; i++)
        {
            histogram.recordValue(longestNs * i / count);
        }
        return histogram;
    }

    private static StageTimes stages()
    {
        final StageTimes stages = new StageTimes();
        stages.onStamps(SampleStamps.of(true, 100, 300, 700, 1_500), 0, 3_100);
        stages.onStamps(SampleStamps.of(false, 1_000_100, 1_000_300, 1_000_700, 1_001_500), 0, 9_100);
        stages.onStamps(SampleStamps.of(true, 5, 300, 700, 1_500), 10, 3_100);
        stages.onUnstamped(1);
        return stages;
    }

    private static List<ClientRecord> clients()
    {
        final ClockOffset before = new ClockOffset(-5_000, 700, 123);
        final Map<String, String> machine = new TreeMap<>(Map.of("os", "Linux", "cpuCount", "2"));
        return List.of(
            ClientRecord.of(
                0, "clients/0", "here", 77, "java -jar load-client.jar worker", "", before,
                measurement(500, null), 1_500_000, machine),
            ClientRecord.of(
                1, "clients/1", "there", 78, "ssh there worker", "it was lost", before, measurement(0, null), 1_400_000,
                new TreeMap<>()));
    }
}
