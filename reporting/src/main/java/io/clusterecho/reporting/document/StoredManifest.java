package io.clusterecho.reporting.document;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
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
        "/unanswered", "/neverSent", "/ratePerSecondAsked", "/ratePerSecondAchieved", "/responseTimeNs/p50",
        "/serviceTimeNs/p50", "/sendDelayNs/p50", "/stallNs/p50", "/durability", "/commandLine", "/configuration");

    private StoredManifest()
    {
    }

    /**
     * Read the manifest in a folder.
     *
     * @return the document, with all fields that readers need.
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
        final Path file = folder.resolve(DocumentKind.RUN.fileName());
        if (!Files.isRegularFile(file))
        {
            throw new InvalidSettingException(
                folder + " is not the folder of a completed run: it contains no manifest.json");
        }

        try
        {
            return Documents.checked(
                Documents.parse(Files.readString(file, StandardCharsets.UTF_8)), DocumentKind.RUN.format(), REQUIRED_FIELDS);
        }
        catch (final IOException | IllegalArgumentException ex)
        {
            throw new InvalidSettingException(
                file + " cannot be read: " + (ex instanceof IOException ? ex.toString() : ex.getMessage()));
        }
    }
}
