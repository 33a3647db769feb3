package io.clusterecho.commands;

import java.util.ArrayList;
import java.util.List;

import io.clusterecho.platform.Redaction;
import io.clusterecho.process.CommandHint;

import picocli.CommandLine.Model.CommandSpec;

/** What somebody typed. */
final class TypedCommand
{
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
        final List<String> arguments = new ArrayList<>();
        StringBuilder argument = null;
        boolean isQuoted = false;
        for (int i = 0; i < commandLine.length(); i++)
        {
            final char next = commandLine.charAt(i);
            if (' ' == next && !isQuoted)
            {
                if (null != argument)
                {
                    arguments.add(argument.toString());
                }
                argument = null;
                continue;
            }
            if (null == argument)
            {
                argument = new StringBuilder();
            }
            if ('\'' == next)
            {
                isQuoted = !isQuoted;
            }
            else if ('\\' == next && !isQuoted && i + 1 < commandLine.length())
            {
                argument.append(commandLine.charAt(++i));
            }
            else
            {
                argument.append(next);
            }
        }
        if (isQuoted)
        {
            throw new IllegalArgumentException("a quotation has no end");
        }
        if (null != argument)
        {
            arguments.add(argument.toString());
        }

        return arguments;
    }
}
