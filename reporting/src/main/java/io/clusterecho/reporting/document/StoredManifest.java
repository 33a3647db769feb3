package io.clusterecho.reporting.document;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;

import io.clusterecho.reporting.results.DocumentKind;
import io.clusterecho.settings.InvalidSettingException;

/** Reads the manifest of a run. */
public final class StoredManifest
{
    private static final List<String> REQUIRED_FIELDS = List.of(
        "/label", "/start", "/verdict/label", "/verdict/reasons", "/verdict/warnings", "/scheduled", "/answered", "/late",
        "/unanswered", "/neverSent", "/ratePerSecondAsked", "/ratePerSecondAchieved", "/responseTimeNs/count",
        "/serviceTimeNs/count", "/sendDelayNs/count", "/stallNs/count", "/durability", "/commandLine", "/configuration");

    private StoredManifest()
    {
    }

    /**
     * Read the manifest in a folder.
     *
     * @throws InvalidSettingException if it is not a result folder, or has an unknown format version, or is damaged; the
     *                                 message names the file.
     */
    public static JsonNode read(final Path folder)
    {
        if (!Files.isDirectory(folder))
        {
            throw new InvalidSettingException(
                folder + " is not a folder; allowed: the folder of a run, which contains manifest.json");
        }
        if (!Files.isRegularFile(folder.resolve(DocumentKind.RUN.fileName())))
        {
            throw new InvalidSettingException(
                folder + " is not the folder of a completed run: it contains no manifest.json");
        }

        return Documents.read(folder, DocumentKind.RUN, REQUIRED_FIELDS);
    }
}
