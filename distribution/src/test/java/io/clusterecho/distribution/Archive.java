package io.clusterecho.distribution;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/** The archive that the build made, unpacked. */
final class Archive
{
    static final String VERSION = System.getProperty("echo.archive.version");
    static final Path FILE = Path.of(System.getProperty("echo.archive"));
    static final List<String> JARS = List.of("cluster-node.jar", "load-client.jar", "peers.jar");

    private static final long TIMEOUT_S = 60;
    private static final Pattern LINK = Pattern.compile("(?m)\\]\\(([^)\\s]+)\\)|^\\[[^\\]]+\\]: (\\S+)$");

    private final Path root;

    private Archive(final Path root)
    {
        this.root = root;
    }

    /**
     * Unpack it.
     *
     * @param folder that is empty.
     */
    static Archive unpackedIn(final Path folder) throws IOException, InterruptedException
    {
        run(folder, Map.of(), "tar", "-xzf", FILE.toString(), "-C", folder.toString());
        return new Archive(folder.resolve("cluster-echo-" + VERSION));
    }

    Path file(final String name)
    {
        return root.resolve(name);
    }

    List<String> lines(final String name) throws IOException
    {
        return Files.readAllLines(file(name));
    }

    /** The documents: those at the root and in docs. */
    List<Path> documents() throws IOException
    {
        try (Stream<Path> top = Files.list(root); Stream<Path> docs = Files.walk(file("docs")))
        {
            return Stream.concat(top, docs).filter((path) -> path.toString().endsWith(".md")).sorted().toList();
        }
    }

    /** Files and folders that a document links to, without what it has as code. */
    static List<Path> linksOf(final Path document) throws IOException
    {
        final String text = Files.readString(document).replaceAll("(?m)^ {4}.*$", "").replaceAll("`[^`]*`", "");
        return LINK.matcher(text).results().map((link) -> null == link.group(1) ? link.group(2) : link.group(1))
            .filter((link) -> !link.matches("[a-z]+:.*|#.*"))
            .map((link) -> document.resolveSibling(link.replaceFirst("#.*", "")).normalize()).toList();
    }

    /**
     * Artifacts whose {@code pom.properties} a jar at the root has: its own, and those that it contains.
     *
     * @return {@code GROUP:ARTIFACT} each.
     */
    List<String> artifactsIn(final String jar) throws IOException
    {
        try (JarFile file = new JarFile(file(jar).toFile()))
        {
            return file.stream().map((entry) -> entry.getName().split("/"))
                .filter((name) -> 5 == name.length && "maven".equals(name[1]) && "pom.properties".equals(name[4]))
                .map((name) -> name[2] + ":" + name[3]).toList();
        }
    }

    /**
     * Run a command that must succeed.
     *
     * @param folder      in which it runs.
     * @param environment beside that of this process, from which the variables of the JVM are removed.
     * @param command     with its arguments.
     * @return lines of its standard output.
     */
    static List<String> run(final Path folder, final Map<String, String> environment, final String... command)
        throws IOException, InterruptedException
    {
        final Path out = Files.createTempFile("out", ".txt");
        final Path err = Files.createTempFile("err", ".txt");
        try
        {
            final ProcessBuilder builder = new ProcessBuilder(new ArrayList<>(List.of(command)))
                .directory(folder.toFile()).redirectOutput(out.toFile()).redirectError(err.toFile());
            builder.environment().keySet().removeAll(List.of("JAVA_HOME", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"));
            builder.environment().putAll(environment);
            final Process process = builder.start();
            final boolean isDone = process.waitFor(TIMEOUT_S, TimeUnit.SECONDS);
            process.destroyForcibly();
            assertThat(isDone).as("%s ended within %s s", List.of(command), TIMEOUT_S).isTrue();
            assertThat(process.exitValue())
                .as("%s: %s%s", List.of(command), Files.readString(out), Files.readString(err)).isZero();
            return Files.readAllLines(out, StandardCharsets.UTF_8);
        }
        finally
        {
            Files.delete(out);
            Files.delete(err);
        }
    }
}
