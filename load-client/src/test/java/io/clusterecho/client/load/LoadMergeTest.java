package io.clusterecho.client.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.client.schedule.ConstantSchedule;
import io.clusterecho.reporting.measurement.Counter;
import io.clusterecho.reporting.measurement.LoadMeasurement;
import io.clusterecho.reporting.measurement.LoadOutcome;
import io.clusterecho.reporting.measurement.RunPhase;
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
    private final long[] sent = new long[2];

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
                fill(client, interval, own, 1 == interval ? RunPhase.DRAIN : RunPhase.MEASURE);
                merge.share(client).isLast = 1 == interval;
            }
            final LoadInterval merged = merge.merge(new boolean[]{ true, true }, 0);
            assertThat(merged.endNs()).isEqualTo((interval + 1) * SECOND_NS);
            assertThat(merged.answered()).isEqualTo((interval + 1) * COUNT / 2);
            assertThat(merged.responseTimes().getTotalCount()).isEqualTo(COUNT / 2);
            assertThat(merged.phase()).isEqualTo(1 == interval ? RunPhase.DRAIN : RunPhase.MEASURE);
            assertThat(merged.isLast()).isEqualTo(1 == interval);
        }
        merge.ended(0, outcome(COUNT / 2, 3));
        merge.ended(1, outcome(COUNT / 2, 3));
        final LoadMeasurement measurement = merge.measurement();

        assertThat(measurement.responseTimes()).isEqualTo(whole);
        assertThat(measurement.receiveLateness().getTotalCount()).isEqualTo(COUNT);
        assertThat(measurement.receiveLateness().getCountBetweenValues(0, 2_000)).as("of one client").isEqualTo(COUNT / 2);
        assertThat(measurement.clientParts().getCountAtValue(200_000)).as("ns of both clients").isEqualTo(2 * 3_000);
        assertThat(measurement.outcome().scheduled()).isEqualTo(COUNT);
        assertThat(measurement.outcome().answered()).isEqualTo(COUNT);
        assertThat(measurement.outcome().duplicates()).isEqualTo(2);
        assertThat(measurement.outcome().newLeaders()).as("both saw the same changes").isEqualTo(3);
        assertThat(measurement.outcome().ratePerSecondAchieved()).isEqualTo(RATE);
        assertThat(merge.measurement(0).responseTimes().getValueAtPercentile(99))
            .isLessThan(merge.measurement(1).responseTimes().getValueAtPercentile(50));
    }

    @Test
    void shouldDrainWithTheClientThatDrainsWhenTheOtherHasEnded()
    {
        fill(0, 0, TimeRecorder.newHistogram(), RunPhase.MEASURE);
        merge.share(0).isLast = true;
        fill(1, 0, TimeRecorder.newHistogram(), RunPhase.MEASURE);
        assertThat(merge.merge(new boolean[]{ true, true }, 0).phase()).isEqualTo(RunPhase.MEASURE);
        fill(1, 1, TimeRecorder.newHistogram(), RunPhase.DRAIN);
        assertThat(merge.merge(new boolean[]{ false, true }, 0).phase()).isEqualTo(RunPhase.DRAIN);
    }

    @Test
    void shouldNotBeFurtherThanTheClientThatIsBehind()
    {
        fill(0, 0, TimeRecorder.newHistogram(), RunPhase.DRAIN);
        fill(1, 0, TimeRecorder.newHistogram(), RunPhase.MEASURE);
        assertThat(merge.merge(new boolean[]{ true, true }, 0).phase()).isEqualTo(RunPhase.MEASURE);
        merge.lost(1);
        assertThat(merge.merge(new boolean[]{ false, false }, 3 * SECOND_NS).phase()).isEqualTo(RunPhase.DRAIN);
    }

    @Test
    void shouldCountWhatALostClientHadNotToldAsWithoutAReply()
    {
        final Histogram reported = TimeRecorder.newHistogram();
        reported.recordValueWithCount(100_000, 400);
        fill(0, 0, reported, RunPhase.MEASURE);
        fill(1, 0, reported, RunPhase.MEASURE);
        // The lost client had sent ten more than were answered.
        merge.share(1).sendDelays.recordValueWithCount(1_000, 10);
        merge.merge(new boolean[]{ true, true }, 0);
        merge.lost(1);
        fill(0, 1, of(600), RunPhase.DRAIN);
        merge.share(0).isLast = true;
        final LoadInterval last = merge.merge(new boolean[]{ true, false }, 0);
        assertThat(last.isLast()).isTrue();
        merge.ended(0, outcome(COUNT / 2, 0));
        merge.accountForLost(1, 5 * SECOND_NS, false, 0);
        final LoadMeasurement whole = merge.measurement();

        assertThat(whole.outcome().scheduled()).isEqualTo(COUNT);
        assertThat(whole.outcome().answered()).isEqualTo(1_400);
        assertThat(whole.outcome().unanswered()).isEqualTo(10);
        assertThat(whole.outcome().neverSent()).isEqualTo(590);
        assertThat(whole.responseTimes().getTotalCount()).isEqualTo(COUNT);
        // Of its share the oldest 400 were answered; the next one was due at 801 ms, and the run ended at 5 s.
        assertThat(whole.responseTimes().getMaxValue()).isBetween(4_190_000_000L, 4_205_000_000L);
    }

    @Test
    void shouldCountOnlyWhatWasDueWhenTheRunWasEndedEarly()
    {
        merge.lost(0);
        merge.accountForLost(0, 2 * SECOND_NS, true, SECOND_NS / 2);
        // Those due at 0, 2, ... 500 ms.
        assertThat(merge.measurement(0).outcome().scheduled()).isEqualTo(251);
        assertThat(merge.measurement(0).outcome().neverSent()).isEqualTo(251);
    }

    @Test
    void shouldTellAnotherProcessAllOfAnInterval()
    {
        fill(1, 0, of(123), RunPhase.DRAIN);
        final LoadInterval interval = merge.share(1);
        interval.isLast = true;
        interval.counts[Counter.CORRUPT.ordinal()] = 17;
        interval.stalls.recordValue(5_000);
        interval.leaderMemberId = 2;
        final ObjectNode node = new ObjectMapper().createObjectNode();
        LoadMessages.put(interval, node);
        final LoadInterval other = merge.share(0);
        other.serviceTimes.recordValue(99);
        LoadMessages.read(node, other);

        assertThat(other.responseTimes()).isEqualTo(interval.responseTimes());
        assertThat(other.serviceTimes().getTotalCount()).isZero();
        assertThat(other.stalls()).isEqualTo(interval.stalls());
        assertThat(other.count(Counter.CORRUPT)).isEqualTo(17);
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
        final ObjectNode node = new ObjectMapper().createObjectNode();
        LoadMessages.put(outcome, node);
        assertThat(LoadMessages.outcome(node)).isEqualTo(outcome);
    }

    @Test
    void shouldSendThePartOfTheClientInAnInterval()
    {
        fill(1, 0, of(10), RunPhase.MEASURE);
        final ObjectNode node = new ObjectMapper().createObjectNode();
        LoadMessages.put(merge.share(1), node);
        LoadMessages.read(node, merge.share(0));
        assertThat(merge.share(0).receiveLateness()).isEqualTo(merge.share(1).receiveLateness());
        assertThat(merge.share(0).clientParts()).isEqualTo(merge.share(1).clientParts());

        // A client to which arrivals are unknown sends none, and leaves nothing of the interval before.
        merge.share(1).receiveLateness.reset();
        final ObjectNode unknown = new ObjectMapper().createObjectNode();
        LoadMessages.put(merge.share(1), unknown);
        assertThat(unknown.has("receiveLateness")).isFalse();
        LoadMessages.read(unknown, merge.share(0));
        assertThat(merge.share(0).receiveLateness().getTotalCount()).isZero();
    }

    private void fill(final int client, final int interval, final Histogram responseTimes, final RunPhase phase)
    {
        final LoadInterval share = merge.share(client);
        share.beginNs = interval * SECOND_NS;
        share.endNs = (interval + 1) * SECOND_NS;
        share.phase = phase;
        share.responseTimes.reset();
        share.responseTimes.add(responseTimes);
        share.sendDelays.reset();
        share.sendDelays.recordValueWithCount(1_000, responseTimes.getTotalCount());
        sent[client] += responseTimes.getTotalCount();
        share.receiveLateness.reset();
        share.receiveLateness.recordValueWithCount(2_000 * (1 + client), responseTimes.getTotalCount());
        share.clientParts.reset();
        share.clientParts.recordValueWithCount(200_000, 1_000 * (1 + client));
        share.counts[Counter.SENT.ordinal()] = sent[client];
        share.counts[Counter.ANSWERED.ordinal()] = sent[client];
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
            answered, answered, 0, 0, 0, 1, 0, 0, 0, 0, newLeaders, 0, 0, 0, 0, 0, 0, 0, 500.0, 1_900_000_000L,
            TimeRecorder.newHistogram(), null, List.of());
    }
}
