package io.clusterecho.reporting.document;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.reporting.results.DocumentKind;
import io.clusterecho.reporting.results.Verdict;
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
     * Read the manifest in a folder. A result of an earlier version that began behind schedule is FAILED, as in this one.
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

        final JsonNode manifest = Documents.read(folder, DocumentKind.RUN, REQUIRED_FIELDS);
        final long behindNs = Verdict.behindNs(
            manifest.path("warmUpSkipped").asLong(), Math.max(1, manifest.path("ratePerSecondAsked").asDouble()));
        // The rate of the warm-up is that of the run only if it is constant.
        if (Verdict.isTooFarBehind(behindNs) && manifest.at("/verdict/good").asBoolean() && !manifest.has("overload") &&
            !manifest.at("/configuration/rate").asText().contains(":") &&
            !Files.exists(folder.resolve(DocumentKind.FAILOVER.fileName())))
        {
            ((ObjectNode)manifest.path("verdict")).put("good", false).put("label", "FAILED")
                .withArray("reasons").add(Verdict.behindReason(behindNs));
        }
        return manifest;
    }
}
