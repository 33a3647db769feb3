package io.clusterecho.node.member;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.DoubleStream;

import org.junit.jupiter.api.Test;

class NominationDelayTest
{
    private static final int DRAWS = 1_000;

    @Test
    void shouldBeRandomWithoutAPreferredMember()
    {
        assertThat(shares(0, -1)).allMatch((share) -> share >= 0 && share < 1)
            .anyMatch((share) -> share < 0.1).anyMatch((share) -> share > 0.9);
    }

    @Test
    void shouldHaveThePreferredMemberNominateItselfBeforeAnyOther()
    {
        assertThat(shares(1, 1)).containsOnly(0.0);
        assertThat(shares(0, 1)).allMatch((share) -> share >= 0.5 && share < 1).anyMatch((share) -> share > 0.9);
    }

    private List<Double> shares(final int memberId, final int preferredId)
    {
        final MemberContexts.NominationDelay delay = new MemberContexts.NominationDelay(memberId, preferredId);
        return DoubleStream.generate(delay::nextDouble).limit(DRAWS).boxed().toList();
    }
}
