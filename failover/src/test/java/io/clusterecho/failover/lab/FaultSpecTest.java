package io.clusterecho.failover.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;

import io.clusterecho.failover.lab.Fault.Strength;

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
        final FaultSpec spec = FaultSpec.parse(fault.name());
        assertThat(FaultSpec.parse(spec.toString())).isEqualTo(spec);
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
        "SHARE,       10%,    100000",
        "SHARE,       0.5%,   5000",
        "TIME,        20ms,   20000000",
        "TIME,        1500us, 1500000",
        "SIGNED_TIME, -10m,   -600000000000",
        "SIGNED_TIME, 1s,     1000000000",
        "SIGNED_TIME, +1s,    1000000000",
        "SIZE,        8k,     8192",
        "COUNT,       12,     12" })
    void shouldParseStrengths(final Strength.Unit unit, final String text, final long value)
    {
        assertThat(unit.parser.applyAsLong(text)).isEqualTo(value);
    }

    @Test
    void shouldRejectAStrengthOutsideItsRange()
    {
        final Strength strength = new Strength(Strength.Unit.SHARE, "10%", "0.1%", "90%");
        assertThat(strength.parse("fault", "90%")).isEqualTo(900_000);
        assertThatThrownBy(() -> strength.parse("fault", "95%")).hasMessage("the strength of fault is from 0.1% to 90%");
        assertThatThrownBy(() -> strength.parse("fault", "much")).hasMessage("the strength of fault is from 0.1% to 90%");
    }
}
