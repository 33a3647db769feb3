package io.clusterecho.control.command;

import java.util.Arrays;
import java.util.List;

/** What a command prints on stderr instead of a sentence when it cannot run and the user wants its result as JSON. */
public record ErrorDocument(String error, int exitStatus)
{
    private static final List<String> OPTIONS = List.of("--json", "--json-lines");

    /** Whether the user wants JSON, also on a command line that cannot be parsed. */
    public static boolean isWanted(final String... args)
    {
        return Arrays.stream(args).anyMatch((arg) -> OPTIONS.contains(arg.replaceFirst("=true$", "")));
    }

    /** @return indented JSON that ends with a line feed. */
    public String text()
    {
        return StatusReport.newObject().put("error", error).put("exitStatus", exitStatus).toPrettyString() + "\n";
    }
}
