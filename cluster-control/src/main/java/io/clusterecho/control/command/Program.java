package io.clusterecho.control.command;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Method;
import java.util.List;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;

import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.settings.Cause;
import io.clusterecho.settings.InvalidSettingException;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;

/** A program with commands: its versions and its help, and how it reports that a command cannot run. */
public class Program
{
    private static final int USAGE = 2;
    /** Arguments that list all commands. */
    private static final List<String> LISTING = List.of("-h", "--help", "--help-all", "help", "generate-completion");
    private static final List<String> JSON_OPTIONS = List.of("--json", "--json-lines");

    protected final CommandLine root;
    protected final String[] args;
    private final PrintStream err;
    private final int internalStatus;

    /**
     * A program that does not run yet.
     *
     * @param root           command with all subcommands.
     * @param err            for why a command cannot run: a sentence, or JSON where the user wants its result as JSON.
     * @param internalStatus exit status after an internal error.
     */
    public Program(final CommandLine root, final PrintStream err, final int internalStatus, final String... args)
    {
        this.root = root;
        this.err = err;
        this.internalStatus = internalStatus;
        this.args = args;
        HelpLayout.apply(root);
        root.setCaseInsensitiveEnumValuesAllowed(true);
    }

    /**
     * Add those commands that the arguments name, or all to list them or to suggest one: a process spent most of its start on
     * the options of commands that it does not run.
     *
     * @param commands objects or methods with picocli's annotation, in the order of the help.
     */
    public static void addNeeded(final CommandLine root, final List<?> commands, final String... args)
    {
        final List<String> words = List.of(args);
        final List<?> named = commands.stream().filter((command) -> words.contains(
            (command instanceof final Method method ? method : command.getClass()).getAnnotation(Command.class).name())).toList();
        final boolean isListed = words.stream().anyMatch(LISTING::contains) ||
            named.isEmpty() && !words.isEmpty() && !words.get(0).startsWith("-");
        (isListed ? commands : named).forEach(root::addSubcommand);
    }

    public int execute()
    {
        root.setParameterExceptionHandler((ex, ignored) -> reject(ex));
        root.setExecutionExceptionHandler((ex, command, parsed) -> fail(ex));
        return root.execute(args);
    }

    protected int reject(final ParameterException ex)
    {
        final StringWriter suggestions = new StringWriter();
        CommandLine.UnmatchedArgumentException.printSuggestions(ex, new PrintWriter(suggestions, true));
        final String hint = suggestions.toString().strip();
        return report(USAGE, Cause.ofArgument(ex.getMessage()) + (hint.isEmpty() ? "" : System.lineSeparator() + hint));
    }

    protected int fail(final Exception ex)
    {
        if (ex instanceof InvalidSettingException)
        {
            return report(USAGE, ex.getMessage());
        }
        if (ex instanceof ControlFailure failure)
        {
            return report(failure.exitCode(), ex.getMessage());
        }

        report(internalStatus, ex.toString());
        ex.printStackTrace(err);
        return internalStatus;
    }

    protected final int report(final int exitStatus, final String message)
    {
        err.print(isJsonWanted() ?
            JsonNodeFactory.instance.objectNode().put("error", message).put("exitStatus", exitStatus).toPrettyString() + "\n" :
            "error: " + message + System.lineSeparator());
        return exitStatus;
    }

    /** Whether the user wants JSON, also on a command line that cannot be parsed. */
    protected final boolean isJsonWanted()
    {
        return Stream.of(args).anyMatch((arg) -> JSON_OPTIONS.contains(arg.replaceFirst("=true$", "")));
    }
}
