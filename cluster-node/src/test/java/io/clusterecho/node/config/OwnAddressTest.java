package io.clusterecho.node.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import io.clusterecho.settings.InvalidSettingException;

class OwnAddressTest
{
    @Test
    void shouldReachLoopbackFromLoopback()
    {
        assertThat(OwnAddress.towards("127.0.0.1:20000")).isEqualTo("127.0.0.1");
    }

    @Test
    void shouldNameAnEndpointThatHasNoAddress()
    {
        assertThatThrownBy(() -> OwnAddress.towards("no-such-host.invalid:20000"))
            .isInstanceOf(InvalidSettingException.class)
            .hasMessageContaining("no-such-host.invalid:20000");
    }
}
