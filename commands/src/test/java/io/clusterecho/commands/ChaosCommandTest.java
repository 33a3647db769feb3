package io.clusterecho.commands;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;

import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChaosCommandTest
{
    @RegisterExtension
    private final StandardStreams streams = new StandardStreams();

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', value = {
        "--fault wipe --victim all            | --victim=all           | one member at a time with --fault wipe",
        "--fault link-loss:99%                | --fault                | from 0.1% to 30%",
        "--fault power-loss                   | --fault=power-loss     | --allow-disk-faults",
        "--for never                          | --for                  | as in 500ms" })
    void shouldNameOptionValueAndWhatIsAllowed(final String arguments, final String option, final String allowed)
    {
        assertThat(LoadClient.execute(
            ("chaos --output " + folder.resolve("out") + " --base-dir " + folder.resolve("cluster") + " " + arguments)
                .split(" "))).isEqualTo(2);
        assertThat(streams.err()).contains(option).contains(allowed);
        assertThat(folder).isEmptyDirectory();
    }
}
