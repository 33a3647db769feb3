package io.clusterecho.reporting.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

import org.junit.jupiter.api.Test;

class MemberLoadTest
{
    private static final MemberLoad FAST = load(0, "follower", 900_000.0, 450.0);
    private static final MemberLoad LEADER = load(1, "leader", 672_400.0, 336.2);
    private static final MemberLoad SLOW = load(2, "", 600_000.0, null);
    private static final MemberLoad UNKNOWN = load(3, "leader", null, null);

    @Test
    void shouldStateTheGrowthOfTheLogOfTheLeaderElseTheSmallest()
    {
        assertThat(MemberLoad.logText(List.of(FAST, LEADER, SLOW)))
            .containsExactly("log        of member 1 (leader) grew by 672.4 kB/s for all clients, 336 bytes for each reply");
        assertThat(MemberLoad.logText(List.of(FAST, SLOW, UNKNOWN)))
            .containsExactly("log        of member 2 grew by 600.0 kB/s for all clients");
        assertThat(MemberLoad.logText(List.of(UNKNOWN))).isEmpty();
    }

    private static MemberLoad load(final int memberId, final String role, final Double perSecond, final Double perMessage)
    {
        return new MemberLoad(memberId, role, 0.5, "no limit seen", perSecond, perMessage);
    }
}
