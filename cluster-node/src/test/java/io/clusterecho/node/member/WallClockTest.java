package io.clusterecho.node.member;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WallClockTest
{
    private long nowMs = 1_000;
    private final WallClock clock = new WallClock(() -> nowMs);

    @Test
    void shouldHaveNoLagWhileTimePassesOrJumpsAhead()
    {
        assertThat(clock.lagMs()).isZero();
        assertThat(clock.lagMs()).isZero();
        nowMs = 1_001;
        assertThat(clock.lagMs()).isZero();
        nowMs = 601_000;
        assertThat(clock.lagMs()).isZero();
    }

    @Test
    void shouldLagAfterAJumpBackUntilTheLatestTimeIsReachedAgain()
    {
        clock.lagMs();
        nowMs = 400;
        assertThat(clock.lagMs()).isEqualTo(600);
        nowMs = 900;
        assertThat(clock.lagMs()).isEqualTo(100);
        nowMs = 300;
        assertThat(clock.lagMs()).isEqualTo(700);
        nowMs = 1_000;
        assertThat(clock.lagMs()).isZero();
    }
}
