package io.clusterecho.client.calibration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.clusterecho.testing.Fuzz;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever is in a stored calibration: it is used, or a warning names the file and it is skipped. */
class DamagedCalibrationTest
{
    @TempDir
    private Path parent;

    @Test
    void shouldUseOrSkipACalibration() throws IOException
    {
        final Path file = Files.createDirectory(parent.resolve("calibration")).resolve("calibration.json");
        final byte[] sample = Files.readAllBytes(
            Path.of("..", "results", "reference-20261124-doubt", "calibration", "calibration.json"));
        final List<String> warnings = new ArrayList<>();

        Fuzz.run("calibration", 300, List.of(sample), List.of(), (input) ->
        {
            Files.write(file, input);
            assertThat(Calibrations.below(parent, warnings::add)).isNotNull();
        });

        assertThat(warnings).isNotEmpty().allSatisfy(
            (warning) -> assertThat(warning).contains("calibration.json cannot be read: ", "; skipped"));
    }
}
