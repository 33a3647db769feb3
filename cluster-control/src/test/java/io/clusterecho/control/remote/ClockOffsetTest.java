package io.clusterecho.control.remote;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ClockOffsetTest
{
    @Test
    void shouldUseTheMiddleOfARoundTripAndBoundItsError()
    {
        final HostClockOffset offset = HostClockOffset.of(1_000, 500_000, 1_200);
        assertThat(500_000 + offset.offsetNs()).isEqualTo(1_100);
        assertThat(offset.errorNs()).isEqualTo(100);
    }

    @Test
    void shouldAcceptClocksWithDistantOrigins()
    {
        final HostClockOffset offset = HostClockOffset.of(Long.MAX_VALUE - 10, Long.MIN_VALUE + 5, Long.MAX_VALUE);
        assertThat(Long.MIN_VALUE + 5 + offset.offsetNs()).isEqualTo(Long.MAX_VALUE - 5);
    }
}
