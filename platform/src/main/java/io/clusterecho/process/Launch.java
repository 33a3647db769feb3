package io.clusterecho.process;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import io.clusterecho.settings.Io;

/**
 * How to start a {@link ChildProcess}. By default the child has no input, and its output is read and its last lines are kept. One
 * thread.
 * <p>
 * Children ignore a terminal's signals: Ctrl-C, Ctrl-Z and hang-up. They stay in the session of their parent: Linux divides the
 * cores among sessions first and then among the threads of each (sched_autogroup, see {@code man 7 sched}), and splits the weight
 * of a session over the cores by where it has run. A member in a separate session could then wait for tens of milliseconds on a
 * core that it had seldom used, while threads of others shared that core: docs/adr/0023-keep-members-in-one-session.md.
 */
public final class Launch
{
    /** Makes a process from a command line; tests may replace the system's. */
    @FunctionalInterface
    public interface Starter
    {
        /** Start a process, which the caller ends. */
        Process start(ProcessBuilder builder) throws IOException;
    }

    /** A JVM does not install handlers for an interrupt or a hang-up that is ignored when it starts. */
    private static final String IGNORE = "trap '' INT HUP TSTP TTIN TTOU; ";
    private static final String TIE =
        "umask 077\n" +
        "exec 3<&0 < /dev/null\n" +
        "\"$@\" 3<&- &\n" +
        "program=$!\n" +
        // Messages of the shell about its jobs would follow the program's last output.
        "exec 2> /dev/null\n" +
        "( while read -r line; do kill -TERM \"$program\"; done; kill -KILL \"$program\" ) <&3 2> /dev/null &\n" +
        "guard=$!\n" +
        "exec 3<&-\n" +
        "wait \"$program\"\n" +
        "status=$?\n" +
        "kill -KILL \"$guard\" 2> /dev/null\n" +
        "exit \"$status\"\n";
    private static final File NOTHING = new File("/dev/null");
    private static final long DEFAULT_STOP_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(5);

    final String name;
    private final List<String> command;
    private Map<String, String> variables = Map.of();
    /** Receives the lines of its standard output; null if that goes elsewhere. */
    Consumer<String> output = (line) -> {};
    /** Receives the lines of its standard error; null if that goes elsewhere. */
    Consumer<String> errors;
    /** Makes the command line that runs the child elsewhere; null if it runs here. */
    private UnaryOperator<List<String>> place;
    private ProcessBuilder.Redirect outputTo = ProcessBuilder.Redirect.PIPE;
    boolean hasInput;
    boolean isTied;
    long stopTimeoutNs = DEFAULT_STOP_TIMEOUT_NS;

    public Launch(final String name, final List<String> command)
    {
        this.name = name;
        this.command = command;
    }

    /** @param added variables, in addition to the environment of this process. */
    public Launch environment(final Map<String, String> added)
    {
        variables = added;
        return this;
    }

    /** Make it end with this process, however this one ends. Its end is requested by SIGTERM. */
    public Launch tied()
    {
        isTied = true;
        return this;
    }

    /** Give it a pipe as input, see {@link ChildProcess#input()}. Its end is requested by the end of the input. */
    public Launch pipedInput()
    {
        hasInput = true;
        return this;
    }

    /** Run it elsewhere, by a command line made of the child's, as of an ssh that hands on input and output. */
    public Launch by(final UnaryOperator<List<String>> command)
    {
        place = command;
        return this;
    }

    /** Leave its standard output to the caller of {@link ChildProcess#output()}. */
    public Launch pipedOutput()
    {
        output = null;
        return this;
    }

    /**
     * @param consumer receives the lines of its standard output, and of its errors unless these go elsewhere; called by a
     *                 separate thread.
     */
    public Launch output(final Consumer<String> consumer)
    {
        output = consumer;
        return this;
    }

    /** @param target of its standard output, and of its errors unless these go elsewhere. */
    public Launch output(final ProcessBuilder.Redirect target)
    {
        outputTo = target;
        output = null;
        return this;
    }

    /** @param consumer receives the lines of its standard error; called by a separate thread. */
    public Launch errors(final Consumer<String> consumer)
    {
        errors = consumer;
        return this;
    }

    /** @param timeoutNs time in ns from the request to end until it is killed. */
    public Launch stopTimeoutNs(final long timeoutNs)
    {
        stopTimeoutNs = timeoutNs;
        return this;
    }

    /** Start the child, which may have ended when this returns; an {@link UncheckedIOException} if there is no such program. */
    public ChildProcess start()
    {
        if (find(command.get(0)).isEmpty())
        {
            throw failure(new IOException("no such program: " + command.get(0)));
        }

        return start(ProcessBuilder::start);
    }

    /**
     * Run the program, for at most so many ns; returns how it failed, empty if its exit status is 0. An interrupt does not end
     * the wait and is restored afterwards. Fails as {@link #start()}.
     */
    public Optional<String> run(final long timeoutNs)
    {
        final ChildProcess process = start();
        final boolean hasEnded = process.awaitEndUninterrupted(System.nanoTime() + timeoutNs);
        final Optional<String> failure =
            hasEnded && 0 == process.exitStatus() ? Optional.empty() : Optional.of(process.describeEnd());
        process.abandon();
        return failure;
    }

    public ChildProcess start(final Starter starter)
    {
        final ProcessBuilder builder = new ProcessBuilder(words()).redirectOutput(outputTo);
        builder.environment().putAll(variables);
        if (!hasInput && !isTied)
        {
            builder.redirectInput(NOTHING);
        }
        builder.redirectErrorStream(null == errors);
        return new ChildProcess(this, Io.call(this::failure, () -> starter.start(builder)));
    }

    /** Find a program as the system does: by its path, or by a name in the folders of {@code PATH}. */
    public static Optional<Path> find(final String program)
    {
        final Stream<Path> places = program.indexOf(File.separatorChar) >= 0 ? Stream.of(Path.of(program)) :
            Arrays.stream(System.getenv().getOrDefault("PATH", "/usr/bin:/bin").split(File.pathSeparator))
                .filter((folder) -> !folder.isEmpty()).map((folder) -> Path.of(folder, program));
        return places.filter((path) -> Files.isRegularFile(path) && Files.isExecutable(path)).findFirst();
    }

    private List<String> words()
    {
        final List<String> child = isTied ? shielded(TIE, "tied", command) : ignoring(command);
        return null == place ? child : ignoring(place.apply(child));
    }

    /** A command whose process ignores these signals, unless its program sets handlers for them; it keeps the process id. */
    static List<String> ignoring(final List<String> command)
    {
        return words("/bin/sh", IGNORE + "exec \"$@\"", command.get(0), command);
    }

    /**
     * A script whose background jobs do not receive these signals, whatever handlers they set: each is a process group, for which
     * other shells than bash need a terminal.
     */
    static List<String> shielded(final String script, final String name, final List<String> arguments)
    {
        return words("/bin/bash", IGNORE + "set -m\n" + script, name, arguments);
    }

    private static List<String> words(
        final String shell, final String script, final String name, final List<String> arguments)
    {
        return Stream.concat(Stream.of(shell, "-c", script, name), arguments.stream()).toList();
    }

    private UncheckedIOException failure(final IOException cause)
    {
        return new UncheckedIOException("cannot start " + name + ": " + cause.getMessage(), cause);
    }
}
