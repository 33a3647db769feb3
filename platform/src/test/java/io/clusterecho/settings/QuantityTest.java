package io.clusterecho.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuantityTest
{
    @Test
    void shouldReadRatesWithDecimalSuffixes()
    {
        assertThat(Quantity.parseRate("100k")).isEqualTo(100_000);
        assertThat(Quantity.parseRate("1.5M")).isEqualTo(1_500_000);
        assertThat(Quantity.parseRate("250")).isEqualTo(250);
    }

    @ParameterizedTest
    @ValueSource(strings = { "0", "-5", "", "k", "1.5", "2G", "10 k k", "1e5", "9999999M" })
    void shouldRejectInvalidRates(final String text)
    {
        assertThatThrownBy(() -> Quantity.parseRate(text)).isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("messages per second").hasMessageContaining("as in 250, 1.5k or 100k");
    }

    @Test
    void shouldReadSizesWithBinarySuffixes()
    {
        assertThat(Quantity.parseSize("288")).isEqualTo(288);
        assertThat(Quantity.parseSize("64k")).isEqualTo(65_536);
        assertThat(Quantity.parseSize("1g")).isEqualTo(1L << 30);
        assertThat(Quantity.parseSize("2MB")).isEqualTo(2L << 20);
        assertThat(Quantity.parseSize("1.5 KiB")).isEqualTo(1_536);
    }

    @Test
    void shouldReadDurationsWithUnits()
    {
        assertThat(Quantity.parseDurationNs("500ms")).isEqualTo(500_000_000);
        assertThat(Quantity.parseDurationNs("1.5h")).isEqualTo(5_400_000_000_000L);
        assertThat(Quantity.parseDurationNs("1m30s")).isEqualTo(90_000_000_000L);
        assertThat(Quantity.parseDurationNs("1h 2m 3.5s")).isEqualTo(3_723_500_000_000L);
        assertThat(Quantity.parseDurationNs("0s")).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = { "", "10", "-1s", "s", "1 day", "1,5s", "1m30", "1m-30s", "106751d", "2562047h2562047h" })
    void shouldRefuseDurationsWithoutAUnit(final String text)
    {
        assertThatThrownBy(() -> Quantity.parseDurationNs(text)).isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("as in 500ms");
    }

    @Test
    void shouldWriteTimesWithThreeDigits()
    {
        assertThat(Quantity.formatNs(999)).isEqualTo("999 ns");
        assertThat(Quantity.formatNs(218_400)).isEqualTo("218 us");
        assertThat(Quantity.formatNs(1_530_000_000)).isEqualTo("1.53 s");
        assertThat(Quantity.formatNs(99_960)).isEqualTo("100 us");
    }

    @ParameterizedTest
    @CsvSource({ "5%,0.05", "0.05,0.05", "100%,1", "150%,1.5", "2.5%,0.025", "0,0", "1,1" })
    void shouldReadShares(final String text, final double expected)
    {
        assertThat(Quantity.parseShare(text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = { "", "%", "-1%", "5 %", "half", "1e3", "5%%" })
    void shouldRejectInvalidShares(final String text)
    {
        assertThatThrownBy(() -> Quantity.parseShare(text))
            .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("5%");
    }

    @ParameterizedTest
    @CsvSource({ "0,0", "7.4,7", "999.4,999", "1004,1000", "1005,1010", "28284.27,28300", "999600,1000000" })
    void shouldKeepThreeDigits(final double value, final long expected)
    {
        assertThat(Quantity.threeDigits(value)).isEqualTo(expected);
    }
}
