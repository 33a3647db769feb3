package io.clusterecho.client.transport.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StreamFlowTest
{
    private static final long MS = 1_000_000;
    private static final long MB = 1 << 20;

    @ParameterizedTest
    // 288 bytes with session header and frame header; 1344 fill a packet of 1408; 20000 take 14 full ones and a rest.
    @CsvSource({ "288, 352", "1344, 1408", "20000, 20512" })
    void shouldCountHeadersAndAlignment(final long messageLength, final long frameLength)
    {
        assertThat(StreamFlow.frameLength(messageLength, 1408)).isEqualTo(frameLength);
    }

    @Test
    void shouldBearThreeQuartersOfTheSmallerOfWindowAndHalfATerm()
    {
        assertThat(flow(1_000, 10 * MS, 2 * MB, 2 * MB).sustainedLength()).isEqualTo(3 * MB / 4);
        assertThat(flow(1_000, 10 * MS, MB / 2, 16 * MB).sustainedLength()).isEqualTo(3 * MB / 8);
    }

    @Test
    void shouldFindTermsThatBearTheRate()
    {
        final double bytesPerSecond = 35_200_000;
        final long termLength = StreamFlow.termLength(bytesPerSecond, 30 * MS);

        assertThat(termLength).isEqualTo(4 * MB);
        assertThat(flow(bytesPerSecond, 30 * MS, 2 * MB, termLength).warning()).isEmpty();
        assertThat(flow(bytesPerSecond, 30 * MS, 2 * MB, termLength / 2).warning()).isPresent();
        assertThat(StreamFlow.termLength(bytesPerSecond, 0)).isEqualTo(64 * 1024);
        assertThat(StreamFlow.termLength(1e12, 1_000 * MS)).isEqualTo(1 << 30);
    }

    @Test
    void shouldNameFiguresAndWhatToChange()
    {
        assertThat(flow(35_200_000, 30 * MS, 2 * MB, MB).warning()).hasValue(
            "flow control limits the log: its rate over a round trip of 30.0 ms needs 1,056,000 bytes in flight, but a window " +
            "of 2,097,152 with terms of 1,048,576 sustains 393,216, or 37% of the rate: longer terms of 4194304");
        assertThat(flow(35_200_000, 30 * MS, MB, 4 * MB).warning().orElseThrow()).endsWith("74% of the rate: a wider window");
        assertThat(flow(35_200_000, 30 * MS, MB, MB).warning().orElseThrow())
            .endsWith("longer terms of 4194304; a wider window");
    }

    private static StreamFlow flow(
        final double bytesPerSecond, final long roundTripNs, final long windowLength, final long termLength)
    {
        return new StreamFlow(
            "log", bytesPerSecond, roundTripNs, windowLength, "a wider window", termLength, "longer terms");
    }
}
