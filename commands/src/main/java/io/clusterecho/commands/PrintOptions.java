package io.clusterecho.commands;

import io.clusterecho.control.command.OptionGroup;

import picocli.CommandLine.Option;

/**
 * How results and progress are printed.
 */
@OptionGroup(OptionGroup.Heading.OUTPUT)
final class PrintOptions
{
    static final String JSON = "--json";
    static final String QUIET = "--quiet";

    @Option(names = JSON, description = "Print the result, and an error, as one JSON document.")
    private boolean isJson;

    @Option(names = { QUIET, "-q" }, description = "Print no progress.")
    private boolean isQuiet;

    boolean isJson()
    {
        return isJson;
    }

    boolean isQuiet()
    {
        return isQuiet;
    }

    /**
     * Print a line of progress on stderr, unless the user wants none.
     */
    void progress(final String line)
    {
        if (!isQuiet)
        {
            System.err.println(line);
        }
    }

    /**
     * Print a result on stdout, in the form that the user asked for.
     */
    void result(final String json, final String text)
    {
        System.out.print(isJson ? json : text);
        System.out.flush();
    }
}
