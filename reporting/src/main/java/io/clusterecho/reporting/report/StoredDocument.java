package io.clusterecho.reporting.report;

import java.nio.file.Path;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;

import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.results.DocumentKind;

/**
 * A result of several runs (a search, a sweep, a suite), or a baseline.
 *
 * @param document     as written, of a format version that this program knows.
 * @param rawFileNames of the files that hold the measured data, in order of name.
 */
record StoredDocument(Path folder, DocumentKind kind, JsonNode document, List<String> rawFileNames)
{
    /** Read one with its required fields, as JSON pointers; throws as {@link Documents#read} does. */
    static StoredDocument read(final Path folder, final DocumentKind kind, final List<String> fields)
    {
        return new StoredDocument(
            folder.toAbsolutePath().normalize(), kind, Documents.read(folder, kind, fields), RunResult.rawFileNames(folder));
    }

    String verdict()
    {
        return document.at("/verdict/label").asText();
    }

    String label()
    {
        return document.path("label").asText();
    }
}
