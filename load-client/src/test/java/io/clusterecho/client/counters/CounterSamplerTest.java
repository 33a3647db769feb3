package io.clusterecho.client.counters;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;

import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.control.member.MemberHost;
import io.clusterecho.control.member.Node;
import io.clusterecho.media.counters.CounterColumn;
import io.clusterecho.media.counters.DriverSample;
import io.clusterecho.media.counters.ProcessSample;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CounterSamplerTest
{
    private final long[] compileMs = new long[3];

    @Test
    void shouldKeepTheLongestTimeOfCompilationsInTheLastRows()
    {
        final CounterSampler sampler = new CounterSampler(false, false, List.of(of(
            MemberHost.class, "members", () -> List.of(member(0), member(1), member(2)))), List.of());
        assertThat(sampler.compilationMs()).isZero();

        compileMs[0] = 20;
        compileMs[1] = 350;
        compileMs[2] = DriverSample.MISSING;
        assertThat(sampler.take().processes()).hasSize(3);
        assertThat(sampler.compilationMs()).isEqualTo(350);

        compileMs[0] += 7;
        sampler.take();
        assertThat(sampler.compilationMs()).isEqualTo(7);
        sampler.take();
        assertThat(sampler.compilationMs()).isZero();
    }

    @Test
    void shouldKnowNothingOfAMemberWhoseHostDoesNotAnswer()
    {
        final boolean[] isSilent = { false };
        final ClusterMember member = of(ClusterMember.class, "samples", () ->
        {
            if (isSilent[0])
            {
                throw new ControlFailure(ControlFailure.NOT_READY, "no answer");
            }
            return Map.of("", ProcessSample.empty(4711));
        });
        final CounterSampler sampler =
            new CounterSampler(false, false, List.of(of(MemberHost.class, "members", () -> List.of(member))), List.of());
        assertThat(sampler.take().processes()).singleElement().asString().startsWith("member-0,4711,");
        isSilent[0] = true;
        assertThat(sampler.take().processes()).singleElement().asString().matches("member-0,\\?,+");
        isSilent[0] = false;
        assertThat(sampler.take().processes()).singleElement().asString().startsWith("member-0,4711,");
    }

    @Test
    void shouldKeepTheRowOfABackupsDriverWhileItsHostDoesNotAnswer()
    {
        final boolean[] isSilent = { false };
        final Node backup = (Node)Proxy.newProxyInstance(
            Node.class.getClassLoader(), new Class<?>[]{ Node.class }, (proxy, method, arguments) ->
            switch (method.getName())
            {
                case "hostName" -> "safe";
                case "samples" ->
                {
                    ControlFailure.notReadyIf(isSilent[0], "no answer");
                    yield new TreeMap<>(Map.of("", ProcessSample.empty(4711), "-driver", ProcessSample.empty(4712)));
                }
                default -> Optional.empty();
            });
        final CounterSampler sampler = new CounterSampler(false, false, List.of((MemberHost)Proxy.newProxyInstance(
            MemberHost.class.getClassLoader(), new Class<?>[]{ MemberHost.class }, (proxy, method, arguments) ->
            "backup".equals(method.getName()) ? Optional.of(backup) : List.of())), List.of());
        assertThat(sampler.take().processes()).extracting(CounterSamplerTest::process)
            .containsExactly("backup,4711", "backup-driver,4712");
        isSilent[0] = true;
        assertThat(sampler.take().processes()).extracting(CounterSamplerTest::process)
            .containsExactly("backup,?", "backup-driver,?");
        isSilent[0] = false;
        assertThat(sampler.take().processes()).extracting(CounterSamplerTest::process)
            .containsExactly("backup,4711", "backup-driver,4712");
    }

    /** Of a cluster elsewhere too, of which no host is known. */
    @ParameterizedTest
    @CsvSource({ "true, 1", "false, 0" })
    void shouldTakeOtherProcessesOfThisOneForServersOfAPeerOnly(final boolean isPeer, final int count) throws IOException
    {
        final Process child = new ProcessBuilder("sleep", "60").start();
        try
        {
            assertThat(new CounterSampler(true, isPeer, List.of(), List.of()).take().processes())
                .filteredOn((row) -> row.matches("server-[0-9]+," + child.pid() + ",.*")).hasSize(count);
        }
        finally
        {
            child.destroyForcibly();
        }
    }

    private static String process(final String row)
    {
        return row.substring(0, row.indexOf(',', row.indexOf(',') + 1));
    }

    private ClusterMember member(final int memberId)
    {
        return of(ClusterMember.class, "samples", () ->
        {
            final ProcessSample sample = ProcessSample.empty(1);
            Arrays.fill(sample.values(), 999);
            sample.values()[CounterColumn.COMPILE_MS.ordinal()] = compileMs[memberId];
            return Map.of("", sample);
        });
    }

    private static <T> T of(final Class<T> type, final String answered, final Supplier<?> answer)
    {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[]{ type }, (proxy, method, arguments) ->
            method.getName().equals(answered) ? answer.get() :
            int.class == method.getReturnType() ? (Object)0 : Optional.empty()));
    }
}
