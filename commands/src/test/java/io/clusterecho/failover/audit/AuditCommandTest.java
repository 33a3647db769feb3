package io.clusterecho.failover.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.clusterecho.commands.LoadClient;
import io.clusterecho.reporting.results.ExitCode;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditCommandTest
{
    private static Path recorded;

    @TempDir
    private Path folder;
    private final PrintStream standardOut = System.out;
    private final PrintStream standardErr = System.err;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @BeforeAll
    static void record() throws IOException
    {
        recorded = RecordedCluster.recorded();
    }

    @BeforeEach
    void captureStreams() throws IOException
    {
        RecordedCluster.members("running", folder);
        System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
    }

    @AfterEach
    void restoreStreams()
    {
        System.setOut(standardOut);
        System.setErr(standardErr);
    }

    @Test
    void shouldEndWithZeroWhenAllIsWell() throws IOException
    {
        final int status = execute("audit", "--base-dir", folder.toString(), "--journal", journal(), "--json");
        final JsonNode report = new ObjectMapper().readTree(out.toByteArray());

        assertThat(status).as(err.toString(StandardCharsets.UTF_8)).isEqualTo(ExitCode.GOOD);
        assertThat(report.get("clean").asBoolean()).isTrue();
        assertThat(report.get("findings")).isEmpty();
        assertThat(report.get("members")).hasSize(3);
        assertThat(report.get("journal").get("acknowledged").asInt()).isEqualTo(2 * RecordedCluster.COUNT);
        assertThat(report.get("journal").get("acknowledgedLost").asInt()).isZero();
        assertThat(report.get("log").get("terms")).hasSize(2);
    }

    @Test
    void shouldRefuseMembersThatKeepNoAccounts() throws IOException
    {
        Files.writeString(folder.resolve("cluster.properties"), "echo.service=plain\n");
        assertThat(execute("audit", "--base-dir", folder.toString())).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("--base-dir=" + folder).contains("echo.service=echo");
    }

    @Test
    void shouldEndWithFourAndNameWhatIsWrong() throws IOException
    {
        final LogSurgeon log = new LogSurgeon(folder.resolve("member-2"));
        final long position = log.entries().get(5).position();
        log.flip(position + 40);

        final int status = execute(
            "audit", "--journal", journal(), folder.resolve("member-0").toString(), folder.resolve("member-1").toString(),
            folder.resolve("member-2").toString());

        assertThat(status).isEqualTo(ExitCode.RUN_FAILED);
        assertThat(out.toString(StandardCharsets.UTF_8))
            .startsWith("NOT CLEAN: 1 findings\n")
            .contains("bad-checksum", "member 2", "position " + position, "acknowledged 760 = on a majority 760 + lost 0");

        out.reset();
        assertThat(execute("audit", "--base-dir", folder.toString(), "--json")).isEqualTo(ExitCode.RUN_FAILED);
        final JsonNode finding = new ObjectMapper().readTree(out.toByteArray()).get("findings").get(0);
        assertThat(finding.get("kind").asText()).isEqualTo("bad-checksum");
        assertThat(finding.get("member").asInt()).isEqualTo(2);
        assertThat(finding.get("position").asLong()).isEqualTo(position);
    }

    @Test
    void shouldEndWithTwoWhenThereIsNothingToAudit()
    {
        assertThat(execute("audit", "--base-dir", folder.resolve("nowhere").toString())).isEqualTo(ExitCode.USAGE);
        assertThat(execute("audit", "--base-dir", folder.resolve("member-0").toString())).isEqualTo(ExitCode.USAGE);
        assertThat(execute("audit", "--base-dir", folder.toString(), "--journal", "no-such-file"))
            .isEqualTo(ExitCode.USAGE);
        assertThat(execute("audit", "--surprise")).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("nowhere", "member-0", "no-such-file", "--surprise");
        assertThat(out.toString(StandardCharsets.UTF_8)).isEmpty();
    }

    private static int execute(final String... args)
    {
        return LoadClient.execute(args);
    }

    private static String journal()
    {
        return recorded.resolve("journal").toString();
    }
}
