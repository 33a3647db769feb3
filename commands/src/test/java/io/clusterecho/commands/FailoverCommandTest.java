package io.clusterecho.commands;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FailoverCommandTest
{
    @RegisterExtension
    private final StandardStreams streams = new StandardStreams();

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', value = {
        "--fault fire                          | --fault            | kill",
        "--victim nobody                       | --victim=nobody    | leader, follower, followers, all, each, or a member id",
        "--fault wipe --victim all             | --victim=all       | one member at a time with --fault wipe",
        "--fault wipe,kill --victim followers  | --victim=followers | one member at a time",
        "--fault kill:3s                       | --fault            | kill has no strength",
        "--fault sync-error:0                  | --fault            | the strength of sync-error is from 1 to",
        "--fault script                        | --fault-script | the program that injects",
        "--fault-script /bin/true              | --fault-script=/bin/true | it needs --fault script",
        "--fault script --fault-script /no/one | /no/one            | a program",
        "--cycles 0                            | --cycles           | at least 1",
        "--return-after soon                   | --return-after     | auto",
        "--limit never                         | --limit            | as in 500ms",
        "--timeouts slow                       | --timeouts         | FAST",
        "--transport memory                    | --transport        | Unknown option",
        "--endpoints 0=127.0.0.1:20000         | --endpoints        | Unknown option",
        "--clients 2                           | --clients          | Unknown option",
        "--warm-up auto                        | --warm-up=auto     | a time with failover",
        "--rate 1M --cycles 100000             | the length of the run | fit half the heap",
        "--assert outage.mode<1s               | --assert           | outage" })
    void shouldNameOptionValueAndWhatIsAllowed(final String arguments, final String option, final String allowed)
    {
        assertThat(execute(arguments)).isEqualTo(2);
        assertThat(streams.err()).contains("error: ").contains(option).contains(allowed);
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void shouldLeaveNothingOfAClusterThatCannotBeStarted()
    {
        // Classes of the build lie beside no jar of the members.
        assertThat(execute("--cycles 1")).isEqualTo(2);
        assertThat(streams.err()).contains("error: jar=", "cluster-node.jar from the build");
        assertThat(streams.out()).isEmpty();
        assertThat(folder).isEmptyDirectory();
    }

    /** Of 10,000 messages, 1,000 of the warm-up and 2,000 for each cycle, which may take a hundred times as long. */
    @ParameterizedTest
    @CsvSource({ "4, error: jar=", "5, no room for request 10999" })
    void shouldRefuseMoreMessagesThanItPlansToSend(final int cycleCount, final String expected) throws IOException
    {
        final Path messages = Files.createDirectory(folder.resolve("messages"));
        Files.writeString(messages.resolve("requests.hex"), "a1" + "00".repeat(6));
        final Path file = Files.writeString(messages.resolve("messages.properties"),
            "requests=requests.hex\nrequest.number=1:ascii4\nreply.number=1:ascii4");
        assertThat(execute("--rate 1000 --warm-up 1s --gap 2s --cycles " + cycleCount + " --messages " + file)).isEqualTo(2);
        assertThat(streams.err()).contains(expected);
    }

    private int execute(final String arguments)
    {
        return LoadClient.execute(
            ("failover --output " + folder.resolve("out") + " --base-dir " + folder.resolve("cluster") + " " + arguments)
                .split(" "));
    }
}
