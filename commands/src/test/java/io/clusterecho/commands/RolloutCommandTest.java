package io.clusterecho.commands;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RolloutCommandTest
{
    @RegisterExtension
    private final StandardStreams streams = new StandardStreams();

    @TempDir
    private Path folder;

    @BeforeEach
    void writeJars() throws IOException
    {
        write("a.jar", "1.0");
        write("b.jar", "2.0");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', value = {
        "--from DIR/a.jar                                           | --to",
        "--from DIR/a.jar --to DIR/none.jar                         | there is no such file",
        "--from DIR/a.jar --to DIR/a.jar                            | another jar than --from",
        "--from DIR/a.jar --to DIR/b.jar --return-after 3s          | Unknown options: '--return-after'",
        "--from DIR/a.jar --to DIR/b.jar --snapshot                 | Unknown option: '--snapshot'",
        "--from DIR/a.jar --to DIR/b.jar --allow-disk-faults        | Unknown option: '--allow-disk-faults'",
        "--from DIR/a.jar --to DIR/b.jar --fault-script /bin/true   | Unknown options: '--fault-script'",
        "--from DIR/a.jar --to DIR/b.jar --inventory DIR/x          | Unknown options: '--inventory'",
        "--from DIR/a.jar --to DIR/b.jar --transport memory         | Unknown options: '--transport'",
        "--from DIR/a.jar --to DIR/b.jar --limit never              | as in 500ms" })
    void shouldNameOptionAndWhatIsAllowed(final String arguments, final String message)
    {
        assertThat(execute(arguments)).isEqualTo(2);
        assertThat(streams.err()).contains(message);
        assertThat(folder.resolve("cluster")).doesNotExist();
    }

    @Test
    void shouldLeaveNothingOfAClusterThatCannotBeStarted()
    {
        // Classes of the build lie beside no file of JVM flags.
        assertThat(execute("--from DIR/a.jar --to DIR/b.jar")).isEqualTo(2);
        assertThat(folder.resolve("cluster")).doesNotExist();
        assertThat(folder.resolve("out")).doesNotExist();
    }

    private int execute(final String arguments)
    {
        return LoadClient.execute(
            ("rollout --output DIR/out --base-dir DIR/cluster " + arguments.strip())
                .replace("DIR", folder.toString()).split(" +"));
    }

    private void write(final String name, final String version) throws IOException
    {
        final Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, "io.clusterecho.control.ClusterNode");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(folder.resolve(name)), manifest))
        {
            out.putNextEntry(new ZipEntry("cluster-echo-build.properties"));
            out.write(("cluster-echo=" + version + "\n").getBytes());
        }
    }
}
