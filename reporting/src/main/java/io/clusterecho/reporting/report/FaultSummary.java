package io.clusterecho.reporting.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.clusterecho.reporting.document.FailoverDocument;
import io.clusterecho.reporting.document.StoredManifest;
import io.clusterecho.reporting.results.Cycle;
import io.clusterecho.reporting.results.DocumentKind;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Quantity;
import io.clusterecho.statistics.NearestRank;
import io.clusterecho.text.TextTable;

/**
 * What failover tests have found for each kind of fault, as Markdown: outages against what was expected of them, and what was
 * lost. A kind is a fault without its strength.
 */
public final class FaultSummary
{
    /** Beside a result: why it is not to be used any more. */
    static final String SUPERSEDED = "SUPERSEDED.md";
    private static final int MAX_DEPTH = 16;
    private static final String NOT_STATED = "not stated";

    private final List<StoredTest> tests = new ArrayList<>();
    private final List<StoredTest> superseded = new ArrayList<>();

    /** @param durability level of file sync, as in {@code fsync 1}. */
    private record StoredTest(String name, String durability, FailoverRun run)
    {
        List<Cycle> cycles()
        {
            return run.document().cycles();
        }

        FailoverDocument.Proof proof()
        {
            return run.document().proof();
        }

        /** Kinds of all faults that were injected, one entry a fault. */
        List<String> faults()
        {
            final List<String> faults = new ArrayList<>();
            for (final Cycle cycle : cycles())
            {
                if (cycle.isInjected())
                {
                    faults.add(kind(cycle.hit().fault()));
                }
                if (cycle.isSecondInjected())
                {
                    faults.add(kind(cycle.second().hit().fault()));
                }
            }
            return faults;
        }

        Boolean isClean()
        {
            return run.document().audit().clean();
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
        if (summary.tests.isEmpty())
        {
            throw new InvalidSettingException(
                "no failover test in " + folders.stream().map(Path::toString).collect(Collectors.joining(", ")) +
                ": no folder in it has a " + DocumentKind.FAILOVER.fileName() + " that is not superseded");
        }

        return summary.text();
    }

    /**
     * Write the summary to a file.
     *
     * @throws InvalidSettingException as {@link #markdown}, or if the file cannot be written.
     */
    public static void write(final Path file, final List<Path> folders)
    {
        ReportPage.write(file, markdown(folders));
    }

    private void add(final Path folder)
    {
        try (Stream<Path> files = Files.find(
            folder, MAX_DEPTH, (file, attributes) -> file.endsWith(DocumentKind.FAILOVER.fileName())))
        {
            files.map(Path::getParent).sorted().forEach((test) ->
                (Files.exists(test.resolve(SUPERSEDED)) ? superseded : tests).add(read(folder, test)));
        }
        catch (final IOException ex)
        {
            throw new InvalidSettingException(folder + " cannot be read: " + ex);
        }
    }

    private static StoredTest read(final Path folder, final Path test)
    {
        final String durability = StoredManifest.read(test).path("durability").asText();
        final Path parent = folder.toAbsolutePath().normalize().getParent();
        final Path absolute = test.toAbsolutePath().normalize();
        return new StoredTest(
            (null == parent ? absolute : parent.relativize(absolute)).toString(),
            durability.substring(0, Math.max(0, durability.indexOf(':'))), FailoverRun.read(test));
    }

    private String text()
    {
        final long cycleCount = tests.stream().mapToLong((test) -> test.cycles().size()).sum();
        return String.format(
            Locale.ROOT,
            "# Faults of all failover tests%n%n%,d faults of %d kinds in %,d cycles of %,d tests: %,d messages acknowledged, " +
            "%,d of them lost,%n%,d applied twice; %,d audits clean.%n%s%n" +
            "## Outages%n%nValid cycles by kind of fault and by what was expected of their outage before the fault. A cycle " +
            "with a second fault%nis in a row of its first one, \"and another\". The median is the lower of the two in the " +
            "middle.%n%n%s%n" +
            "## Losses%n%nAn audit judges a test, not a fault: a test counts in the row of each kind of fault in it, and once " +
            "in the%nlast row.%n%n%s%n" +
            "## Tests%n%n%s",
            faultCount(tests), tests.stream().flatMap((test) -> test.faults().stream()).distinct().count(), cycleCount,
            tests.size(), sum(tests, FailoverDocument.Proof::acknowledged),
            sum(tests, FailoverDocument.Proof::acknowledgedLost), sum(tests, FailoverDocument.Proof::appliedTwice),
            cleanCount(tests), leftOut(), outages(), losses(), all());
    }

    private String leftOut()
    {
        return superseded.isEmpty() ? "" : String.format(
            Locale.ROOT, "%nLeft out: %,d faults of %,d superseded tests.%n", faultCount(superseded), superseded.size());
    }

    private String outages()
    {
        final Map<String, List<Cycle>> groups = new TreeMap<>();
        tests.stream().flatMap((test) -> test.cycles().stream()).filter(Cycle::isValid).forEach((cycle) ->
            groups.computeIfAbsent(label(cycle) + "\n" + expectation(cycle), (any) -> new ArrayList<>()).add(cycle));
        final TextTable table = new TextTable().left("fault").left("expected").right("cycles").right("outage min")
            .right("median").right("max").right("longer than expected");
        groups.values().forEach((cycles) ->
        {
            final long[] outagesNs = cycles.stream().mapToLong(Cycle::outageNs).toArray();
            final Cycle first = cycles.get(0);
            table.row(
                label(first), expectation(first), cycles.size(), Quantity.formatNs(NearestRank.of(outagesNs, 0)),
                Quantity.formatNs(NearestRank.of(outagesNs, NearestRank.MEDIAN)),
                Quantity.formatNs(NearestRank.of(outagesNs, 100)),
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
            final long count = group.stream().flatMap((test) -> test.faults().stream()).filter(kind::equals).count();
            lossRow(table, kind, group.get(0).durability(), count, group);
        });
        lossRow(table, "all", "", faultCount(tests), tests);
        return table.markdown();
    }

    private static void lossRow(
        final TextTable table, final String kind, final String durability, final long count, final List<StoredTest> group)
    {
        table.row(
            kind, durability, grouped(count), group.size(), grouped(sum(group, FailoverDocument.Proof::acknowledged)),
            grouped(sum(group, FailoverDocument.Proof::acknowledgedLost)),
            grouped(sum(group, FailoverDocument.Proof::appliedTwice)), cleanCount(group));
    }

    private String all()
    {
        final TextTable table = new TextTable().left("test").left("file sync").left("delivery").right("faults")
            .right("acknowledged").right("lost").right("applied twice").left("audit").left("verdict");
        tests.forEach((test) -> table.row(
            test.name(), test.durability(), test.run().document().delivery(), test.faults().size(),
            grouped(test.proof().acknowledged()), grouped(test.proof().acknowledgedLost()),
            grouped(test.proof().appliedTwice()),
            null == test.isClean() ? "none" : test.isClean() ? "clean" : "not clean", test.run().verdict()));
        return table.markdown();
    }

    private static long faultCount(final List<StoredTest> tests)
    {
        return tests.stream().mapToLong((test) -> test.faults().size()).sum();
    }

    private static long cleanCount(final List<StoredTest> tests)
    {
        return tests.stream().filter((test) -> Boolean.TRUE.equals(test.isClean())).count();
    }

    /** The sum of a count over the tests that have it. */
    private static long sum(final List<StoredTest> tests, final Function<FailoverDocument.Proof, Long> value)
    {
        return tests.stream().map(StoredTest::proof).map(value).filter(Objects::nonNull).mapToLong(Long::longValue).sum();
    }

    private static String label(final Cycle cycle)
    {
        return kind(cycle.hit().fault()) + (cycle.isSecondInjected() ? ", and another" : "");
    }

    private static String expectation(final Cycle cycle)
    {
        return null == cycle.expectation() ? NOT_STATED : cycle.expectation().toString();
    }

    private static String kind(final String fault)
    {
        final int end = fault.indexOf(':');
        return end < 0 ? fault : fault.substring(0, end);
    }

    private static String grouped(final Long value)
    {
        return null == value ? "-" : String.format(Locale.ROOT, "%,d", value);
    }
}
