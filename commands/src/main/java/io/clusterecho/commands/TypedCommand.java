package io.clusterecho.commands;

import java.util.List;
import java.util.regex.Pattern;

import io.clusterecho.platform.Redaction;
import io.clusterecho.process.CommandHint;

import picocli.CommandLine.Model.CommandSpec;

/** What somebody typed. */
final class TypedCommand
{
    /** A quotation, or a character after a backslash. */
    private static final Pattern PART = Pattern.compile("'([^']*)'|\\\\(.)", Pattern.DOTALL);
    private static final Pattern WORD = Pattern.compile("(?:'[^']*'|\\\\.|[^' \\\\]+|\\\\)+", Pattern.DOTALL);

    private TypedCommand()
    {
    }

    /** The command line that repeats what was asked for, without secrets. */
    static String of(final CommandSpec spec)
    {
        return "java -jar " + spec.root().name() + ".jar " + String.join(
            " ",
            Redaction.of(spec.root().commandLine().getParseResult().originalArgs()).stream().map(CommandHint::quoted).toList());
    }

    /** The arguments of a command line that {@link #of} made; the message of an exception says what is wrong. */
    static List<String> arguments(final String commandLine)
    {
        if (PART.matcher(commandLine).replaceAll("").contains("'"))
        {
            throw new IllegalArgumentException("a quotation has no end");
        }
        return WORD.matcher(commandLine).results().map((word) -> PART.matcher(word.group()).replaceAll("$1$2")).toList();
    }
}
