package io.clusterecho.reporting.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.zip.Deflater;

import com.fasterxml.jackson.databind.JsonNode;

import io.clusterecho.reporting.results.CsvTable;
import io.clusterecho.settings.InvalidSettingException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ForeignResultTest
{
    @TempDir
    private Path folder;

    @Test
    void shouldReadTheNumbersOfARun() throws IOException
    {
        final ForeignResult result =
            read(SampleForeign.write(folder.resolve(SampleForeign.NAME + ".hdr"), 100_000));
        final JsonNode manifest = result.manifest();
        assertThat(manifest.at("/responseTimeNs/count").asLong()).isEqualTo(1_000);
        assertThat(manifest.at("/responseTimeNs/p50").asLong()).isBetween(100_000L, 100_100L);
        assertThat(manifest.at("/responseTimeNs/max").asLong()).isBetween(1_000_000L, 1_001_000L);
        assertThat(manifest.at("/configuration/rate").asText()).isEqualTo("100000");
        assertThat(manifest.at("/configuration/size").asText()).isEqualTo("288");
        assertThat(manifest.at("/configuration/batch").asText()).isEqualTo("1");
        assertThat(manifest.get("label").asText()).isEqualTo("echo_java_mtu=8k");
        assertThat(manifest.get("accounts").asText()).isEqualTo("foreign, closed accounts unknown");
        assertThat(manifest.at("/verdict/label").asText()).isEqualTo("FOREIGN");
        assertThat(manifest.has("start")).as("not in the file").isFalse();
        assertThat(manifest.has("answered")).as("not in the file").isFalse();
    }

    @Test
    void shouldJoinTheHistoryOfARun() throws IOException
    {
        final ForeignResult result =
            read(SampleForeign.writeHistory(folder.resolve("a_rate=7_batch=1_length=32.hdr"), 1_000, 3_000, 2_000));
        final CsvTable intervals = result.intervals();
        assertThat(intervals.rowCount()).isEqualTo(3);
        for (int row = 0; row < 3; row++)
        {
            assertThat(intervals.number(row, "begin_s")).isEqualTo(row);
            assertThat(intervals.number(row, "end_s")).isEqualTo(row + 1);
            assertThat(intervals.count(row, "answered")).isEqualTo(1_000);
        }
        assertThat(intervals.number(1, "response_min_us")).isEqualTo(3);
        assertThat(result.total().getTotalCount()).isEqualTo(3_000);
        assertThat(result.manifest().at("/responseTimeNs/p50").asLong()).isEqualTo(2_000);
        assertThat(result.manifest().get("start").asText()).isEqualTo("2025-11-21T15:46:40Z");
    }

    @Test
    void shouldBelieveTheRigWhenItFailedARun() throws IOException
    {
        final JsonNode verdict =
            read(SampleForeign.write(folder.resolve("a.hdr.FAIL"), 1_000)).manifest().get("verdict");
        assertThat(verdict.get("label").asText()).isEqualTo("FAILED");
        assertThat(verdict.get("good").asBoolean()).isFalse();
        assertThat(verdict.at("/reasons/0").asText()).contains("not every message was sent or answered");
    }

    @Test
    void shouldPreferSingleRunsToWhatJoinsThem() throws IOException
    {
        final Path combined = SampleForeign.write(folder.resolve("a-combined.hdr"), 1_000);
        assertThat(ForeignResult.in(folder)).containsExactly(combined);
        final Path single = SampleForeign.write(folder.resolve("a.hdr"), 1_000);
        Files.writeString(folder.resolve("a-report.hgrm"), "");
        assertThat(ForeignResult.in(folder)).containsExactly(single);
        assertThat(read(combined).manifest().at("/verdict/warnings/0").asText()).contains("several runs");
    }

    @ParameterizedTest
    @ValueSource(strings = { "1.1", "1.2", "1.3" })
    void shouldReadASeriesWithATagAndRefuseTwo(final String version) throws IOException
    {
        final Path file = SampleForeign.writeHistory(folder.resolve("a.hdr"), 1_000, 3_000);
        edit(file, 1, "#[Histogram log format version " + version + "]");
        edit(file, 3, "Tag=A-st," + line(file, 3));
        final String last = line(file, 4);
        edit(file, 4, "Tag=A-st," + last);
        assertThat(read(file).total().getTotalCount()).isEqualTo(2_000);

        edit(file, 4, "Tag=A-rt," + last);
        assertThatThrownBy(() -> read(file)).isInstanceOf(InvalidSettingException.class)
            .hasMessageContainingAll(file.toString(), "line 4, column 1", "Tag=A-rt; allowed: tag A-st");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "^[0-9.]+        | abc                      | line 4, column 1 of 4 is abc",
        ",1.000,         | ,x,                      | line 4, column 2 of 4 is x",
        ",1.000,         | ,1,000,                  | line 4, column 4 of 5 is ",
        ",1.000,[0-9.]+, | ,1.000,,                 | line 4, column 3 of 4 is ;",
        ",HIST.*         | ''                       | line 4, column 4 of 3 is missing",
        "HISTFA          | HISTFB                   | line 4, column 4 of 4 is HISTFB",
        "HIST.*          | DHISTwAAAAA              | DoubleHistogram",
        "$               | ,1                       | line 4, column 5 of 5 is 1",
        ".*              | Value Percentile TotalCount 1/(1-Percentile) | table of percentiles" })
    void shouldNameLineAndColumnOfWhatItCannotRead(final String pattern, final String replacement, final String complaint)
        throws IOException
    {
        final Path file = SampleForeign.writeHistory(folder.resolve("a.hdr"), 1_000, 3_000, 2_000);
        final String line = line(file, 4);
        edit(file, 4, line.replaceFirst(pattern, replacement));
        assertThat(line(file, 4)).isNotEqualTo(line);
        assertThatThrownBy(() -> read(file)).isInstanceOf(InvalidSettingException.class)
            .hasMessageStartingWith(file.toString()).hasMessageContaining(complaint);
    }

    @ParameterizedTest
    @ValueSource(strings = { "", "#[Histogram log format version 1.3]\n" })
    void shouldFailARunWithoutRows(final String content) throws IOException
    {
        final Path file = Files.writeString(folder.resolve("a.hdr"), content);
        final ForeignResult result = read(file);
        assertThat(result.isEmpty()).isTrue();
        assertThat(result.manifest().at("/verdict/label").asText()).isEqualTo("FAILED");
        assertThat(result.manifest().at("/verdict/reasons/0").asText()).contains("a.hdr");
    }

    @Test
    void shouldNotTakeARateThatNoRunHas() throws IOException
    {
        final Path file = SampleForeign.write(folder.resolve("a_rate=12345678901234567890.hdr"), 1_000);
        assertThat(read(file).manifest().has("ratePerSecondAsked")).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "4199232.004, 0, false", "4199232.004, 4199232.004, false", "1763740000, 1763739999, true", "0.5, 1763740000, true" })
    void shouldKnowTheStartOnlyByAClock(final String timeS, final String startTimeS, final boolean isKnown) throws IOException
    {
        final Path file = SampleForeign.writeHistory(folder.resolve("a.hdr"), 1_000, 2_000);
        edit(file, 2, "#[StartTime: " + startTimeS + " (seconds since epoch)]");
        edit(file, 3, line(file, 3).replaceFirst("^[0-9.]+", timeS));
        Files.write(file, Files.readAllLines(file).subList(0, 3));
        final JsonNode start = read(file).manifest().path("start");
        assertThat(start.asText()).startsWith(isKnown ? "2025-11-21T15:46:40" : "");
        assertThat(start.isMissingNode()).isNotEqualTo(isKnown);
    }

    @Test
    void shouldReadTheFirstEncodingWithCountsOfFourBytes() throws IOException
    {
        final ByteBuffer counts = ByteBuffer.allocate(40 + 8 * 4);
        counts.putInt(0x1c849341).putInt(8 * 4).putInt(0).putInt(3).putLong(1).putLong(3_600_000_000L).putDouble(1);
        for (int value = 0; value < 8; value++)
        {
            counts.putInt(value);
        }
        final Deflater deflater = new Deflater();
        deflater.setInput(counts.array());
        deflater.finish();
        final byte[] compressed = new byte[1_000];
        final int lengthBytes = deflater.deflate(compressed);
        deflater.end();
        final byte[] all = ByteBuffer.allocate(8 + lengthBytes).putInt(0x1c849342).putInt(lengthBytes)
            .put(compressed, 0, lengthBytes).array();
        final String text = Base64.getEncoder().encodeToString(all);
        assertThat(text).startsWith("HISTQg");

        final Path file = Files.writeString(folder.resolve("a.hdr"), "0.0,1.0,7.0," + text + "\n");
        assertThat(read(file).total().getTotalCount()).isEqualTo(28);
        assertThat(read(file).total().getMaxValue()).isEqualTo(7);
    }

    private static ForeignResult read(final Path file)
    {
        return ForeignResult.read(file);
    }

    private static String line(final Path file, final int number) throws IOException
    {
        return Files.readAllLines(file).get(number - 1);
    }

    private static void edit(final Path file, final int number, final String line) throws IOException
    {
        final List<String> lines = new ArrayList<>(Files.readAllLines(file));
        lines.set(number - 1, line);
        Files.write(file, lines);
    }
}
