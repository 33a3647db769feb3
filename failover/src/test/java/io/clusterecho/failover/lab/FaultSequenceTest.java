package io.clusterecho.failover.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

import io.clusterecho.settings.InvalidSettingException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FaultSequenceTest
{
    private static final List<FaultSpec> SPECS =
        List.of(new FaultSpec(Fault.KILL), new FaultSpec(Fault.WIPE), new FaultSpec(Fault.PAUSE));
    private static final List<String> VICTIMS = List.of("leader", "follower", "all");

    @TempDir
    private Path folder;

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
    void shouldRejectAPairThatIsNotAllowed()
    {
        assertThatThrownBy(() -> FaultSequence.roundRobin(SPECS.subList(0, 2), VICTIMS, 1))
            .isInstanceOf(InvalidSettingException.class).hasMessageContainingAll("--victim", "all", "wipe");
    }

    @Test
    void shouldReplayAStoredTest() throws IOException
    {
        SampleFailover.write(folder, 3, "");
        final FaultSequence sequence = FaultSequence.of(StoredFaults.read(folder));
        assertThat(sequence.size()).isEqualTo(3);
        assertThat(sequence.get(3)).isEqualTo(new PlannedFault(new FaultSpec(Fault.KILL), "leader", 0));
    }

    @Test
    void shouldRefuseToReplayWhatHasNoFaults() throws IOException
    {
        assertThatThrownBy(() -> StoredFaults.read(folder)).isInstanceOf(InvalidSettingException.class)
            .hasMessageContainingAll("--replay", folder.toString(), "failover.json");
        SampleFailover.write(folder, 1, "");
        final Path file = folder.resolve("failover.json");
        Files.writeString(file, Files.readString(file).replace("\"kill\"", "\"fire\""));
        assertThatThrownBy(() -> StoredFaults.read(folder)).isInstanceOf(InvalidSettingException.class)
            .hasMessageContainingAll("--replay", "kill, wipe");
    }

    private static List<PlannedFault> drawn(final long seed)
    {
        final FaultSequence sequence = FaultSequence.random(SPECS, VICTIMS, seed);
        return IntStream.rangeClosed(1, 200).mapToObj(sequence::get).toList();
    }
}
