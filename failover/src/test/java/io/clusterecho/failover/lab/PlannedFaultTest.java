package io.clusterecho.failover.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

import io.clusterecho.settings.InvalidSettingException;

import org.junit.jupiter.api.Test;

class PlannedFaultTest
{
    private static final List<FaultSpec> SPECS =
        List.of(FaultSpec.parse("kill"), FaultSpec.parse("wipe"), FaultSpec.parse("pause"));
    private static final List<String> VICTIMS = List.of("leader", "follower", "all");

    @Test
    void shouldDrawTheSameForTheSameSeedOnly()
    {
        final List<PlannedFault> first = drawn(7);
        assertThat(drawn(7)).isEqualTo(first);
        assertThat(drawn(8)).isNotEqualTo(first);
    }

    @Test
    void shouldDrawEachAllowedPairAndNoOther()
    {
        final Set<String> pairs = new HashSet<>();
        drawn(1).forEach((planned) -> pairs.add(planned.spec() + " " + planned.victim()));
        assertThat(pairs).containsExactlyInAnyOrder(
            "kill leader", "kill follower", "kill all", "wipe leader", "wipe follower", "pause leader", "pause follower",
            "pause all");
    }

    @Test
    void shouldDrawASecondFaultExceptBesideDeletedData()
    {
        final IntFunction<PlannedFault> sequence = PlannedFault.random(SPECS, VICTIMS, 7, 1_000);
        final List<PlannedFault> drawn = IntStream.rangeClosed(1, 200).mapToObj(sequence::apply).toList();
        assertThat(drawn).filteredOn((planned) -> null != planned.second()).hasSizeGreaterThan(50).allSatisfy((planned) ->
        {
            assertThat(List.of(planned.spec(), planned.second().planned().spec())).doesNotContain(FaultSpec.parse("wipe"));
            assertThat(planned.second().afterNs()).isBetween(0L, 999L);
        });
        assertThat(drawn).filteredOn((planned) -> "wipe".equals(planned.spec().toString())).isNotEmpty()
            .allSatisfy((planned) -> assertThat(planned.second()).isNull());
    }

    @Test
    void shouldDrawTheSameFirstFaultsWithASecond()
    {
        final IntFunction<PlannedFault> sequence = PlannedFault.random(SPECS, VICTIMS, 7, 1_000);
        assertThat(IntStream.rangeClosed(1, 200).mapToObj(sequence::apply).map((planned) ->
            new PlannedFault(planned.spec(), planned.victim(), planned.pick())))
            .isEqualTo(drawn(7));
    }

    @Test
    void shouldRejectAPairThatIsNotAllowed()
    {
        assertThatThrownBy(() -> PlannedFault.roundRobin(SPECS.subList(0, 2), VICTIMS, 1))
            .isInstanceOf(InvalidSettingException.class).hasMessageContainingAll("--victim", "all", "wipe");
    }

    private static List<PlannedFault> drawn(final long seed)
    {
        final IntFunction<PlannedFault> sequence = PlannedFault.random(SPECS, VICTIMS, seed, 0);
        return IntStream.rangeClosed(1, 200).mapToObj(sequence::apply).toList();
    }
}
