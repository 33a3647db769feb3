package io.clusterecho.testing;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Command line of an external media driver that every test machine has: Aeron's Java driver in a separate JVM. */
public final class DriverCommand
{
    /** The command line. */
    public static List<String> in(final Path aeronDir)
    {
        final List<String> words = new ArrayList<>();
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .filter((argument) -> argument.startsWith("--add-opens")).forEach(words::add);
        words.addAll(List.of(
            "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx256m", "-Daeron.dir=" + aeronDir,
            "-Daeron.dir.delete.on.shutdown=true", "-Daeron.threading.mode=SHARED", "-Daeron.spies.simulate.connection=true",
            "-Daeron.term.buffer.sparse.file=true", "-cp",
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
            "io.aeron.driver.MediaDriver"));
        return words;
    }
}
