package io.clusterecho.reporting.bundle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

import io.clusterecho.reporting.document.Documents;
import io.clusterecho.settings.InvalidSettingException;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BundleTest
{
    private static final Path RESULTS = Path.of("..", "results");
    private static final Path RUN = RESULTS.resolve("reference-20261128-two-cores/20261128-003158-1k");

    @TempDir
    private Path folder;
    private Path file;

    @BeforeEach
    void nameFile()
    {
        file = folder.resolve("bundle.zip");
    }

    @Test
    void shouldContainEveryFileOfTheResultUnchanged() throws IOException
    {
        final BundleWriter.Written written = BundleWriter.write(RUN, file);

        final List<String> names = new ArrayList<>();
        try (Stream<Path> files = Files.list(RUN))
        {
            files.forEach((one) -> names.add("20261128-003158-1k/" + one.getFileName()));
        }
        names.add("20261128-003158-1k/bundle.json");
        try (ZipFile zip = new ZipFile(file.toFile()))
        {
            assertThat(zip.stream().map(ZipEntry::getName)).containsExactlyInAnyOrderElementsOf(names);
            assertThat(written.fileCount()).isEqualTo(names.size());
            for (final String name : names)
            {
                final Path source = RUN.resolve(name.substring(name.indexOf('/') + 1));
                if (!name.endsWith("/bundle.json"))
                {
                    assertThat(zip.getInputStream(zip.getEntry(name)).readAllBytes()).as(name)
                        .isEqualTo(Files.readAllBytes(source));
                }
            }
        }
        assertThat(written.length()).isEqualTo(Files.size(file));
    }

    @Test
    void shouldTakeCircumstancesFromTheDocumentOfTheResult() throws IOException
    {
        BundleWriter.write(RUN, file);

        final BundleDocument document = BundleDocument.read(file, "--rerun");
        assertThat(document.format()).isEqualTo("cluster-echo-bundle/1");
        assertThat(document.label()).isEqualTo("1k");
        assertThat(document.kind()).isEqualTo("run");
        assertThat(document.folder()).isEqualTo("20261128-003158-1k");
        assertThat(document.commandLine()).isEqualTo(
            "java -jar load-client.jar --rate 1k --size 288 --warm-up 6s --duration 8s --label 1k --output results");
        assertThat(document.configuration()).containsEntry("rate", "1000");
        assertThat(document.cluster()).containsEntry("echo.base.port", "20000");
        assertThat(document.versions()).containsEntry("commit", "a554064fab54");
        assertThat(document.machine()).containsEntry("cpuCount", "2");
    }

    @ParameterizedTest
    @CsvSource({
        "reference-20261122-failover/fast-kills,failover",
        "reference-20261122-failover/highest,max-rate",
        "reference-20261127-quick,sweep",
        "reference-20261125-peers/round-trips,suite",
        "reference-20261127-fsync-cost/baseline,baseline" })
    void shouldPackResultsOfEveryKind(final String result, final String kind)
    {
        BundleWriter.write(RESULTS.resolve(result), file);

        final BundleDocument document = BundleDocument.read(file, "--rerun");
        assertThat(document.kind()).isEqualTo(kind);
        assertThat(document.label()).isNotBlank();
        assertThat(document.commandLine()).startsWith("java -jar ");
        assertThat(document.versions()).containsKey("aeron");
        assertThat(document.machine()).containsKey("os");
    }

    @Test
    void shouldPackFilesInSubfoldersAndReplaceTheDocumentOfAnUnpackedBundle() throws IOException
    {
        final Path result = Files.createDirectory(folder.resolve("result"));
        Files.writeString(
            result.resolve("manifest.json"), "{ \"format\": \"cluster-echo-run/1\", \"label\": \"a\", \"commandLine\": \"x\" }");
        Files.writeString(result.resolve("bundle.json"), "old");
        Files.writeString(Files.createDirectories(result.resolve("hosts/one")).resolve("out.log"), "text");
        BundleWriter.write(result, file);

        try (ZipFile zip = new ZipFile(file.toFile()))
        {
            assertThat(zip.stream().map(ZipEntry::getName)).containsExactly(
                "result/bundle.json", "result/hosts/one/out.log", "result/manifest.json");
        }
        assertThat(BundleDocument.read(file, "--rerun").configuration()).isNull();
    }

    @Test
    void shouldMakeTheSameArchiveOfTheSameFolder() throws IOException
    {
        BundleWriter.write(RUN, file);
        final Path other = folder.resolve("other.zip");
        BundleWriter.write(RUN, other);
        assertThat(other).hasSameBinaryContentAs(file);
    }

    @Test
    void shouldOverwriteNothing() throws IOException
    {
        Files.writeString(file, "mine");
        assertThatThrownBy(() -> BundleWriter.write(RUN, file)).isInstanceOf(InvalidSettingException.class)
            .hasMessage("--output=" + file + " is not allowed: a file that does not exist, in a folder that does");
        assertThat(file).hasContent("mine");

        final Path nowhere = folder.resolve("none/bundle.zip");
        assertThatThrownBy(() -> BundleWriter.write(RUN, nowhere)).isInstanceOf(InvalidSettingException.class)
            .hasMessageContaining("--output=" + nowhere);
    }

    @Test
    void shouldRefuseAFolderThatIsNoResultOrIsDamaged() throws IOException
    {
        assertThatThrownBy(() -> BundleWriter.write(folder, file)).isInstanceOf(InvalidSettingException.class)
            .hasMessageContaining("DIR=" + folder.toRealPath()).hasMessageContaining("manifest.json, failover.json");
        assertThatThrownBy(() -> BundleWriter.write(folder.resolve("none"), file)).isInstanceOf(InvalidSettingException.class)
            .hasMessage("DIR=" + folder.resolve("none") + " is not allowed: a result folder");

        Files.writeString(folder.resolve("manifest.json"), "{ \"format\": \"cluster-echo-run/7\" }");
        assertThatThrownBy(() -> BundleWriter.write(folder, file)).isInstanceOf(InvalidSettingException.class)
            .hasMessageContaining("cluster-echo-run/7");
        assertThat(file).doesNotExist();
    }

    @Test
    void shouldRefuseALinkAndTooMuch() throws IOException
    {
        assertThatThrownBy(() -> BundleWriter.write(RUN, file, 1_000)).isInstanceOf(InvalidSettingException.class)
            .hasMessageContaining("20261128-003158-1k").hasMessageContaining("at most 0 MB");

        Files.writeString(folder.resolve("manifest.json"), "{ \"format\": \"cluster-echo-run/1\" }");
        Files.createSymbolicLink(folder.resolve("link"), Path.of("/etc/passwd"));
        assertThatThrownBy(() -> BundleWriter.write(folder, file)).isInstanceOf(InvalidSettingException.class)
            .hasMessageContaining("link is neither");
        assertThat(file).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = { "../evil", "result/../../evil", "/etc/evil", "result\\..\\evil", "C:/evil" })
    void shouldRefuseAnArchiveWithFilesOutsideItsFolder(final String name) throws IOException
    {
        pack("result/bundle.json", Documents.text(document()), name, "");
        assertThatThrownBy(() -> BundleDocument.read(file, "--rerun")).isInstanceOf(InvalidSettingException.class)
            .hasMessageContaining("--rerun=" + file).hasMessageContaining("'" + name + "' is not");
    }

    @Test
    void shouldRefuseWhatIsNoBundle() throws IOException
    {
        assertRefused("NoSuchFileException");
        Files.writeString(file, "text");
        assertRefused("a bundle that can be read");
        pack("result/manifest.json", "{}");
        assertRefused("one bundle.json; this archive has 0");
        pack("a/bundle.json", "{}", "b/bundle.json", "{}");
        assertRefused("one bundle.json; this archive has 2");
        pack("a/bundle.json", "{");
        assertRefused("it is not JSON");
        pack("a/bundle.json", "{ \"format\": \"cluster-echo-bundle/2\" }");
        assertRefused("'cluster-echo-bundle/2'");
        pack("a/bundle.json", "{ \"format\": \"cluster-echo-bundle/1\", \"versions\": 7 }");
        assertRefused("a field has the wrong type");
        pack("a/bundle.json", " ".repeat(BundleDocument.MAX_LENGTH + 1));
        assertRefused("at most " + BundleDocument.MAX_LENGTH + " bytes");
    }

    private void assertRefused(final String reason)
    {
        assertThatThrownBy(() -> BundleDocument.read(file, "--rerun")).isInstanceOf(InvalidSettingException.class)
            .hasMessageStartingWith("--rerun=" + file + " is not allowed: a bundle").hasMessageContaining(reason);
    }

    private void pack(final String... namesAndContents) throws IOException
    {
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file)))
        {
            for (int i = 0; i < namesAndContents.length; i += 2)
            {
                zip.putNextEntry(new ZipEntry(namesAndContents[i]));
                zip.write(namesAndContents[i + 1].getBytes(StandardCharsets.UTF_8));
            }
        }
    }

    private static BundleDocument document()
    {
        return new BundleDocument(BundleDocument.FORMAT, "a", "run", "result", "x", null, null, null, null);
    }
}
