package io.clusterecho.peers.workload;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.clusterecho.control.member.MemberLauncher;

/**
 * A process of this program, with its output in files.
 */
public final class JavaProcess
{
    /** Of the jar that this class is in; it sees all others, and none of them it. */
    private static final String MAIN_CLASS = "io.clusterecho.peers.command.Peers";

    private final Process process;
    private final Path out;
    private final Path err;

    private JavaProcess(final Process process, final Path out, final Path err)
    {
        this.process = process;
        this.out = out;
        this.err = err;
    }

    /**
     * Start this program once more.
     *
     * @param folder    for its output.
     * @param name      of its output there.
     * @param flags     of its JVM.
     * @param arguments of the program.
     * @return the process.
     */
    public static JavaProcess start(
        final Path folder, final String name, final List<String> flags, final List<String> arguments)
    {
        final List<String> command = new ArrayList<>();
        command.add(java());
        command.addAll(flags);
        final Path code = MemberLauncher.jarOf(JavaProcess.class);
        if (code.toString().endsWith(".jar"))
        {
            command.addAll(List.of("-jar", code.toString()));
        }
        else
        {
            // What a jar opens by its manifest a class path opens by the flags that this process was given.
            ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter((argument) -> argument.startsWith("--add-opens")).forEach(command::add);
            command.addAll(List.of("-cp", System.getProperty("java.class.path"), MAIN_CLASS));
        }
        command.addAll(arguments);
        return startCommand(folder, name, command);
    }

    /**
     * Start any command.
     *
     * @param folder  for its output.
     * @param name    of its output there.
     * @param command with its arguments.
     * @return the process.
     */
    static JavaProcess startCommand(final Path folder, final String name, final List<String> command)
    {
        final Path out = folder.resolve(name + ".out");
        final Path err = folder.resolve(name + ".err");
        try
        {
            Files.createDirectories(folder);
            return new JavaProcess(
                new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile()).start(), out, err);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("cannot start " + command, ex);
        }
    }

    /**
     * The java of this process.
     */
    static String java()
    {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /**
     * The process itself.
     *
     * @return to signal it.
     */
    public Process process()
    {
        return process;
    }

    /**
     * What it has said on its standard output.
     *
     * @return so far.
     */
    public String out()
    {
        return text(out);
    }

    /**
     * What it has said on its standard error.
     *
     * @return so far.
     */
    public String err()
    {
        return text(err);
    }

    /**
     * Wait for its end, and end it when that does not come in time.
     *
     * @param timeoutNs to wait at the most.
     * @return whether it ended by itself.
     */
    public boolean await(final long timeoutNs)
    {
        try
        {
            final boolean isDone = process.waitFor(timeoutNs, TimeUnit.NANOSECONDS);
            if (!isDone)
            {
                process.destroyForcibly().waitFor();
            }

            return isDone;
        }
        catch (final InterruptedException ex)
        {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static String text(final Path file)
    {
        try
        {
            return Files.readString(file);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}
