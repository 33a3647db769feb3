package io.clusterecho.client.transport;

import static org.assertj.core.api.Assertions.assertThat;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MemoryTransportTest
{
    private static final int LENGTH = 64;
    private static final long DELAY_NS = 1_000_000;

    private final UnsafeBuffer message = new UnsafeBuffer(new byte[LENGTH]);

    @ParameterizedTest
    @CsvSource({ "1, 65536", "16, 4096", "1000, 256" })
    void shouldShareTheMessagesInFlightAmongSessions(final int sessionCount, final int capacity)
    {
        final MemoryTransport transport = new MemoryTransport(() -> 0, LENGTH, DELAY_NS, 0, 0, sessionCount);
        transport.connect(0);
        for (int i = 0; i < capacity; i++)
        {
            assertThat(transport.trySend(message, 0, LENGTH)).isEqualTo(SendResult.SENT);
        }
        assertThat(transport.trySend(message, 0, LENGTH)).isEqualTo(SendResult.BACK_PRESSURED);
    }

    @Test
    void shouldHaveRoomForTheStallOfOneSession()
    {
        final MemoryTransport transport = new MemoryTransport(() -> 0, LENGTH, 0, 0, DELAY_NS, 1);
        transport.connect(0);
        for (int i = 0; i < MemoryTransport.CAPACITY; i++)
        {
            assertThat(transport.trySend(message, 0, LENGTH)).isEqualTo(SendResult.SENT);
        }
    }
}
