package io.clusterecho.reporting.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

import org.junit.jupiter.api.Test;

class MemberLoadTest
{
    private static final MemberLoad FAST = load(0, "follower", 900_000.0, 450.0, null);
    private static final MemberLoad LEADER = load(1, "leader", 672_400.0, 336.2, null);
    private static final MemberLoad SLOW = load(2, "", 600_000.0, null, null);
    private static final MemberLoad UNKNOWN = load(3, "leader", null, null, null);

    @Test
    void shouldStateTheGrowthOfTheLogOfTheLeaderElseTheSmallest()
    {
        assertThat(MemberLoad.logText(List.of(FAST, LEADER, SLOW)))
            .containsExactly("log        of member 1 (leader) grew by 672.4 kB/s for all clients, 336 bytes for each reply");
        assertThat(MemberLoad.logText(List.of(FAST, SLOW, UNKNOWN)))
            .containsExactly("log        of member 2 grew by 600.0 kB/s for all clients");
        assertThat(MemberLoad.logText(List.of(UNKNOWN))).isEmpty();
    }

    @Test
    void shouldStateTheDiskThatIsFullFirst()
    {
        assertThat(MemberLoad.logText(List.of(
            load(0, "leader", 1e6, null, 190_000L), load(1, "follower", 1e6, null, 95_000L),
            load(2, "follower", 1e6, null, null))))
            .containsExactly(
            "log        of member 0 (leader) grew by 1,000.0 kB/s for all clients",
            "           the disk of member 1 is full in 26 h if logs grow on like this");
    }

    private static MemberLoad load(
        final int memberId, final String role, final Double perSecond, final Double perMessage, final Long diskFullS)
    {
        return new MemberLoad(memberId, role, 0.5, "no limit seen", perSecond, perMessage, diskFullS);
    }
}
