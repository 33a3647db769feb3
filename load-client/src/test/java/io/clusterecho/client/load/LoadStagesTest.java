package io.clusterecho.client.load;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;

import io.clusterecho.attribution.Part;
import io.clusterecho.attribution.SlowMessage;
import io.clusterecho.attribution.StageStamps;
import io.clusterecho.attribution.StageTimes;
import io.clusterecho.client.schedule.ConstantSchedule;
import io.clusterecho.client.schedule.Messages;
import io.clusterecho.host.MonotonicClock;
import io.clusterecho.reporting.measurement.Counter;
import io.clusterecho.reporting.measurement.LoadMeasurement;
import io.clusterecho.reporting.measurement.LoadOutcome;
import io.clusterecho.reporting.results.StageReport;
import io.clusterecho.schema.EchoMessage;
import io.clusterecho.schema.PayloadCheck;
import io.clusterecho.schema.codecs.EchoRequestDecoder;
import io.clusterecho.schema.codecs.MessageHeaderEncoder;
import io.clusterecho.schema.codecs.StageTimesEncoder;

import org.HdrHistogram.Histogram;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class LoadStagesTest
{
    private static final long RATE = 1_000;
    private static final long SECOND_NS = 1_000_000_000L;
    private static final int LENGTH = 64;
    private static final long UNKNOWN = StageTimesEncoder.loggedNullValue();
    private static final LoadPlan PLAN = new LoadPlan(
        RATE, Messages.ofLength(LENGTH, RATE), 100, 900, SECOND_NS / 10, SECOND_NS * 9 / 10, 1, SECOND_NS, 10 * SECOND_NS, 1024,
        Delivery.AT_MOST_ONCE, Share.WHOLE, true);

    private final ManualRun run = new ManualRun();
    /** Stage times of a reply, since its message was sent; all below 2048 ns, where a histogram is exact. */
    private long[] toldNs;
    private long clockId = MonotonicClock.id();

    @Test
    void shouldAddUpToTheResponseTimeOfEachMessage()
    {
        // Each message has different stage times with the same sum.
        final LoadOutcome outcome = execute((sequence) ->
        {
            final long shiftNs = sequence % 100;
            toldNs = new long[]{ 100 + shiftNs, 300 + shiftNs, 600, 1_000 - shiftNs };
        });
        final StageTimes stages = outcome.stages();

        assertThat(stages.stampedCount()).isEqualTo(900);
        assertThat(stages.unstampedCount() + stages.disagreeingCount()).isZero();
        assertThat(stages.stages()).containsExactly(
            Part.TO_LEADER, Part.LOG, Part.QUORUM, Part.TO_SERVICE, Part.TO_CLIENT);
        assertThat(stages.of(Part.LOG).getMinValue()).isEqualTo(200);
        assertThat(stages.of(Part.LOG).getMaxValue()).isEqualTo(200);
        assertThat(stages.of(Part.TO_LEADER).getMinValue()).isEqualTo(100);
        assertThat(stages.of(Part.TO_LEADER).getMaxValue()).isEqualTo(199);
        assertThat(stages.of(Part.QUORUM).getMinValue()).isEqualTo(201);
        assertThat(stages.of(Part.TO_SERVICE).getMinValue()).isEqualTo(301);
        assertThat(stages.of(Part.TO_CLIENT).getMaxValue()).isEqualTo(599);
        final double sum = stages.stages().stream().map(stages::of).mapToDouble(Histogram::getMean).sum();
        assertThat(sum).isEqualTo(1_500.0);
        assertThat(run.serviceTimes.getMinValue()).isEqualTo(1_500);
        assertThat(run.serviceTimes.getMaxValue()).isEqualTo(1_500);
        assertThat(run.sendDelays.getMean() + sum).isEqualTo(run.responseTimes.getMean());
        assertThat(outcome.of(Counter.ANSWERED)).isEqualTo(900);
        assertThat(outcome.slowest()).hasSize(900).allMatch((message) ->
            message.number() >= 100 && message.isAnswered() && message.dueNs() == message.number() * 1_000_000 &&
            message.responseTimeNs() == sum(message) && 200 == message.partsNs().get(Part.LOG) &&
            100 + message.number() % 100 == message.partsNs().get(Part.TO_LEADER));
    }

    @Test
    void shouldPutBothWaysTogetherWhereTheLeaderHasAnotherClock()
    {
        clockId = MonotonicClock.id() + 1;
        final long otherClockNs = -77_000_000_000L;
        final LoadOutcome outcome = execute((sequence) -> toldNs = new long[]{
            otherClockNs + 100, otherClockNs + 300, otherClockNs + 600, otherClockNs + 1_000 });
        final StageTimes stages = outcome.stages();

        assertThat(stages.stages()).containsExactly(Part.LOG, Part.QUORUM, Part.TO_SERVICE, StageTimes.BOTH_WAYS);
        assertThat(stages.of(StageTimes.BOTH_WAYS).getMinValue()).isEqualTo(600);
        assertThat(stages.of(Part.QUORUM).getMaxValue()).isEqualTo(300);
        assertThat(outcome.slowest()).hasSize(900).allMatch((message) ->
            message.responseTimeNs() == sum(message) && 600 == message.partsNs().get(Part.UNKNOWN));
        assertThat(StageReport.warnings(measured(outcome))).singleElement().asString().contains("different clocks");
    }

    @Test
    void shouldLeaveOutWhatIsNotKnownOrCannotBe()
    {
        final Map<Long, long[]> others = Map.of(
            200L, new long[0],
            300L, new long[]{ 100, UNKNOWN, 600, 1_000 },
            400L, new long[]{ 100, 300, UNKNOWN, 1_000 },
            500L, new long[]{ -1, 300, 600, 1_000 },
            600L, new long[]{ 100, 300, 200, 1_000 },
            700L, new long[]{ 100, 300, 600, 1_501 });
        final LoadOutcome outcome =
            execute((sequence) -> toldNs = others.getOrDefault(sequence, new long[]{ 100, 300, 600, 1_000 }));

        assertThat(outcome.of(Counter.ANSWERED)).isEqualTo(900);
        assertThat(outcome.stages().unstampedCount()).isEqualTo(3);
        assertThat(outcome.stages().disagreeingCount()).isEqualTo(3);
        assertThat(outcome.stages().stampedCount()).isEqualTo(894);
        assertThat(outcome.stages().of(Part.TO_LEADER).getMinValue()).isEqualTo(100);
        assertThat(outcome.slowest().stream().filter((message) -> !message.partsNs().containsKey(Part.LOG)))
            .hasSize(6).allMatch((message) -> 1_500 == message.partsNs().get(Part.UNKNOWN));
        assertThat(StageReport.warnings(measured(outcome))).hasSize(2)
            .anyMatch((warning) -> warning.startsWith("3 replies lack stage times"))
            .anyMatch((warning) -> warning.startsWith("3 replies have stage times out of order"));
    }

    @Test
    void shouldSayWhenNoReplyTellsOfItsStages()
    {
        final LoadOutcome outcome = execute((sequence) -> toldNs = new long[0]);

        assertThat(outcome.of(Counter.ANSWERED)).isEqualTo(900);
        assertThat(outcome.stages().stages()).isEmpty();
        assertThat(StageReport.warnings(measured(outcome))).singleElement().asString()
            .contains("echo.stages=true").contains("while its request is handled");
    }

    @Test
    void shouldReachTheLeaderOfSeveralClientsWhole()
    {
        final LoadOutcome outcome = execute((sequence) -> toldNs =
            sequence == 200 ? new long[0] : new long[]{ 100, 300, 600, sequence == 300 ? 500 : 1_000 });
        final LoadOutcome read = LoadMergeTest.sent(outcome);
        final LoadOutcome both = LoadAccounts.sum(PLAN, new ConstantSchedule(RATE), List.of(outcome, read));
        final StageTimes sum = both.stages();

        for (final Part stage : outcome.stages().stages())
        {
            assertThat(read.stages().of(stage)).isEqualTo(outcome.stages().of(stage));
            assertThat(sum.of(stage).getTotalCount()).isEqualTo(2 * outcome.stages().of(stage).getTotalCount());
        }
        assertThat(read.slowest()).isEqualTo(outcome.slowest());
        assertThat(both.slowest()).hasSize(1_000).startsWith(outcome.slowest().get(0), outcome.slowest().get(0));
        assertThat(sum.unstampedCount()).isEqualTo(2);
        assertThat(sum.disagreeingCount()).isEqualTo(2);
        assertThat(sum.stampedCount()).isEqualTo(2 * 898);
    }

    private static long sum(final SlowMessage message)
    {
        return message.partsNs().values().stream().mapToLong(Long::longValue).sum();
    }

    private LoadMeasurement measured(final LoadOutcome outcome)
    {
        return new LoadMeasurement(outcome, run.times);
    }

    /** Each reply comes 1500 ns after its message was sent. */
    private LoadOutcome execute(final LongConsumer stamp)
    {
        final ScriptedTransport transport = new ScriptedTransport(run, (self, sequence) ->
        {
            stamp.accept(sequence);
            self.replies.add(self.reply());
            if (0 != toldNs.length)
            {
                self.replies.add(mark(self.reply(), run.nanoTime()));
            }
            run.advance(1_500);
        });
        return run.execute(PLAN, new ConstantSchedule(RATE), 500, (timeNs) -> { }, transport);
    }

    private byte[] mark(final byte[] reply, final long sendNs)
    {
        final UnsafeBuffer request = new UnsafeBuffer(reply.clone());
        EchoMessage.templateId(request, 0, EchoRequestDecoder.TEMPLATE_ID);
        final UnsafeBuffer mark = new UnsafeBuffer(new byte[StageStamps.LENGTH]);
        new StageTimesEncoder().wrapAndApplyHeader(mark, 0, new MessageHeaderEncoder())
            .clock(clockId)
            .taken(sendNs + toldNs[0])
            .logged(UNKNOWN == toldNs[1] ? UNKNOWN : sendNs + toldNs[1])
            .committed(UNKNOWN == toldNs[2] ? UNKNOWN : sendNs + toldNs[2])
            .served(sendNs + toldNs[3]);
        mark.putInt(
            StageStamps.LENGTH - Integer.BYTES, new PayloadCheck().compute(request, 0, request.capacity()), LITTLE_ENDIAN);
        return mark.byteArray();
    }
}
