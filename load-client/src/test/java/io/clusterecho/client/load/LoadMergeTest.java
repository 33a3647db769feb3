package io.clusterecho.client.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Random;

import com.fasterxml.jackson.databind.JsonNode;

import io.clusterecho.client.schedule.ConstantSchedule;
import io.clusterecho.control.remote.CallProtocol;
import io.clusterecho.reporting.measurement.Counter;
import io.clusterecho.reporting.measurement.Counts;
import io.clusterecho.reporting.measurement.Histograms;
import io.clusterecho.reporting.measurement.KindOutcome;
import io.clusterecho.reporting.measurement.LoadMeasurement;
import io.clusterecho.reporting.measurement.LoadOutcome;
import io.clusterecho.reporting.measurement.MessageKind;
import io.clusterecho.reporting.measurement.RunInterval;
import io.clusterecho.reporting.measurement.RunPhase;
import io.clusterecho.reporting.measurement.Time;
import io.clusterecho.reporting.measurement.TimeRecorder;

import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class LoadMergeTest
{
    private static final long RATE = 1_000;
    private static final long SECOND_NS = 1_000_000_000L;
    private static final int COUNT = 2_000;
    private static final LoadPlan PLAN =
        new LoadPlan(RATE, 64, 0, COUNT, 1, SECOND_NS, 10 * SECOND_NS, 1024, Delivery.AT_MOST_ONCE);

    private final LoadMerge merge = new LoadMerge(PLAN, new ConstantSchedule(RATE), 2, 0);
    private final Counts[] totals = { new Counts(), new Counts() };
    private final RunInterval[] shares = new RunInterval[2];

    @Test
    void shouldEqualTheHistogramOfTheWhole()
    {
        final Random random = new Random(7);
        final Histogram whole = TimeRecorder.newHistogram();
        for (int interval = 0; interval < 2; interval++)
        {
            for (int client = 0; client < 2; client++)
            {
                // One client is a hundred times slower: an average of percentiles would be far off.
                final Histogram own = TimeRecorder.newHistogram();
                for (int i = 0; i < COUNT / 4; i++)
                {
                    final long timeNs = (long)(-Math.log(1 - random.nextDouble()) * (0 == client ? 50_000 : 5_000_000));
                    own.recordValue(timeNs);
                    whole.recordValue(timeNs);
                }
                fill(client, interval, own, 1 == interval ? RunPhase.DRAIN : RunPhase.MEASURE, 1 == interval);
            }
            final RunInterval merged = merge.merge(0);
            assertThat(merged.endNs()).isEqualTo((interval + 1) * SECOND_NS);
            assertThat(merged.totals().of(Counter.ANSWERED)).isEqualTo((interval + 1) * COUNT / 2);
            assertThat(merged.times().of(Time.RESPONSE).getTotalCount()).isEqualTo(COUNT / 2);
            assertThat(merged.phase()).isEqualTo(1 == interval ? RunPhase.DRAIN : RunPhase.MEASURE);
            assertThat(merged.isLast()).isEqualTo(1 == interval);
        }
        merge.ended(0, outcome(COUNT / 2, 3), false);
        merge.ended(1, outcome(COUNT / 2, 3), false);
        final LoadMeasurement measurement = merge.measurement();

        assertThat(measurement.times().of(Time.RESPONSE)).isEqualTo(whole);
        assertThat(measurement.times().of(Time.RECEIVE_LATENESS).getTotalCount()).isEqualTo(COUNT);
        assertThat(measurement.times().of(Time.RECEIVE_LATENESS).getCountBetweenValues(0, 2_000))
            .as("of one client").isEqualTo(COUNT / 2);
        assertThat(measurement.times().of(Time.CLIENT_PART).getCountAtValue(200_000))
            .as("ns of both clients").isEqualTo(2 * 3_000);
        assertThat(measurement.outcome().of(Counter.SCHEDULED)).isEqualTo(COUNT);
        assertThat(measurement.outcome().of(Counter.ANSWERED)).isEqualTo(COUNT);
        assertThat(measurement.outcome().of(Counter.DUPLICATES)).isEqualTo(2);
        assertThat(measurement.outcome().of(Counter.NEW_LEADERS)).as("both saw the same changes").isEqualTo(3);
        assertThat(measurement.outcome().ratePerSecondAchieved()).isEqualTo(RATE);
        assertThat(merge.measurement(0).times().of(Time.RESPONSE).getValueAtPercentile(99))
            .isLessThan(merge.measurement(1).times().of(Time.RESPONSE).getValueAtPercentile(50));
    }

    @Test
    void shouldDrainWithTheClientThatDrainsWhenTheOtherHasEnded()
    {
        fill(0, 0, TimeRecorder.newHistogram(), RunPhase.MEASURE, true);
        fill(1, 0, TimeRecorder.newHistogram(), RunPhase.MEASURE);
        assertThat(merge.merge(0).phase()).isEqualTo(RunPhase.MEASURE);
        fill(1, 1, TimeRecorder.newHistogram(), RunPhase.DRAIN);
        assertThat(merge.merge(0).phase()).isEqualTo(RunPhase.DRAIN);
    }

    @Test
    void shouldNotBeFurtherThanTheClientThatIsBehind()
    {
        fill(0, 0, TimeRecorder.newHistogram(), RunPhase.DRAIN);
        fill(1, 0, TimeRecorder.newHistogram(), RunPhase.MEASURE);
        assertThat(merge.merge(0).phase()).isEqualTo(RunPhase.MEASURE);
        merge.lost(1);
        assertThat(merge.merge(3 * SECOND_NS).phase()).isEqualTo(RunPhase.DRAIN);
    }

    @Test
    void shouldCountWhatALostClientHadNotToldAsWithoutAReply()
    {
        final Histogram reported = TimeRecorder.newHistogram();
        reported.recordValueWithCount(100_000, 400);
        fill(0, 0, reported, RunPhase.MEASURE);
        fill(1, 0, reported, RunPhase.MEASURE);
        // The lost client had sent ten more than were answered.
        shares[1].times().of(Time.SEND_DELAY).recordValueWithCount(1_000, 10);
        merge.merge(0);
        merge.lost(1);
        fill(0, 1, of(600), RunPhase.DRAIN, true);
        final RunInterval last = merge.merge(0);
        assertThat(last.isLast()).isTrue();
        merge.ended(0, outcome(COUNT / 2, 0), false);
        merge.accountForLost(1, 5 * SECOND_NS, false, 0);
        final LoadMeasurement whole = merge.measurement();

        assertThat(whole.outcome().of(Counter.SCHEDULED)).isEqualTo(COUNT);
        assertThat(whole.outcome().slowest()).as("those of the lost client are unknown").isNull();
        assertThat(whole.outcome().of(Counter.ANSWERED)).isEqualTo(1_400);
        assertThat(whole.outcome().of(Counter.UNANSWERED)).isEqualTo(10);
        assertThat(whole.outcome().of(Counter.NEVER_SENT)).isEqualTo(590);
        assertThat(whole.times().of(Time.RESPONSE).getTotalCount()).isEqualTo(COUNT);
        // Of its share the oldest 400 were answered; the next one was due at 801 ms, and the run ended at 5 s.
        assertThat(whole.times().of(Time.RESPONSE).getMaxValue()).isBetween(4_190_000_000L, 4_205_000_000L);
    }

    @Test
    void shouldKeepTheRepliesByKindOfThoseThatWereNotLost()
    {
        final LoadMerge three = new LoadMerge(PLAN, new ConstantSchedule(RATE), 3, 0);
        final KindOutcome accepted = LoadRecords.none(new MessageKind("accepted", 0, 0, 0));
        accepted.counts().set(Counter.ANSWERED, 7);
        final KindOutcome filled = LoadRecords.none(new MessageKind("filled", 0, 0, 0));
        for (int client = 0; client < 2; client++)
        {
            final long share = new Share(client, 3).countOf(0, COUNT);
            final LoadOutcome own = outcome((int)share, 0);
            three.ended(client, new LoadOutcome(
                own.counts(), own.ratePerSecondAchieved(), own.lastAnswerNs(), own.unansweredAges(), null, List.of(),
                List.of(accepted, filled), null), false);
        }
        three.lost(2);
        three.accountForLost(2, 5 * SECOND_NS, false, 0);

        assertThat(three.measurement().outcome().replies()).extracting((one) -> one.counts().of(Counter.ANSWERED))
            .containsExactly(14L, 0L);
    }

    @Test
    void shouldCountOnlyWhatWasDueWhenTheRunWasEndedEarly()
    {
        merge.lost(0);
        merge.accountForLost(0, 2 * SECOND_NS, true, SECOND_NS / 2);
        // Those due at 0, 2, ... 500 ms.
        assertThat(merge.measurement(0).outcome().of(Counter.SCHEDULED)).isEqualTo(251);
        assertThat(merge.measurement(0).outcome().of(Counter.NEVER_SENT)).isEqualTo(251);
    }

    @Test
    void shouldTellAnotherProcessAllOfAnInterval()
    {
        totals[1].set(Counter.CORRUPT, 17);
        fill(1, 0, of(123), RunPhase.DRAIN, true);
        final RunInterval interval = shares[1];
        interval.times().of(Time.STALL).recordValue(5_000);
        final RunInterval other = sent(interval);

        assertThat(other.times().of(Time.RESPONSE)).isEqualTo(interval.times().of(Time.RESPONSE));
        assertThat(other.times().of(Time.SERVICE).getTotalCount()).isZero();
        assertThat(other.times().of(Time.STALL)).isEqualTo(interval.times().of(Time.STALL));
        assertThat(other.totals()).isEqualTo(interval.totals());
        assertThat(other.counts()).isEqualTo(interval.counts());
        assertThat(other.totals().of(Counter.CORRUPT)).isEqualTo(17);
        assertThat(other.phase()).isEqualTo(RunPhase.DRAIN);
        assertThat(other.isLast()).isTrue();
        assertThat(other.leaderMemberId()).isEqualTo(2);
        assertThat(other.endNs()).isEqualTo(SECOND_NS);
    }

    @Test
    void shouldTellAnotherProcessAllOfAnOutcome()
    {
        final LoadOutcome outcome = outcome(100, 5);
        outcome.unansweredAges().recordValueWithCount(SECOND_NS, 4);
        assertThat(sent(outcome)).isEqualTo(outcome);
    }

    @Test
    void shouldSendThePartOfTheClientInAnInterval()
    {
        fill(1, 0, of(10), RunPhase.MEASURE);
        final Histograms times = shares[1].times();
        final Histograms read = sent(shares[1]).times();
        assertThat(read.of(Time.RECEIVE_LATENESS)).isEqualTo(times.of(Time.RECEIVE_LATENESS));
        assertThat(read.of(Time.CLIENT_PART)).isEqualTo(times.of(Time.CLIENT_PART));

        // A client to which arrivals are unknown sends none.
        times.of(Time.RECEIVE_LATENESS).reset();
        final JsonNode unknown = CallProtocol.MAPPER.valueToTree(shares[1]);
        assertThat(unknown.path("times").has("RECEIVE_LATENESS")).isFalse();
        assertThat(sent(shares[1]).times().of(Time.RECEIVE_LATENESS).getTotalCount()).isZero();
    }

    /** What a part of a report is at another process. */
    @SuppressWarnings("unchecked")
    static <T extends Record> T sent(final T part)
    {
        try
        {
            return (T)CallProtocol.MAPPER.readValue(CallProtocol.MAPPER.writeValueAsBytes(part), part.getClass());
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private void fill(final int client, final int interval, final Histogram responseTimes, final RunPhase phase)
    {
        fill(client, interval, responseTimes, phase, false);
    }

    private void fill(
        final int client, final int interval, final Histogram responseTimes, final RunPhase phase, final boolean isLast)
    {
        final long count = responseTimes.getTotalCount();
        final Histograms times = new Histograms().add(Time.RESPONSE, responseTimes);
        times.of(Time.SEND_DELAY).recordValueWithCount(1_000, count);
        times.of(Time.RECEIVE_LATENESS).recordValueWithCount(2_000 * (1 + client), count);
        times.of(Time.CLIENT_PART).recordValueWithCount(200_000, 1_000 * (1 + client));
        final Counts counts = new Counts().set(Counter.SENT, count).set(Counter.ANSWERED, count);
        totals[client].add(counts);
        shares[client] = merge.take(client, new RunInterval(
            phase, isLast, 0, interval * SECOND_NS, (interval + 1) * SECOND_NS, SECOND_NS, 0, 2, totals[client].copy(), counts,
            times, TimeRecorder.newHistogram(), null));
    }

    private static Histogram of(final long count)
    {
        final Histogram histogram = TimeRecorder.newHistogram();
        histogram.recordValueWithCount(200_000, count);
        return histogram;
    }

    private static LoadOutcome outcome(final long answered, final long newLeaders)
    {
        return new LoadOutcome(
            new Counts().set(Counter.SCHEDULED, answered).set(Counter.ANSWERED, answered).set(Counter.DUPLICATES, 1)
            .set(Counter.NEW_LEADERS, newLeaders),
            500.0, 1_900_000_000L, TimeRecorder.newHistogram(), null, List.of(), List.of(), List.of());
    }
}
