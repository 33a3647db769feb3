package io.clusterecho.reporting.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.function.LongUnaryOperator;

import io.clusterecho.reporting.measurement.Time;
import io.clusterecho.reporting.measurement.TimeRecorder;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Intervals of 100 ms: a warm-up of 1 s, 2 s before a pulse of 1 s from 1,000/s to 10,000/s, and 5 s after it. */
class OverloadTest
{
    private static final long MS = 1_000_000L;
    private static final OverloadPulse PULSE = new OverloadPulse(1_000, 10_000, 3_000 * MS, 4_000 * MS, 9_000 * MS, 0, 0.5);

    @TempDir
    private Path folder;

    private OverloadPulse pulse = PULSE;
    private LongUnaryOperator answeredUntilMs;
    private LongUnaryOperator p99NsOfMs;
    private long endMs = 9_200;

    /** A cluster that answers at once, in 1 ms, until the pulse; 4,000/s from then on until it has caught up. */
    @BeforeEach
    void answerAtMost4000PerSecond()
    {
        answeredUntilMs = (ms) -> ms <= 3_000 ? ms : Math.min(due(ms), 3_000 + 4 * (ms - 3_000));
        // The backlog of 6,000 at 4 s is gone after 2 s more.
        p99NsOfMs = (ms) -> ms <= 3_000 || ms > 6_000 ? MS : 500 * MS;
    }

    private static long due(final long ms)
    {
        return Math.round(PULSE.dueCount(ms * MS));
    }

    private Overload examine()
    {
        final StringBuilder csv = new StringBuilder("begin_s,end_s,phase,answered\n");
        final Path log = folder.resolve(Time.RESPONSE.log());
        try (PrintStream out = new PrintStream(log.toFile(), StandardCharsets.UTF_8))
        {
            final HistogramLogWriter writer = new HistogramLogWriter(out);
            for (long ms = 100; ms <= endMs; ms += 100)
            {
                csv.append(String.format(
                    Locale.ROOT, "%.3f,%.3f,%s,%d%n", (ms - 100) / 1e3, ms / 1e3,
                    ms <= 1_000 ? "warm_up" : ms <= 9_000 ? "measure" : "drain",
                    answeredUntilMs.applyAsLong(ms) - answeredUntilMs.applyAsLong(ms - 100)));
                final Histogram histogram = TimeRecorder.newHistogram();
                if (ms > 1_000 && p99NsOfMs.applyAsLong(ms) > 0)
                {
                    histogram.recordValueWithCount(p99NsOfMs.applyAsLong(ms), 100);
                }
                histogram.setStartTimeStamp(ms - 100);
                histogram.setEndTimeStamp(ms);
                writer.outputIntervalHistogram(histogram);
            }
            Files.writeString(folder.resolve(FileNames.INTERVALS), csv);
        }
        catch (final IOException ex)
        {
            throw new AssertionError(ex);
        }

        return Overload.of(new IntervalTable(folder), pulse);
    }

    @Test
    void shouldTimeTheReturnAndTheBacklog()
    {
        final Overload overload = examine();
        assertThat(overload.outcome()).isEqualTo(Overload.Outcome.RETURNED);
        assertThat(overload.p99BeforeNs()).isBetween(MS, MS + MS / 100);
        assertThat(overload.limitNs()).isBetween(3 * MS / 2, 3 * MS / 2 + MS / 50);
        assertThat(overload.returnedAfterNs()).isEqualTo(2_000 * MS);
        assertThat(overload.backlogMax()).isEqualTo(6_000);
        assertThat(overload.drainedAfterNs()).isEqualTo(2_000 * MS);
        assertThat(overload.backlogLast()).isZero();
        assertThat(overload.intervalNs()).isEqualTo(100 * MS);
        assertThat(overload.failure()).isNull();
        assertThat(overload.warning()).isNull();
        assertThat(String.join("\n", overload.text())).contains(
            "RETURNED; pulse of 10,000/s for 1.00 s over 1,000/s", "backlog up to 6,000 messages",
            "within 1.50 ms again 2.00 s (+-100 ms) after the pulse", "drained 2.00 s (+-100 ms) after the pulse");
    }

    @Test
    void shouldNotCountSkippedMessagesOfTheWarmUpAsBacklog()
    {
        pulse = new OverloadPulse(1_000, 10_000, 3_000 * MS, 4_000 * MS, 9_000 * MS, 50, 0.5);
        final LongUnaryOperator usual = answeredUntilMs;
        answeredUntilMs = (ms) -> Math.max(0, usual.applyAsLong(ms) - 50);

        final Overload overload = examine();

        assertThat(overload.backlogMax()).isEqualTo(6_000);
        assertThat(overload.backlogLast()).isZero();
        assertThat(overload.drainedAfterNs()).isEqualTo(2_000 * MS);
    }

    @Test
    void shouldStateThatTheTailLeftTheLimitAgainAfterTheReturn()
    {
        assertThat(examine().exceededAgainCount()).isZero();

        // As in an election of 700 ms, the last 200 ms of them without replies, and a single slow interval later.
        final LongUnaryOperator usual = p99NsOfMs;
        p99NsOfMs = (ms) -> ms > 7_500 && ms <= 8_000 ? 9 * MS : ms > 8_000 && ms <= 8_200 ? 0 : ms == 8_500 ? 3 * MS :
            usual.applyAsLong(ms);
        final Overload overload = examine();
        assertThat(overload.outcome()).isEqualTo(Overload.Outcome.RETURNED);
        assertThat(overload.returnedAfterNs()).isEqualTo(2_000 * MS);
        assertThat(overload.exceededAgainCount()).isEqualTo(7);
        assertThat(overload.failure()).isNull();
        assertThat(overload.warning()).isEqualTo("p99 returned, and left the limit again for 7 successive intervals");
        final Verdict verdict = Verdict.of(pulsed(new SampleEvidence(), overload));
        assertThat(verdict.isGood()).isTrue();
        assertThat(verdict.warnings()).anyMatch((warning) -> warning.contains("left the limit again"));
    }

    @Test
    void shouldNotWarnOfSingleSlowIntervalsAfterTheReturn()
    {
        final LongUnaryOperator usual = p99NsOfMs;
        p99NsOfMs = (ms) -> ms > 7_000 && 0 == ms % 500 ? 3 * MS : usual.applyAsLong(ms);
        final Overload overload = examine();
        assertThat(overload.exceededAgainCount()).isEqualTo(1);
        assertThat(overload.warning()).isNull();
    }

    @Test
    void shouldNotTakeAFewGoodIntervalsForAReturn()
    {
        final LongUnaryOperator usual = p99NsOfMs;
        p99NsOfMs = (ms) -> ms > 4_500 && ms <= 4_900 ? MS : usual.applyAsLong(ms);
        assertThat(examine().returnedAfterNs()).isEqualTo(2_000 * MS);
    }

    @Test
    void shouldNotTakeSilenceForAReturn()
    {
        final LongUnaryOperator usual = p99NsOfMs;
        p99NsOfMs = (ms) -> ms > 4_500 && ms <= 5_500 ? 0 : usual.applyAsLong(ms);
        assertThat(examine().returnedAfterNs()).isEqualTo(2_000 * MS);
    }

    @Test
    void shouldCallATailThatStaysMetastable()
    {
        p99NsOfMs = (ms) -> ms <= 3_000 ? MS : 2 * MS;
        final Overload overload = examine();
        assertThat(overload.outcome()).isEqualTo(Overload.Outcome.METASTABLE);
        assertThat(overload.returnedAfterNs()).isNull();
        assertThat(overload.failure()).startsWith("METASTABLE: p99 did not return to 1.5")
            .contains("drained 2.00 s after the pulse");
    }

    @Test
    void shouldCallABacklogThatDoesNotShrinkMetastable()
    {
        answeredUntilMs = (ms) -> ms <= 3_000 ? ms : ms <= 4_000 ? 3_000 + 4 * (ms - 3_000) : 7_000 + ms - 4_000;
        p99NsOfMs = (ms) -> ms <= 3_000 ? MS : 6_000 * MS;
        assertThat(examine().failure()).startsWith("METASTABLE").contains("backlog of 6,000 messages does not shrink");
    }

    @Test
    void shouldAskForMoreTimeWhileTheBacklogShrinks()
    {
        answeredUntilMs = (ms) -> ms <= 3_000 ? ms : ms <= 4_000 ? 3_000 + 4 * (ms - 3_000) : 7_000 + 2 * (ms - 4_000);
        p99NsOfMs = (ms) -> ms <= 3_000 ? MS : 6_000 * MS;
        final Overload overload = examine();
        assertThat(overload.outcome()).isEqualTo(Overload.Outcome.STILL_DRAINING);
        assertThat(overload.drainedAfterNs()).isNull();
        assertThat(overload.backlogLast()).isEqualTo(1_000);
        assertThat(overload.failure()).startsWith("not returned").contains("1,000 messages still shrinks", "--return");
    }

    @Test
    void shouldWarnOfAPulseThatIsNoOverload()
    {
        answeredUntilMs = OverloadTest::due;
        p99NsOfMs = (ms) -> MS;
        final Overload overload = examine();
        assertThat(overload.outcome()).isEqualTo(Overload.Outcome.NOT_OVERLOADED);
        assertThat(overload.failure()).isNull();
        assertThat(overload.warning()).contains("10,000/s did not overload", "--pulse");
    }

    @Test
    void shouldNotJudgeARunThatEndedInThePulse()
    {
        endMs = 4_200;
        final Overload overload = examine();
        assertThat(overload.outcome()).isEqualTo(Overload.Outcome.UNKNOWN);
        assertThat(overload.failure()).contains("2 intervals after the pulse, fewer than 5");
    }

    @Test
    void shouldNotCallARunMetastableThatEndedBeforeItsSchedule()
    {
        endMs = 6_000;
        final Overload overload = examine();
        assertThat(overload.outcome()).isEqualTo(Overload.Outcome.UNKNOWN);
        assertThat(overload.failure()).endsWith("is unknown: the run ended 3.00 s before its schedule");

        endMs = 7_000;
        assertThat(examine().outcome()).as("it had returned").isEqualTo(Overload.Outcome.RETURNED);
    }

    @Test
    void shouldNotMindAMissedRateButANonReturn()
    {
        final SampleEvidence sample = new SampleEvidence();
        sample.ratePerSecondAchieved = 0.5 * SampleEvidence.RATE;
        assertThat(Verdict.of(sample.evidence()).reasons()).singleElement().asString().startsWith("rate missed");
        assertThat(Verdict.of(pulsed(sample, examine())).isGood()).isTrue();

        p99NsOfMs = (ms) -> ms <= 3_000 ? MS : 2 * MS;
        final Verdict metastable = Verdict.of(pulsed(sample, examine()));
        assertThat(metastable.reasons()).singleElement().asString().startsWith("METASTABLE");
        assertThat(metastable.exitStatus()).isEqualTo(ExitCode.RUN_FAILED);

        sample.isPartial = true;
        assertThat(Verdict.of(pulsed(sample, examine())).reasons()).isEmpty();
    }

    private static RunEvidence pulsed(final SampleEvidence sample, final Overload overload)
    {
        final RunEvidence usual = sample.evidence();
        return new RunEvidence(
            usual.measurement(), SampleEvidence.RATE, usual.thresholds(), usual.isPartial(), usual.problems(), usual.warnings(),
            usual.absences(), null, null, null, new VaryingRate("steps", PULSE.baseRatePerSecond(), PULSE, overload), false);
    }
}
