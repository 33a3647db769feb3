package io.clusterecho.commands;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;

import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LifeCommandTest
{
    @RegisterExtension
    private final StandardStreams streams = new StandardStreams();

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', value = {
        "--for 30s                                      | at least 1m",
        "--for 2m --retain-every 40s                    | 1s to a quarter of --for",
        "--retain-every 10ms                            | 1s to a quarter of --for",
        "--rate 1k --return-after never                 | --return-after: not with life",
        "--rate 1k --snapshot                           | --snapshot: not with life",
        "--rate 1k --inventory DIR/x                    | --inventory: not with life",
        "--to DIR/none.jar                              | there is no such file" })
    void shouldNameOptionAndWhatIsAllowed(final String arguments, final String message) throws IOException
    {
        final Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, "io.clusterecho.control.ClusterNode");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(folder.resolve("a.jar")), manifest))
        {
            out.putNextEntry(new ZipEntry("cluster-echo-build.properties"));
            out.write("cluster-echo=1.0\n".getBytes());
        }

        final int status = RootCommand.execute(
            ("life --from DIR/a.jar --output DIR/out --cluster-dir DIR/cluster " + arguments.strip())
                .replace("DIR", folder.toString()).split(" +"));

        assertThat(streams.err()).contains(message);
        assertThat(status).isEqualTo(2);
        assertThat(folder.resolve("cluster")).doesNotExist();
    }
}
