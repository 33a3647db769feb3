package io.clusterecho.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CommandHintTest
{
    @TempDir
    private Path dir;

    @Test
    void shouldNameTheLauncherBesideTheJarAsSeenFromTheWorkingFolder() throws IOException
    {
        final Path jar = Files.createFile(dir.resolve("cluster-node.jar"));
        final Path launcher = Files.createDirectory(dir.resolve("bin")).resolve("cluster-node");
        Files.createFile(launcher);
        assertThat(launcher.toFile().setExecutable(true)).isTrue();

        assertThat(CommandHint.program(jar, dir, "cluster-node")).isEqualTo("bin/cluster-node");
        assertThat(CommandHint.program(jar, dir.resolve("bin"), "cluster-node")).isEqualTo("./cluster-node");
        assertThat(CommandHint.program(jar, Path.of("/elsewhere"), "cluster-node")).isEqualTo(launcher.toString());
    }

    @Test
    void shouldNameTheJarWithoutALauncher() throws IOException
    {
        final Path jar = Files.createFile(dir.resolve("cluster-node.jar"));

        assertThat(CommandHint.program(jar, dir, "cluster-node")).isEqualTo("java -jar cluster-node.jar");
        assertThat(CommandHint.program(jar, Path.of("/elsewhere"), "cluster-node")).isEqualTo("java -jar " + jar);
    }

    @Test
    void shouldNameTheJarOfAProgramThatRunsFromClasses()
    {
        assertThat(CommandHint.of("load-client", "baseline")).isEqualTo("java -jar load-client.jar baseline");
    }

    @Test
    void shouldQuoteAPathWithBlanks()
    {
        assertThat(CommandHint.path(Path.of("my data"))).isEqualTo("'my data'");
        assertThat(CommandHint.path(Path.of("data"))).isEqualTo("data");
    }
}
