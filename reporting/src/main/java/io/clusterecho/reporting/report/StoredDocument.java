package io.clusterecho.reporting.report;

import java.nio.file.Path;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * A result of several runs (a search, a sweep, a suite), or a baseline.
 *
 * @param folder       of the result, absolute.
 * @param document     as written, of a format version that this program knows.
 * @param rawFileNames of the files that hold the measured data, in order of name.
 */
record StoredDocument(Path folder, JsonNode document, List<String> rawFileNames)
{
    /** The verdict in one word. */
    String verdict()
    {
        return document.at("/verdict/label").asText();
    }

    String label()
    {
        return document.path("label").asText();
    }
}
