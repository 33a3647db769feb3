package io.clusterecho.client.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Stream;

import io.clusterecho.reporting.measurement.MessageKind;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MessagesParseTest
{
    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {
        "288; 288", "2KB; 2048", " 64k ; 65536", "288,1344; 288*1,1344*1", "288*90,1344*9,16k*1; 288*90,1344*9,16384*1",
        "64k..1m; 65536..1048576", "32..64*3, 1k; 32..64*3,1024*1", "16777184; 16777184", "288*5; 288" })
    void shouldReadLengthsWithWeightsAndWriteThemSoThatTheyReadTheSame(final String text, final String canonical)
    {
        final Messages mix = Messages.parse(text);
        assertThat(mix).hasToString(canonical);
        assertThat(Messages.parse(canonical)).hasToString(canonical);
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "", "31", "288,", "288*0", "288*-1", "288*1.5", "288*1000001", "288*", "*3", "288,288", "64..32", "31..64", "1..2..3",
        "32..", "..64", "16777185", "20m", "288;64", "x", "1e3", "99999999999999999999" })
    void shouldRefuseOtherLengths(final String text)
    {
        assertThatThrownBy(() -> Messages.parse(text)).isInstanceOf(IllegalArgumentException.class)
            .hasMessage(Messages.LENGTHS_ALLOWED);
    }

    @Test
    void shouldRefuseMoreLengthsThanResultsHaveRoomFor()
    {
        final List<String> lengths = Stream.iterate(32, (one) -> one + 1).limit(33).map(String::valueOf).toList();
        Messages.parse(String.join(",", lengths.subList(0, 32)));
        assertThatThrownBy(() -> Messages.parse(String.join(",", lengths))).hasMessage(Messages.LENGTHS_ALLOWED);
    }

    @Test
    void shouldGiveEachLengthItsShareOfTheRate()
    {
        final Messages messages = Messages.parse("288*90,1344*9,16k*1").at(10_000, 1);
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
        assertThat(Messages.parseKind(text)).hasToString(canonical);
        assertThat(Messages.parseKind(canonical)).isEqualTo(Messages.parseKind(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "", "orders", "orders:10k", "orders:10k:288:1", ":10k:288", "a b:1:32", "x:0:32", "x:1:31", "x:-1:32", "x:1:64..32",
        "x:1:32*2", "x:1:32,64", "x:2g:32", "abcdefghijklmnopqrstuvwxyzabcdefg:1:32" })
    void shouldRefuseOtherKinds(final String text)
    {
        assertThatThrownBy(() -> Messages.parseKind(text)).isInstanceOf(IllegalArgumentException.class)
            .hasMessage(Messages.KIND_ALLOWED);
    }
}
