package io.clusterecho.reporting.report;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.clusterecho.reporting.document.FailoverDocument;
import io.clusterecho.reporting.document.RunDocument;
import io.clusterecho.reporting.results.Cycle;
import io.clusterecho.reporting.results.DocumentKind;
import io.clusterecho.reporting.results.FileNames;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Io;
import io.clusterecho.settings.Quantity;
import io.clusterecho.text.Lines;
import io.clusterecho.text.TextTable;

/**
 * What failover tests have found for each kind of fault, as Markdown: outages against what was expected of them, and what was
 * lost. A kind is a fault without its strength.
 */
public final class FaultSummary
{
    private static final String NOT_STATED = "not stated";

    /** What an audit counts, in the order of the columns. */
    private static final List<Function<FailoverDocument.Proof, Long>> COUNTS = List.of(
        FailoverDocument.Proof::acknowledged, FailoverDocument.Proof::acknowledgedLost, FailoverDocument.Proof::appliedTwice);

    private final List<StoredTest> tests = new ArrayList<>();
    private final List<StoredTest> superseded = new ArrayList<>();

    /** @param durability level of file sync, as in {@code fsync 1}. */
    private record StoredTest(String name, String durability, FailoverDocument document)
    {
        /** Kinds of all faults that were injected, one entry a fault. */
        List<String> faults()
        {
            return document.cycles().stream().flatMap((cycle) -> Stream.concat(
                cycle.isInjected() ? Stream.of(cycle.hit()) : Stream.empty(),
                cycle.isSecondInjected() ? Stream.of(cycle.second().hit()) : Stream.empty()))
                .map((hit) -> kind(hit.fault())).toList();
        }
    }

    private FaultSummary()
    {
    }

    /**
     * Summarize all failover tests in some folders and the folders in them.
     *
     * @return three tables: outages, losses, tests. The same folders give the same text.
     * @throws InvalidSettingException if there is no failover test, or one cannot be read.
     */
    public static String markdown(final List<Path> folders)
    {
        final FaultSummary summary = new FaultSummary();
        folders.forEach(summary::add);
        InvalidSettingException.throwIf(
            summary.tests.isEmpty(),
            "no failover test in " + folders.stream().map(Path::toString).collect(Collectors.joining(", ")) +
            ": no folder in it has a " + DocumentKind.FAILOVER.fileName() + " that is not superseded");

        return summary.text();
    }

    private void add(final Path folder)
    {
        try (Stream<Path> files = Io.call((ex) -> new InvalidSettingException(folder + " cannot be read: " + ex), () ->
            Files.find(folder, Integer.MAX_VALUE, (file, attributes) -> file.endsWith(DocumentKind.FAILOVER.fileName()))))
        {
            files.map(Path::getParent).sorted().forEach((test) ->
                (Files.exists(test.resolve(FileNames.SUPERSEDED)) ? superseded : tests).add(read(folder, test)));
        }
    }

    private static StoredTest read(final Path folder, final Path test)
    {
        final String durability = RunDocument.read(test).path("durability").asText();
        final Path parent = folder.toAbsolutePath().normalize().getParent();
        final Path absolute = test.toAbsolutePath().normalize();
        return new StoredTest(
            (null == parent ? absolute : parent.relativize(absolute)).toString(),
            durability.substring(0, Math.max(0, durability.indexOf(':'))), FailoverRun.read(test).document());
    }

    private String text()
    {
        final List<String> sums = sums(tests);
        return Lines.text(
            "# Faults of all failover tests%n%n%,d faults of %d kinds in %,d cycles of %,d tests: %s messages acknowledged, " +
            "%s of them lost,%n%s applied twice; %,d audits clean.%n%s%n" +
            "## Outages%n%nValid cycles by kind of fault and by what was expected of their outage before the fault. A cycle " +
            "with a second fault%nis in a row of its first one, \"and another\". The median is the lower of the two in the " +
            "middle.%n%n%s%n" +
            "## Losses%n%nAn audit judges a test, not a fault: a test counts in the row of each kind of fault in it, and once " +
            "in the%nlast row.%n%n%s%n" +
            "## Tests%n%n%s",
            faults(tests).count(), faults(tests).distinct().count(),
            tests.stream().mapToLong((test) -> test.document().cycles().size()).sum(), tests.size(), sums.get(0), sums.get(1),
            sums.get(2), cleanCount(tests), superseded.isEmpty() ? "" : Lines.text(
            "%nLeft out: %,d faults of %,d superseded tests.%n", faults(superseded).count(), superseded.size()),
            outages(), losses(), all());
    }

    private String outages()
    {
        final Map<String, List<Cycle>> groups = tests.stream().flatMap((test) -> test.document().cycles().stream())
            .filter(Cycle::isValid).collect(Collectors.groupingBy(
            (cycle) -> label(cycle) + "\n" + expectation(cycle), TreeMap::new, Collectors.toList()));
        final TextTable table = new TextTable().left("fault").left("expected").right("cycles").right("outage min")
            .right("median").right("max").right("longer than expected");
        groups.values().forEach((cycles) ->
        {
            final FailoverDocument.Spread outagesNs =
                FailoverDocument.Spread.of(cycles.stream().mapToLong(Cycle::outageNs));
            final Cycle first = cycles.get(0);
            table.row(
                label(first), expectation(first), cycles.size(), Quantity.formatNs(outagesNs.min()),
                Quantity.formatNs(outagesNs.median()), Quantity.formatNs(outagesNs.max()),
                NOT_STATED.equals(expectation(first)) ? "-" : cycles.stream().filter(Cycle::isBeyondExpected).count());
        });
        return table.markdown();
    }

    private String losses()
    {
        final Map<String, List<StoredTest>> groups = new TreeMap<>();
        tests.forEach((test) -> test.faults().stream().distinct().forEach((kind) ->
            groups.computeIfAbsent(kind + "\n" + test.durability(), (any) -> new ArrayList<>()).add(test)));
        final TextTable table = new TextTable().left("fault").left("file sync").right("faults").right("tests")
            .right("acknowledged").right("lost").right("applied twice").right("audits clean");
        groups.forEach((key, group) ->
        {
            final String kind = key.substring(0, key.indexOf('\n'));
            lossRow(table, kind, group.get(0).durability(), faults(group).filter(kind::equals).count(), group);
        });
        lossRow(table, "all", "", faults(tests).count(), tests);
        return table.markdown();
    }

    private static void lossRow(
        final TextTable table, final String kind, final String durability, final long count, final List<StoredTest> group)
    {
        final List<Object> cells = new ArrayList<>(List.of(kind, durability, grouped(count), group.size()));
        cells.addAll(sums(group));
        cells.add(cleanCount(group));
        table.row(cells);
    }

    private String all()
    {
        final TextTable table = new TextTable().left("test").left("file sync").left("delivery").right("faults")
            .right("acknowledged").right("lost").right("applied twice").left("audit").left("verdict");
        tests.forEach((test) ->
        {
            final List<Object> cells = new ArrayList<>(
                List.of(test.name(), test.durability(), test.document().delivery(), test.faults().size()));
            COUNTS.forEach((count) -> cells.add(grouped(count.apply(test.document().proof()))));
            final Boolean isClean = test.document().audit().clean();
            cells.add(null == isClean ? "none" : isClean ? "clean" : "not clean");
            cells.add(test.document().verdict().label());
            table.row(cells);
        });
        return table.markdown();
    }

    private static Stream<String> faults(final List<StoredTest> tests)
    {
        return tests.stream().flatMap((test) -> test.faults().stream());
    }

    private static long cleanCount(final List<StoredTest> tests)
    {
        return tests.stream().filter((test) -> Boolean.TRUE.equals(test.document().audit().clean())).count();
    }

    /** The sum of each count over the tests that have it. */
    private static List<String> sums(final List<StoredTest> tests)
    {
        return COUNTS.stream().map((count) -> grouped(tests.stream().map((test) -> count.apply(test.document().proof()))
            .filter(Objects::nonNull).mapToLong(Long::longValue).sum())).toList();
    }

    private static String label(final Cycle cycle)
    {
        return kind(cycle.hit().fault()) + (cycle.isSecondInjected() ? ", and another" : "");
    }

    private static String expectation(final Cycle cycle)
    {
        return null == cycle.expectation() ? NOT_STATED : cycle.expectation().toString();
    }

    /** The fault without its strength. */
    private static String kind(final String fault)
    {
        return fault.replaceFirst(":.*", "");
    }

    private static String grouped(final Long value)
    {
        return null == value ? "-" : Lines.text("%,d", value);
    }
}
