package io.clusterecho.platform;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CompilationTimeTest
{
    @Test
    void shouldGrowWhileTheJvmCompiles()
    {
        final long beforeMs = CompilationTime.totalMs();
        long sum = 0;
        for (int i = 0; i < 3_000_000; i++)
        {
            sum += Integer.toString(i).hashCode();
        }
        assertThat(sum).isNotZero();
        assertThat(beforeMs).isNotNegative();
        assertThat(CompilationTime.totalMs()).isGreaterThanOrEqualTo(beforeMs).isPositive();
    }
}
