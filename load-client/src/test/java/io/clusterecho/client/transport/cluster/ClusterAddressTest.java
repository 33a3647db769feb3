package io.clusterecho.client.transport.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClusterAddressTest
{
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "0=127.0.0.1:20000,1=127.0.0.1:20010|127.0.0.1:0|true",
        "0=[::1]:20000|[::1]:0|true",
        "0=127.0.0.1:20000,1=localhost:20010|127.0.0.1:0|false",
        "0=127.0.0.1:20000|client-0:0|false"})
    void shouldKnowWhetherAHostMustBeResolved(final String ingress, final String egress, final boolean isEachAnAddress)
    {
        final ClusterAddress address =
            new ClusterAddress(ingress, egress, 1_408, 1 << 20, 1, SessionRecovery.PROBE, null, null, false, false);

        assertThat(address.isEachHostAnAddress()).isEqualTo(isEachAnAddress);
    }
}
