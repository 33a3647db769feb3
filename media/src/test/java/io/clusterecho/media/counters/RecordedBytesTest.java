package io.clusterecho.media.counters;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.file.Path;

import io.aeron.AeronCounters;

import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordedBytesTest
{
    @TempDir
    private Path folder;

    @Test
    void shouldSumThePositionsOfActiveRecordings()
    {
        final CountersManager counters = new CountersManager(
            new UnsafeBuffer(ByteBuffer.allocateDirect(1 << 18)), new UnsafeBuffer(ByteBuffer.allocateDirect(1 << 16)));
        assertThat(DriverCounters.recordedBytes(counters)).isZero();
        final int type = AeronCounters.ARCHIVE_RECORDING_POSITION_TYPE_ID;
        counters.setCounterValue(counters.allocate("other", type + 1), 1_000);
        counters.setCounterValue(counters.allocate("rec-pos: 0", type), 352);
        final int second = counters.allocate("rec-pos: 1", type);
        counters.setCounterValue(second, 704);
        assertThat(DriverCounters.recordedBytes(counters)).isEqualTo(1_056);
        counters.free(second);
        assertThat(DriverCounters.recordedBytes(counters)).isEqualTo(352);
    }

    @Test
    void shouldKnowThatThereIsNoDriver()
    {
        assertThat(DriverCounters.recordedBytes(folder, 1)).isEqualTo(-1);
    }
}
