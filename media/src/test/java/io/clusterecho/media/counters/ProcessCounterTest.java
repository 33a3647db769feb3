package io.clusterecho.media.counters;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProcessCounterTest
{
    @Test
    void shouldCountCollectionsAndTheirStops()
    {
        final long collectionsBefore = ProcessCounter.COLLECTIONS.read();
        final long safepointsBefore = ProcessCounter.SAFEPOINTS.read();
        final long timeBeforeMs = ProcessCounter.SAFEPOINT_TIME_MS.read();
        for (int i = 0; i < 20; i++)
        {
            System.gc();
        }

        assertThat(ProcessCounter.COLLECTIONS.read() - collectionsBefore).isGreaterThanOrEqualTo(20);
        assertThat(ProcessCounter.COLLECTION_TIME_MS.read()).isPositive();
        // HotSpot counts safepoints by default, and this JVM does not change that.
        assertThat(ProcessCounter.SAFEPOINTS.read() - safepointsBefore).isGreaterThanOrEqualTo(20);
        assertThat(ProcessCounter.SAFEPOINT_TIME_MS.read()).isGreaterThan(timeBeforeMs);
    }

    @Test
    void shouldBeReadableTwice()
    {
        assertThat(ProcessCounter.SAFEPOINTS.read()).isPositive();
        assertThat(ProcessCounter.SAFEPOINTS.read()).isPositive();
    }

    @Test
    void shouldCountCompilations()
    {
        final long beforeMs = ProcessCounter.COMPILATION_TIME_MS.read();
        long sum = 0;
        for (int i = 0; i < 3_000_000; i++)
        {
            sum += Integer.toString(i).hashCode();
        }
        assertThat(sum).isNotZero();
        assertThat(beforeMs).isNotNegative();
        assertThat(ProcessCounter.COMPILATION_TIME_MS.read()).isGreaterThanOrEqualTo(beforeMs).isPositive();
    }
}
