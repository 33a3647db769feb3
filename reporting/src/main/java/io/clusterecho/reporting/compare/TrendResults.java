package io.clusterecho.reporting.compare;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.document.RunDocument;
import io.clusterecho.reporting.results.DocumentKind;
import io.clusterecho.settings.InvalidSettingException;

/**
 * The results in and below folders.
 *
 * @param results    by start.
 * @param unreadable sentences about results that have no document or a damaged one.
 * @param notes      about what else was found and is not a result of a record.
 */
public record TrendResults(List<ComparedRun> results, List<String> unreadable, List<String> notes)
{
    /**
     * @param folders each a result, or with results up to four levels below.
     * @throws InvalidSettingException if one is not a folder, cannot be read, or has no result.
     */
    public static TrendResults find(final List<Path> folders)
    {
        final FoundResults found =
            FoundResults.in("the record", folders, List.of(DocumentKind.RUN, DocumentKind.MAX_RATE), false);
        final List<Path> whole = found.finished().stream().filter((folder) -> !isStep(folder)).toList();
        final Map<JsonNode, ComparedRun> results = new HashMap<>();
        final List<String> unreadable = new ArrayList<>();
        int copyCount = 0;
        for (final Path folder : whole)
        {
            try
            {
                final ComparedRun result = read(folder);
                result.start();
                copyCount += null == results.putIfAbsent(result.manifest(), result) ? 0 : 1;
            }
            catch (final InvalidSettingException ex)
            {
                unreadable.add(ex.getMessage());
            }
        }
        found.unfinished().stream().filter((folder) -> !isStep(folder))
            .forEach((folder) -> unreadable.add(folder + " is of a run whose process was killed"));

        final List<String> notes = new ArrayList<>();
        note(notes, found.finished().size() - whole.size(), "run of a search", "runs of searches", "the search is the result");
        note(notes, copyCount, "copy of a result", "copies of results", "a result counts once");
        return new TrendResults(
            results.values().stream().sorted(Comparator.comparing(ComparedRun::start).thenComparing(ComparedRun::folder))
            .toList(), unreadable, notes);
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
        return Stream.iterate(folder.getParent(), (parent) -> null != parent, Path::getParent)
            .anyMatch((parent) -> Files.exists(parent.resolve(DocumentKind.MAX_RATE.fileName())));
    }

    private static ComparedRun read(final Path folder)
    {
        if (Files.exists(folder.resolve(DocumentKind.MAX_RATE.fileName())))
        {
            return new ComparedRun(folder, DocumentKind.MAX_RATE, Documents.read(folder, DocumentKind.MAX_RATE));
        }
        final JsonNode manifest = RunDocument.read(folder);
        if (!Files.exists(folder.resolve(DocumentKind.FAILOVER.fileName())))
        {
            return new ComparedRun(folder, DocumentKind.RUN, manifest);
        }
        final JsonNode failover = Documents.read(folder, DocumentKind.FAILOVER);
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
        return new ComparedRun(folder, DocumentKind.FAILOVER, merged);
    }
}
