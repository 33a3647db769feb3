package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import com.fasterxml.jackson.databind.JsonNode;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A client whose folder is not that of the members that answer. */
class OtherFolderIT
{
    @RegisterExtension
    private final EchoCluster cluster = new EchoCluster(1);

    @TempDir
    private Path folder;

    @Test
    void shouldTakeTheSettingsOfTheMembersThatAnswer() throws IOException
    {
        final Path stopped = Files.createDirectory(folder.resolve("stopped"));
        assertThat(cluster.command("start").exitCode()).isZero();
        for (final String name : new String[]{ "settings.properties", "cluster.properties" })
        {
            Files.copy(cluster.baseDir().resolve(name), stopped.resolve(name));
        }
        assertThat(cluster.command("stop").exitCode()).isZero();
        // Its files say that it has fsync 0, and the same ports.
        assertThat(cluster.command("start", "--fsync", "2").exitCode()).isZero();

        final JsonNode result = run(stopped);

        assertThat(result.get("durability").asText()).startsWith("fsync 2");
        assertThat(result.at("/cluster/echo.fsync").asText()).isEqualTo("2");
        assertThat(result.at("/configuration/base-dir").asText()).isEqualTo(cluster.baseDir().toString());
        assertThat(result.at("/verdict/warnings").toString()).contains(cluster.baseDir().toString());
        assertThat(run(cluster.baseDir()).at("/verdict/warnings").toString()).doesNotContain(cluster.baseDir().toString());
    }

    private JsonNode run(final Path clusterDir)
    {
        return cluster.loadClientAlone(
            "--rate", "500", "--warm-up", "1s", "--duration", "1s", "--json", "--base-dir", clusterDir.toString(),
            "--output", folder.resolve("results").toString()).json();
    }
}
