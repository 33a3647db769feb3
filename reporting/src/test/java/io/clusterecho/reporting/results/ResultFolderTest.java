package io.clusterecho.reporting.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;

import io.clusterecho.reporting.evidence.FullDisk;
import io.clusterecho.reporting.measurement.SampleInterval;
import io.clusterecho.reporting.measurement.Time;
import io.clusterecho.settings.InvalidSettingException;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultFolderTest
{
    private static final String MANIFEST = "manifest.json";

    @TempDir
    private Path path;
    private final FullDisk disk = new FullDisk(100);
    private ResultFolder folder;

    @BeforeEach
    void open()
    {
        folder = new ResultFolder(path, disk);
    }

    @Test
    void shouldNameAFolderByALabelInAnyAlphabet()
    {
        final boolean isEncodable = Charset.forName(System.getProperty("sun.jnu.encoding")).newEncoder().canEncode("\u0422");
        assertThat(ResultFolder.create(path, "\u0422\u0435\u0441\u0442 \u2116 1", Instant.EPOCH).path())
            .hasFileName("19700101-000000-" + (isEncodable ? "\u0422\u0435\u0441\u0442-1" : "1"));
    }

    @Test
    void shouldSayWhyAFolderCannotBeMade()
    {
        assertThatThrownBy(() -> ResultFolder.create(Path.of("/proc/x"), "run", Instant.EPOCH))
            .isInstanceOf(InvalidSettingException.class).hasMessageMatching(
            "--output=/proc/x is not allowed: a folder that can be created and written \\([a-z ]+\\)");
    }

    @Test
    void shouldMakeFoldersWithinARelativeOne()
    {
        final Path relative = Path.of("").toAbsolutePath().relativize(path.toAbsolutePath());
        final ResultFolder outer = ResultFolder.at(relative);
        assertThat(outer.ofHost("alpha")).isEqualTo(relative.resolve("hosts/alpha")).isDirectory();
        assertThat(outer.within("client-0").path()).isEqualTo(relative.resolve("client-0"));
    }

    @Test
    void shouldHoldTheNewContentAlone() throws IOException
    {
        folder.write(MANIFEST, "an older and longer one");
        folder.write(MANIFEST, "{ \u00e9 }");

        assertThat(path.resolve(MANIFEST)).hasContent("{ \u00e9 }");
        assertOnly(MANIFEST);
    }

    @Test
    void shouldKeepTheOldContentWhenTheNewOneFindsNoRoom() throws IOException
    {
        folder.write(MANIFEST, "old");

        assertRefused(() -> folder.write(MANIFEST, "x".repeat(200)), MANIFEST);
        assertThat(path.resolve(MANIFEST)).hasContent("old");
        assertOnly(MANIFEST);
    }

    @Test
    void shouldLeaveNothingOfANewFileThatFindsNoRoom() throws IOException
    {
        assertRefused(() -> folder.write(MANIFEST, "x".repeat(101)), MANIFEST);
        assertRefused(
            () -> folder.write("response-time.hgrm", ResultFolder.percentiles(SampleInterval.of(9).times().of(Time.RESPONSE))),
            "response-time.hgrm");
        assertThat(path).isEmptyDirectory();
    }

    @Test
    void shouldKeepTheOldContentWhenTheNewOneDoesNotReachTheDevice() throws IOException
    {
        folder.write(MANIFEST, "old");
        disk.breakDown();

        assertThatThrownBy(() -> folder.write(MANIFEST, "new")).isInstanceOf(UncheckedIOException.class)
            .hasMessage("cannot write " + path.resolve(MANIFEST) + ": Input/output error");
        assertThat(path.resolve(MANIFEST)).hasContent("old");
        assertOnly(MANIFEST);
    }

    @Test
    void shouldWriteTheWholeDistribution() throws IOException
    {
        disk.roomBytes(100_000);
        folder.write("response-time.hgrm", ResultFolder.percentiles(SampleInterval.of(9).times().of(Time.RESPONSE)));

        assertThat(Files.readString(path.resolve("response-time.hgrm"))).contains("Percentile")
            .endsWith(", SubBuckets     =         2048]\n");
    }

    @Test
    void shouldBeWrittenByAnInterruptedThread() throws IOException
    {
        Thread.currentThread().interrupt();
        try
        {
            ResultFolder.at(path).write(MANIFEST, "whole");
        }
        finally
        {
            assertThat(Thread.interrupted()).isTrue();
        }

        assertThat(path.resolve(MANIFEST)).hasContent("whole");
    }

    private void assertRefused(final Runnable write, final String name)
    {
        assertThatThrownBy(write::run).isInstanceOf(UncheckedIOException.class)
            .hasMessage("cannot write " + path.resolve(name) + ": " + FullDisk.REASON);
    }

    private void assertOnly(final String name)
    {
        assertThat(path).isDirectoryNotContaining((file) -> !file.endsWith(name)).isDirectoryContaining("glob:**" + name);
    }
}
