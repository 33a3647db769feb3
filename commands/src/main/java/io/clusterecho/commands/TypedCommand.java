package io.clusterecho.commands;

import io.clusterecho.platform.Redaction;

import picocli.CommandLine.Model.CommandSpec;

/**
 * What somebody typed.
 */
final class TypedCommand
{
    private TypedCommand()
    {
    }

    /**
     * The command line that repeats what was asked for, without secrets.
     */
    static String of(final CommandSpec spec)
    {
        return "java -jar " + spec.root().name() + ".jar " + String.join(
            " ",
            Redaction.of(spec.root().commandLine().getParseResult().originalArgs()).stream().map(TypedCommand::quoted).toList());
    }

    private static String quoted(final String argument)
    {
        return argument.matches("[A-Za-z0-9_./:=,@%+-]+") ? argument : "'" + argument.replace("'", "'\\''") + "'";
    }
}
