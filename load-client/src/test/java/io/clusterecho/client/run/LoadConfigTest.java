package io.clusterecho.client.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.clusterecho.reporting.measurement.MessageKind;
import io.clusterecho.settings.InvalidSettingException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoadConfigTest
{
    @TempDir
    private Path folder;

    @Test
    void shouldGiveEachKindItsOwnRate()
    {
        final LoadConfig load = load("--kind=orders:10k:288", "--kind=quotes:50k:64");
        assertThat(load.ratePerSecond()).isEqualTo(60_000);
        assertThat(load.messages().kinds()).containsExactly(
            new MessageKind("orders", 288, 288, 10_000), new MessageKind("quotes", 64, 64, 50_000));
        assertThat(load.maxLengthBytes()).isEqualTo(288);
    }

    @Test
    void shouldRefuseKindsThatDoNotFitTogether()
    {
        assertThatThrownBy(() -> load("--kind=a:1:32", "--kind=a:2:64")).isInstanceOf(InvalidSettingException.class)
            .hasMessageContainingAll("--kind=a:2:64", "a name of its own");
        assertThatThrownBy(() -> load("--kind=a:600M:32", "--kind=b:401M:64")).isInstanceOf(InvalidSettingException.class)
            .hasMessageContainingAll("--kind=b:401000000:64", "at most 1000000000/s");
        assertThatThrownBy(() -> load(IntStream.range(0, 33).mapToObj((i) -> "--kind=k" + i + ":1:32").toArray(String[]::new)))
            .isInstanceOf(InvalidSettingException.class).hasMessageContainingAll("--kind=k32:1:32", "at most 32 kinds");
    }

    @Test
    void shouldKnowTheOnlyLengthIfThereIsOne()
    {
        Stream.of(load("--kind=a:1:32", "--kind=b:2:64"), load("--size=32,64"), load("--size=32..64")).forEach((load) ->
            assertThatThrownBy(() -> load.onlyLengthBytes("a closed loop")).isInstanceOf(InvalidSettingException.class)
                .hasMessageContaining("one length for a closed loop"));
        assertThatThrownBy(() -> load("--size=32,64").onlyLengthBytes("a closed loop"))
            .hasMessageContaining("--size=32*1,64*1");
        assertThat(load("--size=288").onlyLengthBytes("a closed loop")).isEqualTo(288);
    }

    private LoadConfig load(final String... options)
    {
        return SampleConfig.of("memory", folder, options).load();
    }
}
