package io.clusterecho.reporting.compare;

import java.nio.file.Path;
import java.util.List;

import com.fasterxml.jackson.annotation.JsonInclude;

/** A comparison: what {@code compare --json} prints. */
public record ComparisonDocument(
    String format, String outcome, String summary, double minEffect, double alpha, Runs a, Runs b,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Difference> differences,
    List<String> refusals, List<String> notes, List<Row> changes)
{
    /** Name and version of the format; the version is raised when a field changes its meaning or is removed. */
    public static final String FORMAT = "cluster-echo-comparison/1";

    /** Folders of a set of runs, and the number of their starts, which is null if a run does not name its own. */
    public record Runs(Integer starts, List<String> runs, List<String> unfinished)
    {
        static Runs of(final RunSet set)
        {
            return new Runs(
                set.unknownStartCount() > 0 ? null : set.startCount(),
                set.runs().stream().map((run) -> run.folder().toString()).toList(),
                set.unfinished().stream().map(Path::toString).toList());
        }
    }

    /** A compared metric; the share is null if it is not a number. */
    public record Row(
        String metric, String unit, MedianInterval a, MedianInterval b,
        @JsonInclude(JsonInclude.Include.ALWAYS) Double change,
        double p, double adjustedP, String outcome)
    {
        static Row of(final Change change)
        {
            return new Row(
                change.metric().name(), change.metric().unit(), change.a(), change.b(),
                Double.isFinite(change.share()) ? change.share() : null, change.pValue(), change.adjustedPValue(),
                change.outcome().name());
        }
    }

    public static ComparisonDocument of(final Comparison comparison)
    {
        return new ComparisonDocument(
            FORMAT, comparison.isTooFew() ? "UNDECIDED" : comparison.isRefused() ? "REFUSED" :
            comparison.isRegression() ? "REGRESSION" : "NO REGRESSION",
            comparison.summary(), comparison.plan().minEffect(), comparison.plan().alpha(), Runs.of(comparison.a()),
            Runs.of(comparison.b()), comparison.differences(), comparison.refusals(),
            comparison.notes(), comparison.changes().stream().map(Row::of).toList());
    }
}
