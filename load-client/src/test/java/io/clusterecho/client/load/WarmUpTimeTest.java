package io.clusterecho.client.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WarmUpTimeTest
{
    private static final long SECOND_NS = 1_000_000_000L;

    @Test
    void shouldHaveAShortestAndALongestLength()
    {
        assertThat(WarmUpTime.parse("2s")).isEqualTo(new WarmUpTime(false, 2 * SECOND_NS, 2 * SECOND_NS));
        assertThat(WarmUpTime.parse("auto")).isEqualTo(new WarmUpTime(true, 10 * SECOND_NS, 60 * SECOND_NS));
        assertThat(WarmUpTime.parse("auto:2m")).isEqualTo(new WarmUpTime(true, 10 * SECOND_NS, 120 * SECOND_NS));
        assertThat(WarmUpTime.parse("auto:1m..180s")).isEqualTo(new WarmUpTime(true, 60 * SECOND_NS, 180 * SECOND_NS));
    }

    @ParameterizedTest
    @ValueSource(strings = { "2s", "auto", "auto:2m", "auto:1m..180s" })
    void shouldReadItsOwnText(final String text)
    {
        final WarmUpTime time = WarmUpTime.parse(text);
        assertThat(WarmUpTime.parse(time.toString())).isEqualTo(time);
    }

    @ParameterizedTest
    @ValueSource(strings = { "auto:9s..1m", "auto:1m..60s", "auto:2m..1m" })
    void shouldRefuse(final String text)
    {
        assertThatThrownBy(() -> WarmUpTime.parse(text)).isInstanceOf(IllegalArgumentException.class)
            .hasMessage("the shortest warm-up is at least 10.0 s and below the longest, as in auto:1m..3m");
    }

    @ParameterizedTest
    @ValueSource(strings = { "auto:1m..", "auto:..1m", "auto:", "1m..2m" })
    void shouldRefuseWhatIsNoTime(final String text)
    {
        assertThatThrownBy(() -> WarmUpTime.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }
}
