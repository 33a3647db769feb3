package io.clusterecho.node.member;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;


/** A member in a separate JVM, with its output. Closing kills it. */
final class MemberJvm implements AutoCloseable
{
    private static final long EXIT_DEADLINE_S = 30;

    private final Path output;
    private final Process process;

    MemberJvm(final Path output, final String... args) throws IOException
    {
        final List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .filter((argument) -> argument.startsWith("--add-opens"))
            .forEach(command::add);
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx256m", "-cp"));
        command.add(System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
        command.add(MemberMain.class.getName());
        command.addAll(List.of(args));
        this.output = output;
        process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile()).start();
    }

    Process process()
    {
        return process;
    }

    String output()
    {
        try
        {
            return Files.readString(output);
        }
        catch (final IOException ex)
        {
            return ex.toString();
        }
    }

    void awaitLine(final String part, final Duration deadline)
    {
        await("'" + part + "' in " + output)
            .atMost(deadline)
            .failFast(() -> assertThat(process.isAlive() || output().contains(part)).as(this::output).isTrue())
            .untilAsserted(() -> assertThat(output()).contains(part));
    }

    int awaitExit() throws InterruptedException
    {
        assertThat(process.waitFor(EXIT_DEADLINE_S, SECONDS)).as(() -> "exit; output: " + output()).isTrue();
        return process.exitValue();
    }

    void kill() throws InterruptedException
    {
        process.destroyForcibly();
        awaitExit();
    }

    int terminate() throws InterruptedException
    {
        process.destroy();
        return awaitExit();
    }

    @Override
    public void close()
    {
        process.destroyForcibly();
        try
        {
            process.waitFor(EXIT_DEADLINE_S, SECONDS);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }
}
