package io.clusterecho.commands;

import java.io.PrintStream;
import java.util.List;

import io.clusterecho.control.command.OptionGroup;
import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.report.LiveServer;
import io.clusterecho.settings.InvalidSettingException;

import picocli.CommandLine.Option;

/** What is shown of a run while it is in progress. */
@OptionGroup(OptionGroup.Heading.OUTPUT)
final class LiveOptions
{
    static final String JSON_LINES = "--json-lines";

    private static final int MAX_PORT = 65_535;

    @Option(names = JSON_LINES, description = "Print each interval as a line of JSON on stdout when it ends, then the result " +
        "as the last line; errors as with --json.")
    private boolean isJsonLines;

    @Option(names = "--live", description = "Serve live charts of the run on 127.0.0.1, and metrics for Prometheus at /metrics.")
    private boolean isLive;

    @Option(names = "--live-port", paramLabel = "PORT", defaultValue = "8090",
        description = "Port of --live; 0 takes a free one. Default: ${DEFAULT-VALUE}.")
    private int port;

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

    /** Start to serve and print the address if the user asked for it, else null. */
    LiveServer serve()
    {
        InvalidSettingException.throwIf(port < 0 || port > MAX_PORT, "--live-port", port, "0 to " + MAX_PORT);
        if (!isLive)
        {
            return null;
        }
        final LiveServer server = new LiveServer("--live-port", port);
        System.err.println("live charts at " + server.address());
        return server;
    }
}
