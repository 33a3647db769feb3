package io.clusterecho.client.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SweepProgressTest
{
    private static final long SECOND_NS = 1_000_000_000L;

    private final SweepProgress progress = new SweepProgress();

    @Test
    void shouldGuessBeforeItHasSeenAnything()
    {
        // Two starts of 15 s, four runs with 2 s besides their schedules, and the schedules.
        assertThat(progress.left(2, 4, 40 * SECOND_NS)).isEqualTo("about 78 s left");
    }

    @Test
    void shouldLearnHowLongThingsTakeHere()
    {
        progress.onStart(40 * SECOND_NS);
        progress.onStart(60 * SECOND_NS);
        progress.onRun(18 * SECOND_NS, 10 * SECOND_NS);
        assertThat(progress.left(2, 5, 40 * SECOND_NS)).isEqualTo("about 3 min left");
        assertThat(progress.left(0, 1, 10 * SECOND_NS)).isEqualTo("about 18 s left");
        assertThat(progress.left(400, 0, 0)).isEqualTo("about 5.6 h left");
    }
}
