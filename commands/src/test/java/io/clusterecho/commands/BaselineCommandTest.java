package io.clusterecho.commands;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.clusterecho.client.load.Idle;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BaselineCommandTest
{
    @RegisterExtension
    private final StandardStreams streams = new StandardStreams();

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "--size 31       | --size=31     | 32 to 65507",
        "--size 65508    | --size=65508  | 32 to 65507",
        "--duration 10ms | --duration=10ms | at least 1s",
        "--rate 1M --duration 1h | --duration=1h | at most 200s",
        "--rate 9        | --rate=9      | at least 10",
        "--idle doze     | --idle        | spin" })
    void shouldNameOptionValueAndWhatIsAllowed(final String arguments, final String option, final String allowed)
    {
        assertThat(execute(arguments)).isEqualTo(2);
        assertThat(streams.err()).startsWith("error: ").contains(option).contains(allowed);
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void shouldMeasureEveryPartAndAccountForEveryDatagram() throws IOException
    {
        final int status = execute("--duration 2s --rate 1k --size 64 --idle sleep --json --quiet --dir " + folder);
        final JsonNode result = new ObjectMapper().readTree(streams.out());
        // 4 where a busy machine missed the rate; what is proven here must hold all the same.
        assertThat(status).as("%s %s", result.get("verdict"), streams.err()).isIn(0, 4);
        assertThat(result.get("format").asText()).isEqualTo("cluster-echo-baseline/1");
        assertThat(result.at("/udp/0/idle").asText()).isEqualTo("busyspin");
        assertThat(result.at("/udp/1/idle").asText()).isEqualTo(Idle.sleep.strategyName());
        for (final JsonNode udp : result.get("udp"))
        {
            assertThat(udp.get("scheduled").asLong()).isEqualTo(450);
            assertThat(Stream.of("answered", "late", "unanswered", "neverSent").mapToLong((name) -> udp.get(name).asLong()).sum())
                .isEqualTo(450);
            assertThat(udp.get("corrupt").asLong()).isZero();
            assertThat(udp.get("quietServiceTimeNs").asLong()).isPositive()
                .isLessThanOrEqualTo(udp.at("/responseTimeNs/max").asLong());
        }
        assertThat(result.at("/sync/dataNs/count").asLong()).isPositive();
        assertThat(result.at("/timer/shortestSleepNs/p50").asLong()).isPositive();
        assertThat(result.at("/copy/largeBytesPerSecond").asLong()).isPositive();

        final Path made = Path.of(result.get("resultFolder").asText());
        assertThat(made).isDirectoryContaining("glob:**/baseline.txt").isDirectoryContaining("glob:**/report.html")
            .isDirectoryContaining("glob:**/udp-busyspin-service-time.hgrm").isDirectoryContaining("glob:**/sync-data.hgrm");
        assertThat(Files.readString(made.resolve("baseline.txt"))).contains("floor of a replicated round trip, busyspin: ");
        assertThat(streams.err()).isEmpty();
    }

    @Test
    void shouldNotMeasureSpinningTwice() throws IOException
    {
        execute("--duration 1s --rate 1k --idle spin --json --quiet --dir " + folder);
        final JsonNode result = new ObjectMapper().readTree(streams.out());
        assertThat(result.get("udp")).hasSize(1);
    }

    private int execute(final String arguments)
    {
        return RootCommand.execute(("baseline --output " + folder + " " + arguments).split(" "));
    }
}
