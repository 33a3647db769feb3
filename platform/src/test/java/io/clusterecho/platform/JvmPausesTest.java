package io.clusterecho.platform;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class JvmPausesTest
{
    @Test
    void shouldCountCollectionsAndTheirStops()
    {
        final JvmPauses pauses = new JvmPauses();
        final long collectionsBefore = pauses.collectionCount();
        final long safepointsBefore = pauses.safepointCount();
        final long timeBeforeMs = pauses.safepointTimeMs();
        for (int i = 0; i < 20; i++)
        {
            System.gc();
        }

        assertThat(pauses.collectionCount() - collectionsBefore).isGreaterThanOrEqualTo(20);
        assertThat(pauses.collectionTimeMs()).isPositive();
        // HotSpot counts safepoints by default, and this JVM does not change that.
        assertThat(pauses.safepointCount() - safepointsBefore).isGreaterThanOrEqualTo(20);
        assertThat(pauses.safepointTimeMs()).isGreaterThan(timeBeforeMs);
    }

    @Test
    void shouldBeReadableTwice()
    {
        assertThat(new JvmPauses().safepointCount()).isPositive();
        assertThat(new JvmPauses().safepointCount()).isPositive();
    }

    @Test
    void shouldCountCompilations()
    {
        final long beforeMs = JvmPauses.compilationTimeMs();
        long sum = 0;
        for (int i = 0; i < 3_000_000; i++)
        {
            sum += Integer.toString(i).hashCode();
        }
        assertThat(sum).isNotZero();
        assertThat(beforeMs).isNotNegative();
        assertThat(JvmPauses.compilationTimeMs()).isGreaterThanOrEqualTo(beforeMs).isPositive();
    }
}
