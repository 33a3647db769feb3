package io.clusterecho.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.security.Security;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClusterNodeTest
{
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final PrintStream realOut = System.out;

    @BeforeEach
    void captureOutput()
    {
        System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
    }

    @AfterEach
    void restoreOutput()
    {
        System.setOut(realOut);
    }

    @ParameterizedTest
    @CsvSource({ "strat, start", "statsu, status", "docter, doctor" })
    void shouldSuggestTheCommandThatWasMeant(final String typed, final String meant)
    {
        assertThat(execute(typed)).isEqualTo(2);
        assertThat(errors()).contains("Unmatched argument: '" + typed + "'").containsPattern("Did you mean: .*" + meant);
    }

    @Test
    void shouldAskDnsAgainSoonWhereItDidNotAnswer()
    {
        execute("none.properties");
        assertThat(Security.getProperty("networkaddress.cache.negative.ttl")).isEqualTo("1");
    }

    @Test
    void shouldListTheKeysForAnUnknownOne()
    {
        assertThat(execute("--set", "echo.fsnyc=1")).isEqualTo(2);
        assertThat(errors()).contains("echo.fsnyc=1 (--set); known keys are ").contains("echo.fsync,");
    }

    @Test
    void shouldStillNameAFileOfSettingsThatIsMissing()
    {
        assertThat(execute("none.properties")).isEqualTo(2);
        assertThat(errors()).contains("none.properties").contains("a readable file").doesNotContain("Did you mean")
            .startsWith("error: ").hasLineCount(1);
    }

    @ParameterizedTest
    @ValueSource(strings = { "start", "stop", "status", "snapshot", "settings", "doctor" })
    void shouldHaveHelpWithExamplesAndExitStatuses(final String command)
    {
        assertThat(execute(command, "--help")).isZero();
        final String help = out.toString(StandardCharsets.UTF_8);
        assertThat(help).startsWith("Usage: cluster-node " + command).contains("Examples:").contains("Exit status:")
            .contains("java -jar cluster-node.jar " + command);
        out.reset();
        assertThat(execute("help", command)).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo(help);
    }

    @ParameterizedTest
    @CsvSource({
        "status --jsn --json,          2, --jsn",
        "doctor --json --clients 1000, 2, --clients=1000 is not allowed",
        "start --json=true,             2, jar=" })
    void shouldPrintErrorsAsJson(final String arguments, final int exitStatus, final String reason) throws IOException
    {
        assertThat(execute(arguments.split(" "))).isEqualTo(exitStatus);
        final JsonNode error = new ObjectMapper().readTree(errors());
        assertThat(error.get("error").asText()).contains(reason);
        assertThat(error.get("exitStatus").asInt()).isEqualTo(exitStatus);
        assertThat(error.fieldNames()).toIterable().containsExactly("error", "exitStatus");
        assertThat(out.size()).isZero();
    }

    private int execute(final String... args)
    {
        return ClusterNode.execute(new PrintStream(err, true, StandardCharsets.UTF_8), args);
    }

    private String errors()
    {
        return err.toString(StandardCharsets.UTF_8);
    }
}
