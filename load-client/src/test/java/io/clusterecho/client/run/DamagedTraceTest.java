package io.clusterecho.client.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.clusterecho.client.schedule.Trace;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.testing.Fuzz;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever is in a trace of arrivals: it is replayed, or the message names what cannot be used. */
class DamagedTraceTest
{
    @TempDir
    private Path folder;

    @Test
    void shouldReadOrRefuseATrace() throws IOException
    {
        final Path file = folder.resolve("trace.csv");
        final List<byte[]> samples = List.of(
            "time_s,bytes\n0,64\n0.001,288\n0.002,1344\n".getBytes(StandardCharsets.UTF_8),
            "time_ns,bytes\n0,64\n1000,288\n2000,1344\n".getBytes(StandardCharsets.UTF_8));

        assertThat(Fuzz.run("trace", 1_000, samples, List.of(InvalidSettingException.class), (input) ->
        {
            Files.write(file, input);
            final Trace trace = TraceFile.read(file, 1, true, null);
            assertThat(trace.digest()).isNotEmpty();
        })).isPositive();
    }
}
