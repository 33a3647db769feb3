package io.clusterecho.client.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ThinkTimeTest
{
    private static final int DRAWS = 1_000_000;
    private static final long BEGIN_NS = Long.MAX_VALUE - 1_000;

    @Test
    void shouldDrawExponentialTimesWithTheMean()
    {
        final ThinkTime time = ThinkTime.parse("exponential:1ms");
        final SplittableRandom random = new SplittableRandom(7);
        double sumNs = 0;
        int longer = 0;
        for (int i = 0; i < DRAWS; i++)
        {
            final long timeNs = time.nextNs(random);
            sumNs += timeNs;
            longer += timeNs > 3_000_000 ? 1 : 0;
        }

        // Five standard errors.
        assertThat(sumNs / DRAWS).isCloseTo(1e6, within(5e6 / Math.sqrt(DRAWS)));
        assertThat((double)longer / DRAWS).isCloseTo(Math.exp(-3), within(5 * Math.sqrt(Math.exp(-3) / DRAWS)));
    }

    @Test
    void shouldAlwaysTakeAFixedTime()
    {
        final SplittableRandom random = new SplittableRandom(7);
        assertThat(ThinkTime.parse("1.5ms").nextNs(random)).isEqualTo(1_500_000);
        assertThat(ThinkTime.parse("fixed:2s").nextNs(random)).isEqualTo(2_000_000_000L);
        assertThat(ThinkTime.parse("none").isNone()).isTrue();
        assertThat(ThinkTime.parse("exponential:1ms")).hasToString("exponential:1ms");
    }

    @ParameterizedTest
    @ValueSource(strings = { "", "0ms", "1", "-1ms", "exponential", "exponential:", "exponential:0s", "bimodal:1ms,2ms@1%" })
    void shouldRejectOtherTexts(final String text)
    {
        assertThatThrownBy(() -> ThinkTime.parse(text)).isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("exponential:MEAN");
    }

    @Test
    void shouldBeginSpreadOverAFixedTime()
    {
        final Thinkers thinkers = new Thinkers(ThinkTime.parse("1us"), 4, 1);
        thinkers.begin(BEGIN_NS);
        for (final long dueNs : new long[]{ 0, 250, 500, 750 })
        {
            assertThat(thinkers.isDue(BEGIN_NS + dueNs - 1)).isFalse();
            assertThat(thinkers.isDue(BEGIN_NS + dueNs)).isTrue();
            thinkers.remove();
        }
        assertThat(thinkers.isDue(BEGIN_NS + 100_000)).isFalse();
    }

    @Test
    void shouldSendInTheOrderInWhichUsersAreDue()
    {
        final int userCount = 100;
        final ThinkTime time = ThinkTime.parse("exponential:1us");
        final Thinkers thinkers = new Thinkers(time, userCount, 3);
        final SplittableRandom same = new SplittableRandom(3);
        final long[] afterNs = new long[userCount];
        Arrays.setAll(afterNs, (i) -> time.nextNs(same));
        Arrays.sort(afterNs);

        // The clock wraps around.
        thinkers.begin(BEGIN_NS);
        for (int i = 0; i < userCount; i++)
        {
            assertThat(thinkers.isDue(BEGIN_NS + afterNs[i] - 1)).as("user %d", i).isFalse();
            assertThat(thinkers.isDue(BEGIN_NS + afterNs[i])).as("user %d", i).isTrue();
            thinkers.remove();
        }
    }
}
