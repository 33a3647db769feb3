package io.clusterecho.commands;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BundleCommandTest
{
    @RegisterExtension
    private final StandardStreams streams = new StandardStreams();

    @TempDir
    private Path folder;

    @Test
    void shouldRepeatTheCommandOfABundle() throws IOException
    {
        final Path results = folder.resolve("results of 'today'");
        RootCommand.execute(new String[]{
            "--transport", "memory", "-r", "1k", "-s", "64", "--warm-up", "100ms", "-d", "300ms", "--interval", "100ms", "-q",
            "--json", "--label", "it's one", "-o", results.toString() });
        final Path first = onlyFolder(results);

        streams.clear();
        final Path bundle = folder.resolve("run.zip");
        assertThat(RootCommand.execute(new String[]{ "bundle", first.toString(), "-o", bundle.toString() })).isZero();
        assertThat(streams.out()).startsWith("bundle in " + bundle + ": run, 17 files, ");

        streams.clear();
        final int status = RootCommand.execute(new String[]{ "bundle", "--rerun", bundle.toString() });
        assertThat(streams.err()).contains("made by cluster-echo ").contains("the same versions as here")
            .contains("running java -jar load-client.jar --transport memory -r 1k ");
        final JsonNode manifest = new ObjectMapper().readTree(streams.out());
        assertThat(status).as(manifest.at("/verdict").toString()).isIn(0, 4);
        assertThat(manifest.get("label").asText()).isEqualTo("it's one");
        assertThat(manifest.get("scheduled").asLong()).isEqualTo(300);
        try (Stream<Path> runs = Files.list(results))
        {
            assertThat(runs).hasSize(2);
        }
    }

    @Test
    void shouldNameTheVersionsThatDiffer() throws IOException
    {
        final Path bundle = bundle("java -jar load-client.jar --rate 0", Map.of("cluster-echo", "0.0.7", "commit", "abc"));
        assertThat(rerun(bundle)).isEqualTo(2);
        assertThat(streams.err()).contains("'0' is not allowed");

        streams.clear();
        final Path other = bundle(
            "java -jar load-client.jar baseline --help", Map.of("cluster-echo", "0.0.7", "commit", "abc"));
        assertThat(rerun(other)).isZero();
        assertThat(streams.err()).contains("made by cluster-echo 0.0.7, commit abc: versions differ: cluster-echo 0.0.7 there, ");
        assertThat(streams.out()).startsWith("Usage: load-client calibrate");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "rm -rf /                                                            | begins with java -jar load-client.jar",
        "java -jar peers.jar suite                                           | begins with java -jar load-client.jar",
        "java -jar load-client.jar report results                            | a command that measures",
        "java -jar load-client.jar -q report results                         | a command that measures",
        "java -jar load-client.jar bundle --rerun x.zip                      | a command that measures",
        "java -jar load-client.jar --client-command 'ssh host worker'        | options other than --client-command",
        "java -jar load-client.jar --driver c --driver-command=/bin/x        | options other than --driver-command",
        "java -jar load-client.jar failover --fault-script ./x               | options other than --fault-script",
        "java -jar load-client.jar max-rate --junit x.xml                    | options other than --junit",
        "java -jar load-client.jar failover --set echo.launch.prefix=x       | options other than --set",
        "java -jar load-client.jar --credentials-password '***'              | no secret",
        "java -jar load-client.jar @arguments                                | no file of arguments",
        "java -jar load-client.jar --no-such-option                          | that this version accepts",
        "java -jar load-client.jar --label 'open                             | a quotation has no end" }, quoteCharacter = '"')
    void shouldRepeatNothingButMeasurements(final String commandLine, final String reason) throws IOException
    {
        assertThat(rerun(bundle(commandLine, Map.of()))).isEqualTo(2);
        assertThat(streams.err()).startsWith("error: commandLine=" + commandLine + " is not allowed: ").contains(reason);
        assertThat(streams.out()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = { "bundle", "bundle . --rerun x.zip", "bundle --rerun x.zip -o y.zip" })
    void shouldTakeEitherAFolderOrABundle(final String arguments)
    {
        assertThat(RootCommand.execute(arguments.split(" "))).isEqualTo(2);
        assertThat(streams.err()).contains("either DIR").contains("--rerun FILE");
    }

    @Test
    void shouldRefuseWhatIsNoResultAndNoBundle()
    {
        assertThat(RootCommand.execute(new String[]{ "bundle", folder.toString() })).isEqualTo(2);
        assertThat(streams.err()).contains("DIR=").contains("a result folder");

        streams.clear();
        assertThat(rerun(folder.resolve("none.zip"))).isEqualTo(2);
        assertThat(streams.err()).contains("--rerun=" + folder.resolve("none.zip"));
    }

    private static int rerun(final Path bundle)
    {
        return RootCommand.execute(new String[]{ "bundle", "--rerun", bundle.toString() });
    }

    private Path bundle(final String commandLine, final Map<String, String> versions) throws IOException
    {
        final Path file = folder.resolve("made.zip");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file)))
        {
            zip.putNextEntry(new ZipEntry("result/bundle.json"));
            zip.write(new ObjectMapper().writeValueAsString(Map.of(
                "format", "cluster-echo-bundle/1", "commandLine", commandLine, "versions", versions))
                .getBytes(StandardCharsets.UTF_8));
        }

        return file;
    }

    private static Path onlyFolder(final Path parent) throws IOException
    {
        try (Stream<Path> folders = Files.list(parent))
        {
            return folders.findFirst().orElseThrow();
        }
    }
}
