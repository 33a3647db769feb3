package io.clusterecho.distribution;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class ArchiveIT
{
    private static final String NOTICES = "THIRD-PARTY.txt";
    private static final String SBOM = "sbom.cdx.json";
    private static final String OWN_GROUP = "io.clusterecho";

    @TempDir
    private static Path folder;
    private static Archive archive;

    @BeforeAll
    static void unpack() throws IOException, InterruptedException
    {
        archive = Archive.unpackedIn(Files.createDirectory(folder.resolve("a folder with blanks")));
    }

    @Test
    void shouldCarryJarsLaunchersSettingsAndNotices()
    {
        Archive.JARS.forEach((jar) -> assertThat(archive.file(jar)).isRegularFile());
        Stream.of(
            "codec.jar", "LICENSE", "README.md", "CHANGELOG.md", NOTICES, SBOM, "config/jvm/client.options",
            "config/jvm/node.options", "codec/src/main/java/io/clusterecho/codec/MessageCodec.java",
            "examples/counter/CounterMessages.java", "examples/order-book/order-book.jar")
            .forEach((name) -> assertThat(archive.file(name)).isNotEmptyFile());
        Stream.of(
            "bin/load-client", "bin/cluster-node", "bin/peers", "scripts/demo.sh", "deploy/kubernetes/lab/ssh",
            "deploy/kubernetes/lab/faults.sh")
            .forEach((name) -> assertThat(archive.file(name)).isExecutable());
        // For scripts/build-fault-library.sh.
        assertThat(archive.file("cluster-control/src/main/c/fault-library.c")).isNotEmptyFile();
        assertThat(archive.file("config/checkstyle.xml")).doesNotExist();
    }

    /** All but sources of modules, and what is for those who change or release them. */
    @Test
    void shouldContainWhatItsDocumentsLinkTo() throws IOException
    {
        final List<String> missing = new ArrayList<>();
        for (final Path document : archive.documents())
        {
            for (final Path target : Archive.linksOf(document))
            {
                final Path path = archive.file("").relativize(target);
                if (!Files.exists(target) && !Files.exists(Path.of("..").resolve(path.getName(0)).resolve("pom.xml")) &&
                    !path.toString().matches("(CONTRIBUTING|RELEASING)\\.md|deploy/aws/.+|scripts/aws-.+"))
                {
                    missing.add(document.getFileName() + ": " + path);
                }
            }
        }
        assertThat(missing).isEmpty();
    }

    @Test
    void shouldHaveItsChecksumBesideIt() throws IOException, InterruptedException
    {
        final String name = Archive.FILE.getFileName().toString();
        assertThat(Archive.run(Archive.FILE.getParent(), Map.of(), "sha256sum", "--check", name + ".sha256"))
            .containsExactly(name + ": OK");
    }

    @Test
    void shouldNameTheLicenceOfEverythingInItsJars() throws IOException
    {
        final Set<String> named = notices().stream().map((notice) -> artifact(notice[0])).collect(Collectors.toSet());
        final Set<String> bundled = new TreeSet<>();
        for (final String jar : Archive.JARS)
        {
            bundled.addAll(archive.artifactsIn(jar));
        }
        bundled.removeIf((artifact) -> artifact.startsWith(OWN_GROUP + ":"));
        assertThat(bundled).contains("org.hdrhistogram:HdrHistogram", "com.fasterxml.jackson.core:jackson-databind");
        assertThat(named).containsAll(bundled);
        // These come without a pom.properties.
        assertThat(named).contains(
            "io.aeron:aeron-all", "org.agrona:agrona", "info.picocli:picocli", "net.java.dev.jna:jna",
            "io.grpc:grpc-netty-shaded", "com.google.protobuf:protobuf-java", "io.projectreactor:reactor-core",
            "io.rsocket:rsocket-core");
        assertThat(notices()).allSatisfy((notice) -> assertThat(notice[1]).matches(
            "(Apache-2\\.0|BSD-[23]-Clause|CC0-1\\.0|LGPL-2\\.1-or-later|MIT(-0)?)(; .*)?"));
    }

    @Test
    void shouldContainTheLicenceOfEverythingInItsJars() throws IOException
    {
        assertThat(archive.file("LICENSE")).content().contains("Apache License");
        final Set<String> licensed = new TreeSet<>();
        try (Stream<Path> files = Files.walk(archive.file("licenses")))
        {
            final Path licenses = archive.file("licenses");
            files.filter((file) -> file.getFileName().toString().startsWith("LICENSE") && file.toFile().length() > 0)
                .forEach((file) -> licensed.add(licenses.relativize(file).getName(0).toString()));
        }
        assertThat(notices().stream().filter((notice) -> !"Apache-2.0".equals(notice[1])).map((notice) -> notice[0].split(":"))
            .filter((words) -> !licensed.contains(words[1]) &&
                (words.length < 3 || !licensed.contains(words[1] + "-" + words[2] + "-jar")))
            .map((words) -> String.join(":", words))).as("libraries without a licence text").isEmpty();
    }

    @Test
    void shouldHaveTheSameVersionsInNoticesAndSbom() throws IOException
    {
        final JsonNode sbom = new ObjectMapper().readTree(archive.file(SBOM).toFile());
        assertThat(sbom.at("/bomFormat").asText()).isEqualTo("CycloneDX");
        assertThat(sbom.at("/metadata/component/version").asText()).isEqualTo(Archive.VERSION);
        // A set: one for each platform of a native library has the same coordinates.
        final Set<String> components = new TreeSet<>();
        sbom.path("components").forEach((component) -> components.add(
            component.path("group").asText() + ":" + component.path("name").asText() + ":" + component.path("version").asText()));
        final List<String> dependencies = notices().stream().map((notice) -> notice[0])
            .filter((coordinates) -> 3 == coordinates.split(":").length).toList();
        assertThat(components).filteredOn((component) -> !component.startsWith(OWN_GROUP + ":"))
            .containsExactlyInAnyOrderElementsOf(dependencies);
        assertThat(components).contains(OWN_GROUP + ":load-client:" + Archive.VERSION);
        // Whatever differs between two builds of a commit makes the archives differ.
        assertThat(sbom.has("serialNumber")).isFalse();
        assertThat(sbom.at("/metadata/timestamp").asText("2026-01-01T00:00:00Z")).isEqualTo("2026-01-01T00:00:00Z");
    }

    @ParameterizedTest
    @CsvSource({
        "load-client,  client.options",
        "peers,        client.options",
        "cluster-node, node.options" })
    void shouldLaunchJarsWithTheFlagsOfTheConfiguration(final String launcher, final String options)
        throws IOException, InterruptedException
    {
        final Map<String, String> printFlags = Map.of("JDK_JAVA_OPTIONS", "-XX:+PrintCommandLineFlags");
        final String flags = Archive.run(
            folder, printFlags, "java", "@" + archive.file("config/jvm/" + options), "-version").get(0);
        assertThat(flags).contains("-XX:+UseSerialGC").contains("-XX:+AlwaysPreTouch");
        assertThat(Archive.run(folder, printFlags, archive.file("bin/" + launcher).toString(), "--version"))
            .startsWith(flags, "cluster-echo " + Archive.VERSION);
    }

    @ParameterizedTest
    @CsvSource({
        "--set echo.profile=dedicated --member-id 0,  node node-dedicated",
        "--member-id 0 --set=echo.profile=dedicated,  node node-dedicated",
        "--set=echo.profile=compact,                  node",
        "--set echo.compilers=first --member-id 0,    node -XX:TieredStopAtLevel=1",
        "--set echo.compilers=first --set=echo.compilers=both, node",
        "--member-id 0,                               node" })
    void shouldLaunchAMemberWithTheFlagsOfItsSettings(final String arguments, final String options)
        throws IOException, InterruptedException
    {
        final Path root = archive.file("").toRealPath();
        final List<String> words = new ArrayList<>();
        Arrays.stream(options.split(" ")).forEach(
            (name) -> words.add(name.startsWith("-") ? name : "@" + root.resolve("config/jvm/" + name + ".options")));
        words.addAll(List.of("-jar", root.resolve("cluster-node.jar").toString()));
        words.addAll(List.of(arguments.split(" ")));
        assertThat(runWithFakeJava(archive.file("bin/cluster-node"), arguments.split(" "))).containsExactlyElementsOf(words);
    }

    @ParameterizedTest
    @CsvSource({
        "cluster-node, status, -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:-UsePerfData",
        "peers,        serve,  -XX:+ExitOnOutOfMemoryError" })
    void shouldLaunchCommandsThatMeasureNothingWithOtherFlags(final String launcher, final String argument, final String flags)
        throws IOException, InterruptedException
    {
        final List<String> words = new ArrayList<>(List.of(flags.split(" ")));
        words.addAll(List.of("-jar", archive.file(launcher + ".jar").toRealPath().toString(), argument));
        assertThat(runWithFakeJava(archive.file("bin/" + launcher), argument)).containsExactlyElementsOf(words);
    }

    @Test
    void shouldPassArgumentsToTheJdkOfJavaHomeThroughALink() throws IOException, InterruptedException
    {
        final Path link = Files.createSymbolicLink(folder.resolve("link"), archive.file("bin/load-client"));
        final Path root = archive.file("").toRealPath();
        assertThat(runWithFakeJava(link, "--label", "two words", "", "*")).containsExactly(
            "@" + root.resolve("config/jvm/client.options"), "-jar", root.resolve("load-client.jar").toString(),
            "--label", "two words", "", "*");
    }

    private static List<String> runWithFakeJava(final Path launcher, final String... arguments)
        throws IOException, InterruptedException
    {
        final Path home = folder.resolve("a jdk");
        final Path java = home.resolve("bin/java");
        Files.createDirectories(java.getParent());
        Files.writeString(java, "#!/bin/sh\nprintf '%s\\n' \"$@\"\n");
        assertThat(java.toFile().setExecutable(true)).isTrue();
        final List<String> command = new ArrayList<>(List.of(launcher.toString()));
        command.addAll(List.of(arguments));
        return Archive.run(folder, Map.of("JAVA_HOME", home.toString()), command.toArray(String[]::new));
    }

    /** Lines of the notices: coordinates, licences, where from. */
    private static List<String[]> notices() throws IOException
    {
        return archive.lines(NOTICES).stream().filter((line) -> line.contains(" | ")).map((line) -> line.split(" \\| ")).toList();
    }

    private static String artifact(final String coordinates)
    {
        final String[] words = coordinates.split(":");
        return words[0] + ":" + words[1];
    }
}
