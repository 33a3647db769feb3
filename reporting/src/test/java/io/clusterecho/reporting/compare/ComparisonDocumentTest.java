package io.clusterecho.reporting.compare;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import io.clusterecho.reporting.compare.Conditions.Difference;
import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.results.DocumentKind;
import io.clusterecho.testing.GoldenFile;

import org.junit.jupiter.api.Test;

/** The document of a comparison stays as it was published. */
class ComparisonDocumentTest
{
    private static final ComparisonPlan PLAN =
        new ComparisonPlan(Metric.parse("p50,p99.9,rate"), 0.05, 0.01, Set.of(), false);
    private static final RunSet A = set("A", "a/1", "a/2");
    private static final RunSet B = set("B", "b/1");

    @Test
    void shouldHoldAllThatAComparisonCanHave() throws IOException
    {
        final List<Difference> differences = List.of(
            new Difference("size", "configuration.size", new TreeSet<>(Set.of("32")), new TreeSet<>(Set.of("288", "64"))),
            new Difference("jvm.version", "jvm.version", new TreeSet<>(), new TreeSet<>(Set.of("17"))));
        final List<Change> changes = List.of(
            new Change(
                PLAN.metrics().get(0), new MedianInterval(100, 95.5, 111, 0.96875), new MedianInterval(55, 50, 60, 0.96875),
                -0.45, 0.002164502, 0.004329004, Change.Outcome.BETTER),
            new Change(
                PLAN.metrics().get(2), new MedianInterval(0, 0, 0, 0.5), new MedianInterval(1, 1, 1, 0.5),
                Double.POSITIVE_INFINITY, 1, 1, Change.Outcome.UNPROVEN));
        GoldenFile.check(getClass(), "comparison.json", Documents.text(
            new Comparison(PLAN, A, B, differences, List.of(), false, List.of("B is \"older\""), changes)));
    }

    @Test
    void shouldLeaveOutWhatIsNotThere() throws IOException
    {
        final RunSet unfinished = new RunSet("B", List.of(Path.of("b")), List.of(), List.of(Path.of("b/9")));
        GoldenFile.check(getClass(), "comparison-refused.json", Documents.text(
            new Comparison(PLAN, A, unfinished, List.of(), List.of("too few runs"), false, List.of(), List.of())));
    }

    private static RunSet set(final String name, final String... folders)
    {
        return new RunSet(
            name, List.of(Path.of(name)), List.of(folders).stream()
                .map((run) -> new ComparedRun(
                    Path.of(run), DocumentKind.RUN, Documents.tree(Map.of("memberStart", Map.of("id", run))))).toList(),
            List.of());
    }
}
