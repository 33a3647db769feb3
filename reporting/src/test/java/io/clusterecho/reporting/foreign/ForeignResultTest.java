package io.clusterecho.reporting.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import com.fasterxml.jackson.databind.JsonNode;

import io.clusterecho.settings.InvalidSettingException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ForeignResultTest
{
    @TempDir
    private Path folder;

    @Test
    void shouldReadTheNumbersOfARun() throws IOException
    {
        final ForeignResult result =
            ForeignResult.read(SampleForeign.write(folder.resolve(SampleForeign.NAME + ".hdr"), 100_000));
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
            ForeignResult.read(SampleForeign.writeHistory(folder.resolve("a_rate=7_batch=1_length=32.hdr"), 1_000, 3_000, 2_000));
        assertThat(result.intervals()).hasSize(3);
        assertThat(result.intervals().get(1).getStartTimeStamp()).isEqualTo(1_763_740_001_000L);
        assertThat(result.total().getTotalCount()).isEqualTo(3_000);
        assertThat(result.manifest().at("/responseTimeNs/p50").asLong()).isEqualTo(2_000);
        assertThat(result.manifest().get("start").asText()).isEqualTo("2025-11-21T15:46:40Z");
    }

    @Test
    void shouldBelieveTheRigWhenItFailedARun() throws IOException
    {
        final JsonNode verdict =
            ForeignResult.read(SampleForeign.write(folder.resolve("a.hdr.FAIL"), 1_000)).manifest().get("verdict");
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
        assertThat(ForeignResult.read(combined).manifest().at("/verdict/warnings/0").asText()).contains("several runs");
    }

    @ParameterizedTest
    @CsvSource(value = {
        "''|contains no histogram", "1.0,2.0,3.0,nonsense|is not an HdrHistogram interval log" }, delimiter = '|')
    void shouldNameAFileThatCannotBeRead(final String content, final String complaint) throws IOException
    {
        final Path file = folder.resolve("a.hdr");
        Files.writeString(file, content);
        assertThatThrownBy(() -> ForeignResult.read(file)).isInstanceOf(InvalidSettingException.class)
            .hasMessageStartingWith(file.toString()).hasMessageContaining(complaint);
    }
}
