package io.clusterecho.control.member;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClassArchiveTest
{
    private static final Instant BUILT = Instant.parse("2026-01-01T00:00:00Z");

    @TempDir
    private Path dir;
    private Path jar;
    private Path archive;

    @BeforeEach
    void writeJar() throws IOException
    {
        jar = Files.createFile(dir.resolve("cluster-node.jar"));
        Files.setLastModifiedTime(jar, FileTime.from(BUILT));
        archive = dir.resolve("cluster-node-" + Runtime.version() + ".jsa");
    }

    @Test
    void shouldAddNoFlagsWithoutAnArchive()
    {
        assertThat(new ClassArchive(jar, List.of()).flags()).isEmpty();
    }

    @Test
    void shouldTellOfAnArchiveOfThisJarAndThisJvm() throws IOException
    {
        Files.createFile(archive);
        Files.setLastModifiedTime(archive, FileTime.from(BUILT.plusSeconds(1)));

        assertThat(new ClassArchive(jar, List.of()).flags()).containsExactly("-XX:SharedArchiveFile=" + archive);
    }

    @Test
    void shouldNotTellOfAnArchiveOfAnEarlierBuild() throws IOException
    {
        Files.createFile(archive);
        Files.setLastModifiedTime(archive, FileTime.from(BUILT.minusSeconds(1)));

        assertThat(new ClassArchive(jar, List.of()).flags()).isEmpty();
    }

    @Test
    void shouldNotTellOfAnArchiveOfAnotherJvm() throws IOException
    {
        final Path other = Files.createFile(dir.resolve("cluster-node-1.2.3.jsa"));
        Files.setLastModifiedTime(other, FileTime.from(BUILT.plusSeconds(1)));

        assertThat(new ClassArchive(jar, List.of()).flags()).isEmpty();
    }
}
