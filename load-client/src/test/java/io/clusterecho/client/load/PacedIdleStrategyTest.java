package io.clusterecho.client.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.agrona.concurrent.IdleStrategy;
import org.junit.jupiter.api.Test;

class PacedIdleStrategyTest
{
    private static final long STEP_NS = 10;

    private final Counting between = new Counting();
    private long nowNs = 1_000;
    private final PacedIdleStrategy strategy = new PacedIdleStrategy(between, 50, () -> nowNs);

    @Test
    void shouldWaitFromTheBeginningOfADutyCycleThatFoundWork()
    {
        nowNs += 20;
        strategy.idle(3);
        assertThat(between.idleCount).isEqualTo(3);
        assertThat(nowNs).isEqualTo(1_050);

        nowNs += 45;
        strategy.idle(1);
        assertThat(between.idleCount).isEqualTo(4);
        assertThat(nowNs).isEqualTo(1_105);
    }

    @Test
    void shouldNotWaitAfterALongDutyCycle()
    {
        nowNs += 50;
        strategy.idle(1);
        assertThat(between.idleCount).isZero();
        assertThat(between.resetCount).isEqualTo(1);
    }

    @Test
    void shouldBeIdleOnceAfterADutyCycleWithoutWork()
    {
        strategy.idle(0);
        strategy.idle(-1);
        strategy.idle();
        assertThat(between.idleCount).isEqualTo(3);
        assertThat(between.resetCount).as("a strategy that backs off goes further").isZero();

        // The duty cycle that follows began now.
        strategy.idle(1);
        assertThat(between.idleCount).isEqualTo(8);
    }

    private final class Counting implements IdleStrategy
    {
        private int idleCount;
        private int resetCount;

        @Override
        public void idle(final int workCount)
        {
            throw new IllegalStateException("the other decides");
        }

        @Override
        public void idle()
        {
            idleCount++;
            nowNs += STEP_NS;
        }

        @Override
        public void reset()
        {
            resetCount++;
        }
    }
}
