package io.clusterecho.peers.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;

import org.junit.jupiter.api.Test;

class ClusterVariantTest
{
    @Test
    void shouldPlaceTheThreadsOfAClusterByDefault()
    {
        final ClusterVariant plain = ClusterVariant.of("aeron-cluster");
        assertThat(plain).isEqualTo(new ClusterVariant("0", true));
        assertThat(plain.settings()).containsOnly(Map.entry("echo.fsync", "0"));
        assertThat(plain.clientArguments()).isEmpty();
    }

    @Test
    void shouldReadTheFileSyncLevel()
    {
        assertThat(ClusterVariant.of("aeron-cluster-fsync-2")).isEqualTo(new ClusterVariant("2", true));
    }

    @Test
    void shouldLeaveThePlacementToLinuxOnBothSides()
    {
        final ClusterVariant unplaced = ClusterVariant.of("aeron-cluster-unplaced");
        assertThat(unplaced.settings()).containsOnly(Map.entry("echo.fsync", "0"), Map.entry("echo.cores", "any"));
        assertThat(unplaced.clientArguments()).containsExactly("--core", "any");
    }

    @Test
    void shouldKnowItsSystemsByName()
    {
        assertThat(SuitePlan.systems()).filteredOn(ClusterVariant::isCluster).containsExactly(
            "aeron-cluster", "aeron-cluster-fsync-1", "aeron-cluster-fsync-2", "aeron-cluster-unplaced");
    }
}
