package io.clusterecho.client.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;

import io.clusterecho.client.run.LoadConfig;
import io.clusterecho.client.run.RunConfig;
import io.clusterecho.client.schedule.Schedule;
import io.clusterecho.client.transport.SendResult;
import io.clusterecho.client.transport.Transport;
import io.clusterecho.reporting.measurement.Counter;
import io.clusterecho.reporting.measurement.LoadOutcome;
import io.clusterecho.reporting.measurement.RunPhase;

import org.junit.jupiter.api.Test;

class VaryingLoadTest
{
    private static final long SECOND_NS = 1_000_000_000L;
    private static final long STEP_NS = 20_000;

    private final ManualRun run = new ManualRun();

    private static LoadConfig config(final String rate, final long warmUpNs, final int sessionCount)
    {
        return RunConfig.parse(List.of(
            "--rate=" + rate, "--size=64", "--warm-up=" + warmUpNs + "ns", "--drain-timeout=1s", "--late-after=10s",
            "--connections=" + sessionCount)).load();
    }

    private Transport[] echoes(final int count)
    {
        final Transport[] transports = new Transport[count];
        for (int i = 0; i < count; i++)
        {
            transports[i] = new ScriptedTransport(run, (self, sequence) -> self.replies.add(self.reply()));
        }

        return transports;
    }

    @Test
    void shouldAccountForEveryMessageOfStepsAndMeetTheirMeanRate()
    {
        final LoadConfig config = config("steps:1k*1s,0*500ms,5k*1s,100*1s", SECOND_NS / 2, 3);
        final LoadPlan plan = config.plan(4 * SECOND_NS);
        assertThat(plan.warmUpCount()).isEqualTo(500);
        assertThat(plan.measuredCount()).isEqualTo(1_000 + 5_000 + 150);
        assertThat(plan.warmUpNs()).isEqualTo(SECOND_NS / 2);
        assertThat(plan.endNs()).isEqualTo(SECOND_NS / 2 + 4 * SECOND_NS);
        assertThat(plan.ratePerSecond()).isEqualTo(6_150 / 4);

        final LoadOutcome outcome = run.execute(plan, config.schedule(plan), STEP_NS, (timeNs) -> { }, echoes(3));

        assertThat(outcome.of(Counter.SCHEDULED)).isEqualTo(6_150);
        assertThat(outcome.of(Counter.ANSWERED)).isEqualTo(6_150);
        assertThat(outcome.ratePerSecondAchieved()).isCloseTo(6_150 / 4.0, within(0.5));
        assertThat(outcome.ratePerSecondAchieved()).isGreaterThanOrEqualTo(
            plan.ratePerSecond(config.schedule(plan), outcome.of(Counter.SCHEDULED)));
        assertThat(run.responseTimes.getMaxValue()).isLessThan(3 * STEP_NS);
    }

    @Test
    void shouldTakePhasesFromTheTimeOfTheWindowAndNotFromTheRate()
    {
        final LoadConfig config = config("on-off:1k*200ms/800ms", SECOND_NS, 1);
        final LoadPlan plan = config.plan(2 * SECOND_NS);
        assertThat(plan.measuredCount()).isEqualTo(400);

        run.execute(plan, config.schedule(plan), STEP_NS, (timeNs) -> { }, echoes(1));

        assertThat(run.agent.phaseOf(0, SECOND_NS)).isEqualTo(RunPhase.WARM_UP);
        assertThat(run.agent.phaseOf(SECOND_NS, 2 * SECOND_NS)).isEqualTo(RunPhase.MEASURE);
        assertThat(run.agent.phaseOf(5 * SECOND_NS / 2, 3 * SECOND_NS)).isEqualTo(RunPhase.MEASURE);
    }

    @Test
    void shouldCompareAnEarlyEndWithTheRateUpToIt()
    {
        final LoadConfig config = config("ramp:1k..9k/4s", 0, 2);
        final LoadPlan plan = config.plan(4 * SECOND_NS);
        final Schedule schedule = config.schedule(plan);
        assertThat(plan.ratePerSecond()).isEqualTo(5_000);

        final LoadOutcome outcome = run.execute(plan, schedule, STEP_NS, (elapsedNs) ->
        {
            if (elapsedNs >= SECOND_NS)
            {
                run.agent.requestEnd();
            }
        }, echoes(2));

        assertThat((double)outcome.of(Counter.SCHEDULED)).isCloseTo(2_000, within(2.0));
        final long asked = plan.ratePerSecond(schedule, outcome.of(Counter.SCHEDULED));
        assertThat((double)asked).isCloseTo(2_000, within(2.0));
        assertThat(outcome.ratePerSecondAchieved()).isCloseTo(asked, within(2.0));
    }

    @Test
    void shouldMissTheMeanRateWhereAPulseIsAnsweredTooLate()
    {
        final LoadConfig config = config("steps:1k*1s,50k*1s", 0, 1);
        final LoadPlan plan = config.plan(2 * SECOND_NS);
        // The first duty cycle of 10 ms sends at most 128 messages, and others none: 12,800/s, while 50,000/s are due.
        final ScriptedTransport transport = new ScriptedTransport(run, (self, sequence) -> self.replies.add(self.reply()));
        final long[] seenNs = { -1 };
        final LoadOutcome outcome = run.execute(plan, config.schedule(plan), SECOND_NS / 100, (elapsedNs) ->
        {
            transport.sendResult = elapsedNs == seenNs[0] ? SendResult.BACK_PRESSURED : SendResult.SENT;
            seenNs[0] = elapsedNs;
        }, transport);
        assertThat(outcome.of(Counter.SCHEDULED)).isEqualTo(51_000);
        assertThat(outcome.of(Counter.NEVER_SENT)).isPositive();
        assertThat(outcome.ratePerSecondAchieved()).isLessThan(0.9 * plan.ratePerSecond());
        assertThat(outcome.replied() + outcome.lost()).isEqualTo(51_000);
    }

    @Test
    void shouldShareAVaryingScheduleByIndex()
    {
        final LoadConfig config = config("sine:1k..3k/1s", SECOND_NS / 10, 2);
        final LoadPlan plan = config.plan(SECOND_NS);
        final List<LoadOutcome> outcomes = new ArrayList<>();
        for (int i = 0; i < 3; i++)
        {
            final ManualRun own = new ManualRun();
            final Transport[] transports = new Transport[2];
            for (int j = 0; j < 2; j++)
            {
                transports[j] = new ScriptedTransport(own, (self, sequence) -> self.replies.add(self.reply()));
            }
            outcomes.add(own.execute(plan.of(new Share(i, 3)), config.schedule(plan), STEP_NS, (timeNs) -> { }, transports));
        }
        final LoadOutcome sum = LoadAccounts.sum(plan, config.schedule(plan), outcomes);
        assertThat(sum.of(Counter.SCHEDULED)).isEqualTo(plan.measuredCount()).isEqualTo(2_000);
        assertThat(sum.of(Counter.ANSWERED)).isEqualTo(2_000);
        assertThat(sum.ratePerSecondAchieved()).isCloseTo(2_000, within(1.0));
    }
}
