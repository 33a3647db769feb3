package io.clusterecho.reporting.results;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterecho.reporting.results.WarmUpEnd.Cause;

import org.junit.jupiter.api.Test;

class WarmUpEndTest
{
    private static final long SECOND_NS = 1_000_000_000L;

    @Test
    void shouldReportASteadyState()
    {
        final WarmUpEnd end = new WarmUpEnd(23 * SECOND_NS, 60 * SECOND_NS, Cause.steady, null);
        assertThat(end.text()).isEqualTo("warm-up of 23.0 s, until steady (at most 60.0 s)");
        assertThat(end.warning()).isNull();
    }

    @Test
    void shouldWarnOfWhatWasNotSteady()
    {
        final WarmUpEnd end =
            new WarmUpEnd(60 * SECOND_NS, 60 * SECOND_NS, Cause.bound, "p50 fell by 31% in its last 30 intervals");
        assertThat(end.text()).isEqualTo("warm-up of 60.0 s, to its bound: not steady (at most 60.0 s)");
        assertThat(end.warning()).isEqualTo(
            "the warm-up met its bound of 60.0 s before response times were steady: p50 fell by 31% in its last 30 intervals");
        assertThat(new WarmUpEnd(SECOND_NS, 60 * SECOND_NS, Cause.request, "too few intervals").warning()).isNull();
    }
}
