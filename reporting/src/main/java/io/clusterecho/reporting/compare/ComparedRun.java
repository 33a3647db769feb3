package io.clusterecho.reporting.compare;

import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;

import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.JsonNode;

import io.clusterecho.reporting.results.DocumentKind;
import io.clusterecho.settings.InvalidSettingException;

/**
 * One result of a set or of a record. In a document it is its folder.
 *
 * @param folder   of the result, or the file of a foreign one.
 * @param manifest of a run, or the document of a search; of a failover test, the manifest of its load with the outages and the
 *                 verdict of the test.
 */
public record ComparedRun(Path folder, DocumentKind kind, JsonNode manifest)
{
    @JsonValue
    @Override
    public String toString()
    {
        return folder.toString();
    }

    boolean isGood()
    {
        return manifest.at("/verdict/good").asBoolean();
    }

    String verdict()
    {
        return manifest.at("/verdict/label").asText();
    }

    /** First line of the first reason why it is not good; the output of members may follow it. */
    String reason()
    {
        return manifest.at("/verdict/reasons/0").asText().lines().findFirst().orElse("");
    }

    /** Id of the members' start, or null if the result does not name it. */
    String memberStart()
    {
        return manifest.at("/memberStart/id").textValue();
    }

    /** Start of the run, or null if a foreign result does not contain it; fails, with the folder, if it is not a time. */
    Instant start()
    {
        final String start = manifest.path("start").asText();
        try
        {
            return manifest.hasNonNull("start") ? Instant.parse(start) : null;
        }
        catch (final DateTimeException ex)
        {
            throw new InvalidSettingException(
                folder + " cannot be read: its start is '" + start + "'; allowed: a time in ISO 8601");
        }
    }

    /** Commit of the program, or {@code unknown}. */
    String commit()
    {
        return manifest.at("/versions/commit").asText("unknown");
    }

    /** Day of the start, in UTC. */
    LocalDate day()
    {
        return start().atZone(ZoneOffset.UTC).toLocalDate();
    }

    /** The same for all results that repeat one another. */
    List<Object> commitAndDay()
    {
        return List.of(commit(), day());
    }
}
