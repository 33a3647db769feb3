package io.clusterecho.client.counters;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.MemberHost;
import io.clusterecho.media.counters.CounterColumn;
import io.clusterecho.media.counters.DriverSample;
import io.clusterecho.media.counters.ProcessSource;

import org.junit.jupiter.api.Test;

class CounterSamplerTest
{
    private final long[] compileMs = new long[3];

    @Test
    void shouldKeepTheLongestTimeOfCompilationsInTheLastRows()
    {
        final CounterSampler sampler = new CounterSampler(false, List.of(of(
            MemberHost.class, "members", List.of(member(0), member(1), member(2)))));
        assertThat(sampler.compilationMs()).isZero();

        compileMs[0] = 20;
        compileMs[1] = 350;
        compileMs[2] = DriverSample.MISSING;
        assertThat(sampler.processRows()).hasSize(3);
        assertThat(sampler.compilationMs()).isEqualTo(350);

        compileMs[0] += 7;
        sampler.processRows();
        assertThat(sampler.compilationMs()).isEqualTo(7);
        sampler.processRows();
        assertThat(sampler.compilationMs()).isZero();
    }

    private ClusterMember member(final int memberId)
    {
        return of(ClusterMember.class, "sources", List.of(new ProcessSource()
        {
            @Override
            public String suffix()
            {
                return "";
            }

            @Override
            public long take(final long[] values)
            {
                Arrays.fill(values, 999);
                values[CounterColumn.COMPILE_MS.ordinal()] = compileMs[memberId];
                return 1;
            }

            @Override
            public void close()
            {
                // Nothing to release.
            }
        }));
    }

    private static <T> T of(final Class<T> type, final String answered, final Object answer)
    {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[]{ type }, (proxy, method, arguments) ->
            method.getName().equals(answered) ? answer : int.class == method.getReturnType() ? (Object)0 : Optional.empty()));
    }
}
