package io.clusterecho.failover.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;

import org.junit.jupiter.api.Test;

class LeaderInTermTest
{
    private final LeaderInTerm before = new LeaderInTerm(1, 4);

    @Test
    void shouldSayWhoLedBeforeAndAfter()
    {
        assertThat(new LeaderInTerm(2, 5).changeSince(before)).contains("member 1 in term 4, then member 2 in term 5");
        assertThat(new LeaderInTerm(1, 5).changeSince(before)).as("elected again")
            .contains("member 1 in term 4, then member 1 in term 5");
        assertThat(LeaderInTerm.of(Optional.empty()).changeSince(before)).contains("member 1 in term 4, then no leader");
    }

    @Test
    void shouldSayNothingOfTheSameTerm()
    {
        assertThat(new LeaderInTerm(1, 4).changeSince(before)).isEmpty();
    }
}
