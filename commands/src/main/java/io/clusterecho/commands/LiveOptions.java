package io.clusterecho.commands;

import java.io.PrintStream;
import java.util.List;

import io.clusterecho.control.command.OptionGroup;
import io.clusterecho.reporting.document.Documents;
import io.clusterecho.settings.InvalidSettingException;

import picocli.CommandLine.Option;

/** What is shown of a run while it is in progress. */
@OptionGroup("Output")
final class LiveOptions
{
    static final String JSON_LINES = "--json-lines";

    @Option(names = JSON_LINES, description = "Print each interval as a line of JSON on stdout when it ends, then the result " +
        "as the last line; errors as with --json.")
    private boolean isJsonLines;

    /** Where intervals are printed as lines, if the user asked for it. */
    List<PrintStream> lines(final PrintOptions print)
    {
        InvalidSettingException.throwIf(
            isJsonLines && print.isJson(),
            "give " + JSON_LINES + " or " + PrintOptions.JSON + ", not both: the last line is the same document");

        return isJsonLines ? List.of(System.out) : List.of();
    }

    /** The text of a result: for a person, or the last line of {@value #JSON_LINES}. */
    String result(final String json, final String text)
    {
        return isJsonLines ? Documents.line(Documents.parse(json)) : text;
    }
}
