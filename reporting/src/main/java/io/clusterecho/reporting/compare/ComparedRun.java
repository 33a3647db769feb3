package io.clusterecho.reporting.compare;

import java.nio.file.Path;
import java.time.Instant;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * One run of a set.
 *
 * @param folder   of the run, or the file of a foreign result.
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

    /** Id of the members' start, or null if the result does not name it. */
    String memberStart()
    {
        return manifest.at("/memberStart/id").textValue();
    }

    /** Start of the run, or null if a foreign result does not contain it. */
    Instant start()
    {
        return manifest.hasNonNull("start") ? Instant.parse(manifest.path("start").asText()) : null;
    }
}
