package io.clusterecho.reporting.trend;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.reporting.compare.ComparedRun;
import io.clusterecho.reporting.compare.FoundResults;
import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.document.StoredManifest;
import io.clusterecho.reporting.results.DocumentKind;
import io.clusterecho.settings.InvalidSettingException;

/**
 * The results in and below folders.
 *
 * @param results    by start.
 * @param unreadable sentences about results that have no document or a damaged one.
 * @param notes      about what else was found and is not a result of a record.
 */
record TrendResults(List<ComparedRun> results, List<String> unreadable, List<String> notes)
{
    private static final String SUPERSEDED = "SUPERSEDED.md";
    private static final List<String> SEARCH_FIELDS =
        List.of("/start", "/verdict/good", "/answer/ratePerSecond", "/durability", "/configuration");
    private static final List<String> FAILOVER_FIELDS = List.of("/verdict/good", "/verdict/label", "/verdict/reasons");

    /**
     * Find results.
     *
     * @param folders each a result, or with results up to four levels below.
     * @throws InvalidSettingException if one is not a folder, cannot be read, or has no result.
     */
    static TrendResults find(final List<Path> folders)
    {
        final FoundResults found =
            FoundResults.in("the record", folders, List.of(DocumentKind.RUN, DocumentKind.MAX_RATE), false);
        return read(found.finished(), found.unfinished(), found.others().size() + found.foreign().size());
    }

    private static TrendResults read(final Set<Path> finished, final Set<Path> unfinished, final int otherCount)
    {
        final List<ComparedRun> results = new ArrayList<>();
        final List<String> unreadable = new ArrayList<>();
        final Set<JsonNode> seen = new HashSet<>();
        int stepCount = 0;
        int supersededCount = 0;
        int copyCount = 0;
        for (final Path folder : finished)
        {
            if (isStep(folder))
            {
                stepCount++;
                continue;
            }
            if (Files.exists(folder.resolve(SUPERSEDED)))
            {
                supersededCount++;
                continue;
            }
            try
            {
                final ComparedRun result = read(folder);
                if (seen.add(result.manifest()))
                {
                    results.add(result);
                }
                else
                {
                    copyCount++;
                }
            }
            catch (final InvalidSettingException ex)
            {
                unreadable.add(ex.getMessage());
            }
        }
        unfinished.stream().filter((folder) -> !isStep(folder))
            .forEach((folder) -> unreadable.add(folder + " is of a run whose process was killed"));
        results.sort(Comparator.comparing(ComparedRun::start).thenComparing(ComparedRun::folder));

        final List<String> notes = new ArrayList<>();
        note(notes, stepCount, "run of a search", "runs of searches", "the search is the result");
        note(notes, supersededCount, "result", "results", "marked as superseded");
        note(notes, copyCount, "copy of a result", "copies of results", "a result counts once");
        note(notes, otherCount, "other result", "other results",
            "baselines, closed loops, suites and results of other load generators have no series");
        return new TrendResults(results, unreadable, notes);
    }

    private static void note(
        final List<String> notes, final int count, final String one, final String several, final String reason)
    {
        if (count > 0)
        {
            notes.add(count + " " + (1 == count ? one : several) + " left out: " + reason);
        }
    }

    /** A run of a search has a rate that the search chose. */
    private static boolean isStep(final Path folder)
    {
        for (Path parent = folder.getParent(); null != parent; parent = parent.getParent())
        {
            if (Files.exists(parent.resolve(DocumentKind.MAX_RATE.fileName())))
            {
                return true;
            }
        }
        return false;
    }

    private static ComparedRun read(final Path folder)
    {
        if (Files.exists(folder.resolve(DocumentKind.MAX_RATE.fileName())))
        {
            final JsonNode search = Documents.read(folder, DocumentKind.MAX_RATE, SEARCH_FIELDS);
            return result(folder, DocumentKind.MAX_RATE, search);
        }
        final JsonNode manifest = StoredManifest.read(folder);
        if (!Files.exists(folder.resolve(DocumentKind.FAILOVER.fileName())))
        {
            return result(folder, DocumentKind.RUN, manifest);
        }
        final JsonNode failover = Documents.read(folder, DocumentKind.FAILOVER, FAILOVER_FIELDS);
        // Response times of a test with faults are not a series of their own: its result is the outage.
        final ObjectNode merged = manifest.deepCopy();
        merged.remove(List.of(
            "responseTimeNs", "serviceTimeNs", "sendDelayNs", "receiveLatenessNs", "clientTail", "cpuSecondsPerMillion",
            "ratePerSecondAchieved"));
        if (failover.has("outageNs"))
        {
            merged.set("outageNs", failover.get("outageNs"));
            merged.set("outageResolutionNs", failover.get("outageResolutionNs"));
        }
        merged.set("verdict", failover.path("verdict"));
        return result(folder, DocumentKind.FAILOVER, merged);
    }

    private static ComparedRun result(final Path folder, final DocumentKind kind, final JsonNode document)
    {
        final ComparedRun result = new ComparedRun(folder, kind, document);
        try
        {
            result.start();
            return result;
        }
        catch (final DateTimeException ex)
        {
            throw new InvalidSettingException(
                folder + " cannot be read: its start is '" + document.path("start").asText() + "'; allowed: a time in ISO 8601");
        }
    }
}
