package io.clusterecho.commands;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.clusterecho.reporting.evidence.FullDisk;
import io.clusterecho.reporting.evidence.SmallMount;

import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands whose result does not fit on its disk: a page of it does. */
class FullDiskCommandsTest
{
    private static final String SEARCH =
        "max-rate --transport memory --memory-delay 1ms --slo p50<1h --rate 100 --highest 400 --duration 100ms " +
        "--warm-up 0s --pause 0s --pass 50% --quiet";

    @RegisterExtension
    private final StandardStreams streams = new StandardStreams();
    @RegisterExtension
    private final SmallMount small = new SmallMount("4k");

    @TempDir
    private Path disk;

    @ParameterizedTest
    @ValueSource(strings = {
        "ping-pong --transport memory --count 100 --warm-up-count 10",
        "calibrate --only machine --duration 1s --rate 1k --idle spin --quiet --dir" })
    void shouldPrintWhatWasMeasuredWithTheReasonAsTextAndAsJson(final String command) throws IOException
    {
        final String whole = command.endsWith("--dir") ? command + " " + disk : command;
        assertThat(execute(whole)).as(streams.err()).isEqualTo(4);
        assertThat(streams.out()).startsWith("FAILED").contains("could not be written (" + FullDisk.REASON + ")")
            .contains("p99.9");

        streams.clear();
        assertThat(execute(whole + " --json")).as(streams.err()).isEqualTo(4);
        final JsonNode result = new ObjectMapper().readTree(streams.out());
        assertThat(result.at("/verdict/label").asText()).isEqualTo("FAILED");
        assertThat(result.at("/verdict/good").asBoolean()).isFalse();
        assertThat(result.at("/verdict/reasons").toString()).contains("could not be written (" + FullDisk.REASON + ")");
    }

    @ParameterizedTest
    @ValueSource(strings = { SEARCH, "run --transport memory --duration 100ms --warm-up 0s --rate 100 --quiet" })
    void shouldMeasureNothingThatCannotBeKept(final String command)
    {
        assertThat(execute(command)).isEqualTo(2);
        assertThat(streams.out()).isEmpty();
        assertThat(streams.err()).startsWith("error: nothing was measured: cannot write ").contains(FullDisk.REASON)
            .doesNotContain("\tat ");
        assertThat(small.path()).isEmptyDirectory();
    }

    private int execute(final String command)
    {
        return LoadClient.execute((command + " --output " + small.path()).split(" "));
    }
}
