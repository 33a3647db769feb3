package io.clusterecho.platform;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import java.util.Random;

import org.junit.jupiter.api.Test;

class DecimalsTest
{
    @Test
    void shouldWriteWhatAFormatterWrites()
    {
        assertThat(text(0, 1e3)).isEqualTo("0.000");
        assertThat(text(1_005, 1e3)).isEqualTo("1.005");
        assertThat(text(12_345_678, 1e6)).isEqualTo("12.346");
        assertThat(text(-1_005, 1e3)).isEqualTo("-1.005");
        assertThat(text(-100, 1e6)).isEqualTo("0.000");
        final Random random = new Random(7);
        for (int i = 0; i < 10_000; i++)
        {
            final long value = random.nextLong() >>> random.nextInt(20, 63);
            assertThat(text(value, 1e3)).isEqualTo(String.format(Locale.ROOT, "%.3f", value / 1e3));
        }
    }

    private static String text(final long value, final double divisor)
    {
        final StringBuilder text = new StringBuilder();
        Decimals.append(text, value, divisor);
        return text.toString();
    }
}
