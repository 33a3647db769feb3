package io.clusterecho.reporting.report;

import java.nio.file.Path;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;

import io.clusterecho.reporting.results.DocumentKind;

/**
 * A result of several runs (a search, a sweep, a suite), or a baseline.
 *
 * @param document     as written, of a format version that this program knows.
 * @param rawFileNames of the files that hold the measured data, in order of name.
 */
record StoredDocument(Path folder, DocumentKind kind, JsonNode document, List<String> rawFileNames)
{
    String verdict()
    {
        return DocumentKind.SUITE == kind ? SuiteFindings.of(document).verdict() : document.at("/verdict/label").asText();
    }

    String label()
    {
        return document.path("label").asText();
    }
}
