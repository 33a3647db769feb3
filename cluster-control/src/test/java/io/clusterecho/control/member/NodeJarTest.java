package io.clusterecho.control.member;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;

import io.clusterecho.settings.InvalidSettingException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeJarTest
{
    private static final String MAIN_CLASS = "io.clusterecho.control.ClusterNode";
    private static final String FACTS = "cluster-echo=1.2.3\ncommit=c0ffee\naeron=1.51.0\n";

    @TempDir
    private Path folder;

    @Test
    void shouldReadTheVersionsFromTheJar() throws IOException
    {
        final NodeJar jar = NodeJar.read("--to", write(MAIN_CLASS, FACTS));

        assertThat(jar.version()).isEqualTo(new MemberVersion("1.2.3", "c0ffee", "1.51.0"));
        assertThat(jar.version().text()).isEqualTo("1.2.3 (commit c0ffee) with Aeron 1.51.0");
        assertThat(jar.path()).isAbsolute();
    }

    @Test
    void shouldRefuseWhatIsNoJarOfMembers() throws IOException
    {
        refuse(folder.resolve("missing.jar"), "there is no such file");
        refuse(folder, "there is no such file");
        refuse(Files.writeString(folder.resolve("text.jar"), "no jar"), "it cannot be read");
        refuse(write("io.clusterecho.commands.LoadClient", FACTS), "its main class is io.clusterecho.commands.LoadClient");
        refuse(write(null, FACTS), "its main class is not named");
        refuse(write(MAIN_CLASS, null), "a cluster-node.jar");
    }

    @Test
    void shouldReadTheVersionThatAMemberHasWritten()
    {
        assertThat(MemberVersion.of(EndingsTest.member(1, Map.of("output", List.of(
            "---- start 2026", "member 1 starting, pid 1", "member 1 version 1.2.3, commit c0ffee, Aeron 1.51.0")))))
            .contains(new MemberVersion("1.2.3", "c0ffee", "1.51.0"));
        assertThat(MemberVersion.of(EndingsTest.member(1, Map.of("output", List.of(
            "member 1 starting, pid 1", "version 1.2.3, commit c0ffee, Aeron 1.51.0"))))).isEmpty();
    }

    private static void refuse(final Path file, final String reason)
    {
        assertThatThrownBy(() -> NodeJar.read("--to", file)).isInstanceOf(InvalidSettingException.class)
            .hasMessageContainingAll("--to=" + file, "a cluster-node.jar from a build", reason);
    }

    private Path write(final String mainClass, final String facts) throws IOException
    {
        final Path file = folder.resolve("node.jar");
        final Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        if (null != mainClass)
        {
            manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, mainClass);
        }
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(file), manifest))
        {
            if (null != facts)
            {
                out.putNextEntry(new ZipEntry("cluster-echo-build.properties"));
                out.write(facts.getBytes());
            }
        }
        return file;
    }
}
