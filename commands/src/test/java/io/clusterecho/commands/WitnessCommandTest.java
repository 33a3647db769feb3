package io.clusterecho.commands;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;

import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WitnessCommandTest
{
    @RegisterExtension
    private final StandardStreams streams = new StandardStreams();

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "--transport memory         | --transport=memory        | cluster: only its datagrams are understood",
        "--assert p99<1s            | --assert=                 | no conditions",
        "--interface=-w             | --interface=-w            | the name of a network interface",
        "--clients 2                | --clients=2               | not given with witness" })
    void shouldNameOptionValueAndWhatIsAllowed(final String arguments, final String option, final String allowed)
    {
        assertThat(execute(arguments)).isEqualTo(2);
        assertThat(streams.err()).startsWith("error: ").contains(option).contains(allowed);
        assertThat(folder).isEmptyDirectory();
    }

    private int execute(final String arguments)
    {
        return RootCommand.execute(("witness --output " + folder + " --cluster-dir " + folder + " " + arguments).split(" "));
    }
}
