package io.clusterecho.failover.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class FaultSpecTest
{
    @ParameterizedTest
    @MethodSource("all")
    void shouldParseWhatItFormats(final Fault fault)
    {
        final FaultSpec spec = new FaultSpec(fault);
        assertThat(FaultSpec.parse(spec.toString())).isEqualTo(spec);
        assertThat(FaultSpec.parse(fault.toString())).isEqualTo(spec);
    }

    private static List<Fault> all()
    {
        return Faults.ALL;
    }

    @ParameterizedTest
    @CsvSource({ "fire, kill", "KILL, kill", "kill:, kill has no strength", "'', kill" })
    void shouldNameWhatIsAllowed(final String text, final String allowed)
    {
        assertThatThrownBy(() -> FaultSpec.parse(text))
            .isInstanceOf(IllegalArgumentException.class).hasMessageContaining(allowed);
    }

    @ParameterizedTest
    @CsvSource({
        "SHARE,       10%,   100000, 10%",
        "SHARE,       0.5%,  5000,   0.5%",
        "TIME,        20ms,  20000000, 20ms",
        "TIME,        1500us, 1500000, 1500us",
        "SIGNED_TIME, -10m,  -600000000000, -600s",
        "SIGNED_TIME, 1s,    1000000000, +1s",
        "SIZE,        8k,    8192, 8192",
        "COUNT,       12,    12, 12" })
    void shouldParseAndFormatStrengths(final Strength.Unit unit, final String text, final long value, final String formatted)
    {
        final Strength strength = new Strength(unit, 0, Long.MIN_VALUE, Long.MAX_VALUE);
        assertThat(strength.parse(text)).isEqualTo(value);
        assertThat(strength.format(value)).isEqualTo(formatted);
    }

    @Test
    void shouldRejectAStrengthOutsideItsRange()
    {
        final Strength strength = new Strength(Strength.Unit.SHARE, 100_000, 1_000, 900_000);
        assertThatThrownBy(() -> strength.parse("95%")).hasMessage("from 0.1% to 90%");
        assertThatThrownBy(() -> strength.parse("much")).hasMessage("from 0.1% to 90%");
    }
}
