package io.clusterecho.client.calibration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.clusterecho.testing.Fuzz;

import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whatever is in a stored calibration: it is used, or a warning names the file and it is skipped. */
class DamagedCalibrationTest
{
    @TempDir
    private Path parent;

    @ParameterizedTest
    @CsvSource({ "calibration, reference-20261124-doubt, 300", "baseline, reference-20261127-fsync-cost, 400" })
    void shouldUseOrSkipACalibration(final String kind, final String result, final int count) throws IOException
    {
        final Path file = Files.createDirectory(parent.resolve(kind)).resolve(kind + ".json");
        final byte[] sample = Files.readAllBytes(Path.of("..", "results", result, kind, kind + ".json"));
        final List<String> warnings = new ArrayList<>();

        Fuzz.run(kind, count, List.of(sample), List.of(), (input) ->
        {
            Files.write(file, input);
            assertThat(Calibrations.below(parent, warnings::add)).isNotNull();
        });

        assertThat(warnings).isNotEmpty().allSatisfy(
            (warning) -> assertThat(warning).contains(kind + ".json cannot be read: ", "; skipped"));
    }
}
