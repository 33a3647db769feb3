package io.clusterecho.client.calibration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.testing.Fuzz;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever is in a stored baseline: it is used, or the message names the file. */
class DamagedBaselineTest
{
    @TempDir
    private Path folder;

    @Test
    void shouldReadOrRefuseABaseline() throws IOException
    {
        final byte[] sample = Files.readAllBytes(
            Path.of("..", "results", "reference-20261127-fsync-cost", "baseline", "baseline.json"));

        assertThat(Fuzz.run("stored-baseline", 400, List.of(sample), List.of(InvalidSettingException.class), (input) ->
        {
            Files.write(folder.resolve("baseline.json"), input);
            assertThat(Baselines.named(folder)).isNotNull();
        })).isPositive();
    }
}
