package io.clusterecho.platform;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;

import org.junit.jupiter.api.Test;

class ClockOffsetTest
{
    @Test
    void shouldBeWithinItsErrorHoweverLopsidedTheWaysAre()
    {
        final Random random = new Random(3);
        for (int i = 0; i < 1_000; i++)
        {
            final long offsetNs = random.nextLong(-1_000_000_000_000L, 1_000_000_000_000L);
            final long thereNs = random.nextLong(0, 1_000_000);
            final long backNs = random.nextLong(0, 1_000_000);
            final ClockOffset found = ClockOffset.of(
                5_000, 5_000 + thereNs + backNs, 5_000 + thereNs + offsetNs, 0, thereNs + 77);
            assertThat(found.errorNs()).isBetween((thereNs + backNs) / 2, (thereNs + backNs) / 2 + 1);
            assertThat(Math.abs(found.offsetNs() - offsetNs)).isLessThanOrEqualTo(found.errorNs());
            assertThat(Math.abs(found.timeOfDayNs() - 77)).isLessThanOrEqualTo(found.errorNs());
        }
    }

    @Test
    void shouldAcceptClocksWithDistantOrigins()
    {
        final ClockOffset offset = ClockOffset.of(Long.MAX_VALUE - 10, Long.MAX_VALUE, Long.MIN_VALUE + 5, 0, 0);
        assertThat(Long.MIN_VALUE + 5 - offset.offsetNs()).isEqualTo(Long.MAX_VALUE - 5);
    }

    @Test
    void shouldPreferTheShorterExchange()
    {
        final ClockOffset good = new ClockOffset(5, 10, 0);
        final ClockOffset bad = new ClockOffset(9, 11, 0);
        assertThat(good.orBetter(bad)).isSameAs(good);
        assertThat(bad.orBetter(good)).isSameAs(good);
        assertThat(bad.orBetter(null)).isSameAs(bad);
    }
}
