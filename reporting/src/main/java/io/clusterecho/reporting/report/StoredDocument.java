package io.clusterecho.reporting.report;

import java.nio.file.Path;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * A result that is not one run of a cluster: a search for the highest rate, or a sweep; or a baseline.
 *
 * @param folder       of it, absolute.
 * @param document     as written, of a format version that this program knows.
 * @param rawFileNames of the files that hold the measured data, in order of name.
 */
record StoredDocument(Path folder, JsonNode document, List<String> rawFileNames)
{
    /**
     * The verdict in one word.
     */
    String verdict()
    {
        return document.at("/verdict/label").asText();
    }

    String label()
    {
        return document.path("label").asText();
    }
}
