package io.clusterecho.client.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Stream;

import io.clusterecho.client.schedule.Messages;
import io.clusterecho.reporting.measurement.MessageKind;
import io.clusterecho.settings.InvalidSettingException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MixConfigTest
{
    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {
        "288; 288", "2KB; 2048", " 64k ; 65536", "288,1344; 288*1,1344*1", "288*90,1344*9,16k*1; 288*90,1344*9,16384*1",
        "64k..1m; 65536..1048576", "32..64*3, 1k; 32..64*3,1024*1", "16777184; 16777184", "288*5; 288" })
    void shouldReadLengthsWithWeightsAndWriteThemSoThatTheyReadTheSame(final String text, final String canonical)
    {
        final MixConfig mix = MixConfig.parse(text);
        assertThat(mix).hasToString(canonical);
        assertThat(MixConfig.parse(canonical)).hasToString(canonical);
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "", "31", "288,", "288*0", "288*-1", "288*1.5", "288*1000001", "288*", "*3", "288,288", "64..32", "31..64", "1..2..3",
        "32..", "..64", "16777185", "20m", "288;64", "x", "1e3", "99999999999999999999" })
    void shouldRefuseOtherLengths(final String text)
    {
        assertThatThrownBy(() -> MixConfig.parse(text)).isInstanceOf(IllegalArgumentException.class)
            .hasMessage(MixConfig.LENGTHS_ALLOWED);
    }

    @Test
    void shouldRefuseMoreLengthsThanResultsHaveRoomFor()
    {
        final List<String> lengths = Stream.iterate(32, (one) -> one + 1).limit(33).map(String::valueOf).toList();
        MixConfig.parse(String.join(",", lengths.subList(0, 32)));
        assertThatThrownBy(() -> MixConfig.parse(String.join(",", lengths))).hasMessage(MixConfig.LENGTHS_ALLOWED);
    }

    @Test
    void shouldGiveEachLengthItsShareOfTheRate()
    {
        final Messages messages = MixConfig.parse("288*90,1344*9,16k*1").messages(10_000, 1, false);
        assertThat(messages.kinds()).containsExactly(
            new MessageKind("288", 288, 288, 9_000), new MessageKind("1344", 1_344, 1_344, 900),
            new MessageKind("16384", 16_384, 16_384, 100));
        assertThat(messages.maxLengthBytes()).isEqualTo(16_384);
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {
        "orders:10k:288; orders:10000:288", "a-B_9:1.5M:1k..2k; a-B_9:1500000:1024..2048", "x:1:32; x:1:32" })
    void shouldReadAKindAndWriteItSoThatItReadsTheSame(final String text, final String canonical)
    {
        assertThat(MixConfig.Kind.parse(text)).hasToString(canonical);
        assertThat(MixConfig.Kind.parse(canonical)).isEqualTo(MixConfig.Kind.parse(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "", "orders", "orders:10k", "orders:10k:288:1", ":10k:288", "a b:1:32", "x:0:32", "x:1:31", "x:-1:32", "x:1:64..32",
        "x:1:32*2", "x:1:32,64", "x:2g:32", "abcdefghijklmnopqrstuvwxyzabcdefg:1:32" })
    void shouldRefuseOtherKinds(final String text)
    {
        assertThatThrownBy(() -> MixConfig.Kind.parse(text)).isInstanceOf(IllegalArgumentException.class)
            .hasMessage(MixConfig.KIND_ALLOWED);
    }

    @Test
    void shouldGiveEachKindItsOwnRate()
    {
        final MixConfig mix = kinds("orders:10k:288", "quotes:50k:64");
        assertThat(mix.isOfKinds()).isTrue();
        assertThat(mix.sumOfRates()).isEqualTo(60_000);
        assertThat(mix.messages(60_000, 1, false).kinds()).containsExactly(
            new MessageKind("orders", 288, 288, 10_000), new MessageKind("quotes", 64, 64, 50_000));
        assertThat(mix.maxLengthBytes()).isEqualTo(288);
    }

    @Test
    void shouldRefuseKindsThatDoNotFitTogether()
    {
        assertThatThrownBy(() -> kinds("a:1:32", "a:2:64")).isInstanceOf(InvalidSettingException.class)
            .hasMessageContainingAll("--kind=a:2:64", "a name of its own");
        assertThatThrownBy(() -> kinds("a:600M:32", "b:401M:64")).isInstanceOf(InvalidSettingException.class)
            .hasMessageContainingAll("--kind=b:401000000:64", "at most 1000000000/s");
        final String[] many =
            Stream.iterate(0, (one) -> one + 1).limit(33).map((one) -> "k" + one + ":1:32").toArray(String[]::new);
        assertThatThrownBy(() -> kinds(many)).isInstanceOf(InvalidSettingException.class)
            .hasMessageContainingAll("--kind=k32:1:32", "at most 32 kinds");
    }

    @Test
    void shouldKnowTheOnlyLengthIfThereIsOne()
    {
        final MixConfig mix = kinds("a:1:32", "b:2:64");
        assertThatThrownBy(() -> mix.onlyLengthBytes("a closed loop")).isInstanceOf(InvalidSettingException.class)
            .hasMessageContaining("one length for a closed loop");
        assertThatThrownBy(() -> MixConfig.parse("32,64").onlyLengthBytes("a closed loop"))
            .isInstanceOf(InvalidSettingException.class).hasMessageContaining("--size=32*1,64*1");
        assertThat(MixConfig.parse("288").onlyLengthBytes("a closed loop")).isEqualTo(288);
        assertThat(MixConfig.ofLength(96)).hasToString("96");
    }

    private static MixConfig kinds(final String... texts)
    {
        return MixConfig.of(Stream.of(texts).map(MixConfig.Kind::parse).toList());
    }
}
