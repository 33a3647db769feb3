package io.clusterecho.client.compare;

import java.nio.file.Path;
import java.time.Instant;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * One run of a set.
 *
 * @param folder   of it.
 * @param manifest of it.
 */
record ComparedRun(Path folder, JsonNode manifest)
{
    boolean isGood()
    {
        return manifest.at("/verdict/good").asBoolean();
    }

    String verdict()
    {
        return manifest.at("/verdict/label").asText();
    }

    boolean hasWarnings()
    {
        return !manifest.at("/verdict/warnings").isEmpty();
    }

    Instant start()
    {
        return Instant.parse(manifest.path("start").asText());
    }
}
