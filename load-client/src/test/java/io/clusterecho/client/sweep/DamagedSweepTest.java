package io.clusterecho.client.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.testing.Fuzz;

import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whatever is in the files from which a sweep is resumed: it can be resumed, or the message names the file. */
class DamagedSweepTest
{
    private static final Path STORED = Path.of("..", "results", "reference-20261127-quick");

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({ "sweep.json, 300", "sweep.properties, 500" })
    void shouldReadOrRefuseAFileOfASweep(final String name, final int count) throws IOException
    {
        for (final String file : List.of("sweep.json", "sweep.properties"))
        {
            Files.copy(STORED.resolve(file), folder.resolve(file));
        }
        final byte[] sample = Files.readAllBytes(folder.resolve(name));

        assertThat(Fuzz.run("resumed-" + name, count, List.of(sample), List.of(InvalidSettingException.class), (input) ->
        {
            Files.write(folder.resolve(name), input);
            assertThat(SweepRecord.plan(folder)).isNotNull();
            assertThat(SweepRecord.document(folder).runs()).isNotNull();
        })).isPositive();
    }
}
