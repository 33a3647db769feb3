package io.clusterecho.reporting.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;

import io.clusterecho.reporting.measurement.Counter;
import io.clusterecho.reporting.measurement.Counts;
import io.clusterecho.reporting.measurement.Histograms;
import io.clusterecho.reporting.measurement.LoadMeasurement;
import io.clusterecho.reporting.measurement.LoadOutcome;
import io.clusterecho.reporting.measurement.Time;
import io.clusterecho.reporting.measurement.TimeRecorder;

import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ThresholdTest
{
    private static final long RATE = 1_000;
    private static final long NS_PER_MS = SampleEvidence.NS_PER_MS;

    private final SampleEvidence run = new SampleEvidence();
    private final SampleEvidence failover = SampleEvidence.ofFailover();

    @ParameterizedTest
    @CsvSource({
        "p50<2ms, true", "p50<500us, false", "p50<=1.001ms, true", "max>=1ms, true", "p99.99>1s, false",
        "service.p99<1us, false", "delay.max<11us, true", "lost==0, true", "lost>0, false", "duplicates==0, true",
        "rate>=99%, true", "rate>=0.995, false", "late<=0, true", "p95<=1.001ms, true", "p95<500us, false",
        "p99.999<2ms, true", "p100<2ms, true", "min>0ms, true", "mean<2ms, true", "service.mean<1ns, false",
        "stall.max<1s, true", "lateness.p99<1us, false", "lateness.max<2us, true", "reconnects==0, true" })
    void shouldCompareAMeasurementWithIt(final String text, final boolean holds)
    {
        final String violation = Threshold.parse(text).get(0).violation(RunEvidence.of(measurement(), RATE));
        assertThat(null == violation).as("%s: %s", text, violation).isEqualTo(holds);
    }

    @Test
    void shouldSayWhatWasFound()
    {
        assertThat(Threshold.parse("p50<500us").get(0).violation(RunEvidence.of(measurement(), RATE)))
            .startsWith("p50<500us, but it is 1.00 ms");
    }

    @Test
    void shouldNotTakeAnUnknownReceiveLatenessForNone()
    {
        final LoadMeasurement known = measurement();
        final RunEvidence unknown = RunEvidence.of(
            new LoadMeasurement(
                known.outcome(), new Histograms().add(Time.RESPONSE, known.times().of(Time.RESPONSE))), RATE);
        assertThat(Threshold.parse("lateness.p99<1s").get(0).violation(unknown))
            .isEqualTo("lateness.p99<1s, but the arrival of replies is not known");
    }

    @ParameterizedTest
    @CsvSource({ "rate>=99.3%, 'rate>=99.3%, but it is 99.20%'", "lost>0, 'lost>0, but it is 0'" })
    void shouldSayWhatWasFoundInTheUnitOfTheMetric(final String text, final String violation)
    {
        assertThat(Threshold.parse(text).get(0).violation(RunEvidence.of(measurement(), RATE))).isEqualTo(violation);
    }

    @ParameterizedTest
    @CsvSource({
        "lost<5, true, false, false", "lost<=5, true, true, false", "lost>5, false, false, true",
        "lost>=5, false, true, true", "lost==5, false, true, false" })
    void shouldCompareWithItsLimit(final String text, final boolean below, final boolean at, final boolean above)
    {
        final Threshold threshold = Threshold.parse(text).get(0);
        assertThat(threshold.holds(4)).isEqualTo(below);
        assertThat(threshold.holds(5)).isEqualTo(at);
        assertThat(threshold.holds(6)).isEqualTo(above);
    }

    @Test
    void shouldReadAValueOfALoad()
    {
        assertThat(Threshold.parse("rate>99%").get(0).value(measurement(), RATE)).isEqualTo(0.992);
        assertThat(Threshold.parse("lost==0").get(0).value(lossy(measurement()), RATE)).isEqualTo(2);
    }

    @Test
    void shouldBeWrittenAsItWasRead()
    {
        final List<Threshold> thresholds = Threshold.parse("p99<1ms, lost==0");
        assertThat(thresholds.get(0)).hasToString("p99<1ms");
        assertThat(Threshold.join(thresholds)).isEqualTo("p99<1ms,lost==0");
    }

    @Test
    void shouldReadSeveral()
    {
        assertThat(Threshold.parse("p99<1ms, lost==0")).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "", "p99", "q98<1ms", "p99<1", "lost<1ms", "lost=0", "speed>3", "p99<1ms,,lost==0", "rate>=x", "median<1ms",
        "service.median<1ms", "service.outage.max<1ms", "service.outage.median<1ms", "outage.outage.max<1s" })
    void shouldRefuseWhatItCannotRead(final String text)
    {
        assertThatThrownBy(() -> Threshold.parse(text)).isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("p99<1ms,lost==0");
    }

    @ParameterizedTest
    @CsvSource({ "p99<5ms,9", "p99<=5ms,9", "rate>=99%,1", "rate>99%,1", "lost==0,9", "lost==8,1", "lost==5,9" })
    void shouldFindTheWorstOfSeveralValues(final String text, final double worst)
    {
        assertThat(Threshold.parse(text).get(0).worst(Spread.of(1, 4, 9))).isEqualTo(worst);
    }

    @Test
    void shouldFailARunThatLostMessagesWhateverTheThresholds()
    {
        final LoadMeasurement good = measurement();
        assertThat(Verdict.of(RunEvidence.of(good, RATE)).isGood()).isTrue();
        assertThat(Verdict.of(new RunEvidence(good, RATE, List.of(), true, List.of(), List.of(), null, null)).label())
            .isEqualTo("PARTIAL");
        assertThat(Verdict.of(RunEvidence.of(good, 2 * RATE)).reasons()).singleElement().asString()
            .contains("rate missed: 992 of 2000");

        assertThat(Verdict.of(RunEvidence.of(lossy(good), RATE)).reasons()).singleElement().asString()
            .isEqualTo("2 of 100 messages without a reply (1 unanswered, 1 never sent)");

        final LoadMeasurement wrong = new LoadMeasurement(outcome(90, 1, 1), good.times());
        assertThat(Verdict.of(RunEvidence.of(wrong, RATE)).reasons().get(0)).contains("do not add up");
    }

    @Test
    void shouldFailARunThatViolatesAThreshold()
    {
        run.thresholds = "max<900us,late==0,max<2ms";
        final Verdict verdict = run.verdict();
        assertThat(verdict.reasons()).isEmpty();
        assertThat(violations(verdict)).singleElement().asString().startsWith("max<900us, but it is 1.00 ms");
        assertThat(verdict.isGood()).isFalse();
        assertThat(verdict.label()).isEqualTo("FAILED");
        assertThat(verdict.exitStatus()).isEqualTo(ExitCode.THRESHOLD_FAILED);
        assertThat(verdict.allReasons()).singleElement().asString().startsWith("threshold failed: max<900us, but it is");
    }

    @Test
    void shouldCompareTheOutagesOfAFailoverTestWithAThreshold()
    {
        failover.outages = List.of(200 * NS_PER_MS, 500 * NS_PER_MS, 300 * NS_PER_MS, 400 * NS_PER_MS);
        failover.thresholds = "outage.max<500ms";
        assertThat(violations(failover.verdict())).containsExactly("outage.max<500ms, but it is 500 ms");

        failover.thresholds = "outage.max<=500ms,outage.median<=300ms,outage.min<=200ms,outage.p90>400ms," +
            "outage.p75<=400ms,outage.mean<=350ms";
        assertThat(failover.verdict().isGood()).isTrue();

        failover.thresholds = "outage.median<300ms,outage.min<200ms";
        assertThat(violations(failover.verdict()))
            .containsExactly("outage.median<300ms, but it is 300 ms", "outage.min<200ms, but it is 200 ms");
    }

    @Test
    void shouldViolateAThresholdOnOutagesThatWereNotMeasured()
    {
        run.thresholds = "outage.max<500ms";
        assertThat(violations(run.verdict())).containsExactly("outage.max<500ms, but no outage was measured");

        failover.thresholds = "outage.max<500ms";
        assertThat(violations(failover.verdict())).containsExactly("outage.max<500ms, but no outage was measured");
    }

    @Test
    void shouldViolateAThresholdOnALoadThatWasNotMeasured()
    {
        failover.isMeasured = false;
        failover.outages = List.of(200 * NS_PER_MS);
        failover.thresholds = "lost==0,outage.max<500ms";
        assertThat(violations(failover.verdict())).containsExactly("lost==0, but no load was measured");
        assertThat(failover.verdict().reasons()).containsExactly("nothing was measured");
    }

    private static List<String> violations(final Verdict verdict)
    {
        return verdict.failures().stream().filter((reason) -> Reason.Kind.THRESHOLD == reason.kind())
            .map((reason) -> String.valueOf(reason.values().get(1))).toList();
    }

    private static LoadMeasurement lossy(final LoadMeasurement good)
    {
        return new LoadMeasurement(outcome(98, 1, 1), good.times());
    }

    private static LoadMeasurement measurement()
    {
        return new LoadMeasurement(
            outcome(100, 0, 0), new Histograms().add(Time.RESPONSE, of(1_000_000)).add(Time.SERVICE, of(999_000))
            .add(Time.SEND_DELAY, of(10_000)).add(Time.RECEIVE_LATENESS, of(1_500)).add(Time.CLIENT_PART, of(900_000))
            .add(Time.STALL, of(50)));
    }

    private static LoadOutcome outcome(final long answered, final long unanswered, final long neverSent)
    {
        return new LoadOutcome(
            new Counts().set(Counter.SCHEDULED, 100).set(Counter.ANSWERED, answered).set(Counter.UNANSWERED, unanswered)
            .set(Counter.NEVER_SENT, neverSent),
            0.992 * RATE, 0, TimeRecorder.newHistogram(), null, List.of(), List.of(), null);
    }

    private static Histogram of(final long valueNs)
    {
        final Histogram histogram = TimeRecorder.newHistogram();
        histogram.recordValueWithCount(valueNs, 100);
        return histogram;
    }
}
