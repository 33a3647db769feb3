package io.clusterecho.system;

import java.io.IOException;
import java.io.UncheckedIOException;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

/**
 * The result of a command.
 *
 * @param exitCode exit status of the process.
 * @param out      its standard output.
 * @param err      its standard error.
 */
record CommandResult(int exitCode, String out, String err)
{
    /** The JSON document that the command printed. */
    JsonNode json()
    {
        try
        {
            return new ObjectMapper().readTree(out);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("not JSON: " + this, ex);
        }
    }
}
