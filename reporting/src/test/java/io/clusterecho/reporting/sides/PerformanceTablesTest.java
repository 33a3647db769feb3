package io.clusterecho.reporting.sides;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.clusterecho.reporting.document.RunDocument;
import io.clusterecho.reporting.sides.SideTable.SideCell;
import io.clusterecho.reporting.results.CsvTable;
import io.clusterecho.statistics.NearestRank;

import org.junit.jupiter.api.Test;

/**
 * The tables beside aeron-io/benchmarks contain what the committed rows give, without the runs in which a member took no part.
 */
class PerformanceTablesTest
{
    private static final Path DOCS = Path.of("..", "docs");
    private static final String WRITE_BACK = "reference-20261127-write-back/";
    private static final List<SideRun> STARTS = StoredRows.judged(WRITE_BACK + "starts.csv", 3, "embedded", "java");
    private static final List<SideRun> HIGH = StoredRows.judged(WRITE_BACK + "high.csv", 4, "embedded");
    private static final List<SideRun> HIGHER = StoredRows.judged(WRITE_BACK + "higher.csv", 4, "embedded");
    private static final List<SideRun> DECIDED = StoredRows.judged(WRITE_BACK + "decided.csv", 4, "paced");

    @Test
    void shouldNameTheRunsInWhichAMemberTookNoPart() throws IOException
    {
        final Map<String, List<SideRun>> files = new LinkedHashMap<>();
        files.put("trial", StoredRows.judged(WRITE_BACK + "trial.csv", 4, "normal"));
        files.put("idle-trial", StoredRows.judged(WRITE_BACK + "idle-trial.csv", 4, "idle"));
        files.put("interval-trial", StoredRows.judged(WRITE_BACK + "interval-trial.csv", 4, "20 ms", "100 ms"));
        files.put("decided", DECIDED);
        files.put("starts", STARTS);
        files.put("high", HIGH);
        files.put("higher", HIGHER);
        final StringBuilder table = new StringBuilder();
        files.forEach((name, runs) -> runs.stream().filter((run) -> !run.isCounted()).forEach((run) -> table.append(row(
            name, String.valueOf(run.start()), Stream.of(
                run.side(), String.format(Locale.ROOT, "%,d", run.ratePerSecond()),
                String.format(Locale.ROOT, "%.2f", StoredRows.share(run, "starts".equals(name) ? 6 : 7)),
                String.format(Locale.ROOT, "%,.0f", run.p50Us()), String.format(Locale.ROOT, "%,.1f", run.p99Us() / 1e3))))));
        assertContains("../results/" + WRITE_BACK + "README.md", table);
    }

    @Test
    void shouldContainStockMembersTunedMembersAndTheRig() throws IOException
    {
        final List<SideRun> runs = StoredRows.unjudged("reference-20261129-ten-starts/rows.csv");
        assertContains("PERFORMANCE.md", table(runs));
        assertContains("PERFORMANCE.md", table(StoredRows.unjudged("reference-20261129-pacing/rows.csv")));

        final StringBuilder shares = new StringBuilder();
        for (final String other : List.of("rig", "rig-c-pinned", "stock"))
        {
            shares.append(row("tuned to " + other, "p50", ratios(runs, "tuned", other, SideRun::p50Us)));
            shares.append(row("", "p99", ratios(runs, "tuned", other, SideRun::p99Us)));
        }
        assertContains("PERFORMANCE.md", shares);

        final SideCell after =
            SideCell.of(StoredRows.unjudged("reference-20261129-instruments/after.csv"), "stock", 100_000);
        final List<SideRun> byRig = Stream.of("ten-starts/rows", "ten-starts/instruments", "instruments/interval")
            .flatMap((file) -> StoredRows.unjudged("reference-20261129-" + file + ".csv").stream())
            .filter((run) -> run.side().endsWith("by-rig")).toList();
        assertThat(byRig).filteredOn((run) -> 100_000 == run.ratePerSecond()).hasSize(12);
        assertContains("PERFORMANCE.md", String.format(
            Locale.ROOT, "four starts had %.1f to %.0f ms, %.1f in the median", after.percentile(SideRun::p99Us, 0) / 1e3,
            after.percentile(SideRun::p99Us, 100) / 1e3, after.percentile(SideRun::p99Us, NearestRank.MEDIAN) / 1e3));
        assertContains("PERFORMANCE.md", String.format(
            Locale.ROOT, "has %.1f in the median of twelve", byRig.stream()
            .filter((run) -> 100_000 == run.ratePerSecond()).map(SideRun::p99Us).sorted().toList().get(5) / 1e3));
    }

    private static String table(final List<SideRun> runs)
    {
        final List<String> lines = SideTable.text(runs).lines().toList();
        return lines.subList(0, lines.size() - 1).stream().map((line) -> "    " + line + "\n").collect(Collectors.joining());
    }

    @Test
    void shouldContainHowCostGrows() throws IOException
    {
        assertContains("PERFORMANCE.md", row(
            mediansUs("160703-32-bytes-10k", "160741-288-bytes-10k", "160819-1344-bytes-10k"),
            mediansUs("160858-32-bytes-50k", "160937-288-bytes-50k", "161015-1344-bytes-50k"), Stream.of(
                mediansUs("161053-1-members", "161132-5-members"), mediansUs("161211-10-sessions", "161251-100-sessions"))));
    }

    private static String mediansUs(final String... runs)
    {
        return Stream.of(runs).map((run) -> StoredRows.RESULTS.resolve("reference-20261122-growth/20261122-" + run))
            .map(RunDocument::read).map((manifest) -> manifest.at("/responseTimeNs/p50").asDouble())
            .map((p50Ns) -> String.format(Locale.ROOT, "%.0f", p50Ns / 1e3)).collect(Collectors.joining(", "));
    }

    /** Of every series in which both ran: none is selected. */
    @Test
    void shouldContainEverySeriesOfHighRates() throws IOException
    {
        final Map<String, List<SideRun>> series = new LinkedHashMap<>();
        series.put("[26 Nov, rates after each other](../results/reference-20261126-side-by-side/README.md)",
            StoredRows.unjudged("reference-20261126-side-by-side/rig.csv"));
        series.put("[26 Nov, high rates](../results/reference-20261126-side-by-side/README.md)",
            StoredRows.unjudged("reference-20261126-side-by-side/high.csv"));
        series.put("[26 Nov, compilers](../results/reference-20261126-compilers/README.md)",
            StoredRows.unjudged("reference-20261126-compilers/high.csv"));
        series.put("[26 Nov, paced client](../results/reference-20261126-intervals/README.md)",
            StoredRows.unjudged("reference-20261126-intervals/high.csv"));
        series.put("[27 Nov, first](../results/reference-20261127-write-back/README.md)", HIGH);
        series.put("[27 Nov, second](../results/reference-20261127-write-back/README.md)", HIGHER);
        final List<Long> rates =
            List.of(140_000L, 150_000L, 160_000L, 180_000L, 200_000L, 210_000L, 220_000L, 225_000L, 230_000L, 240_000L);
        final StringBuilder table = new StringBuilder();
        series.forEach((name, runs) ->
        {
            String first = name;
            for (final String side : List.of("rig", "embedded"))
            {
                table.append(row(first, side, rates.stream().map((rate) -> SideCell.of(runs, side, rate))
                    .map((cell) -> 0 == cell.allCount() ? "" : cell.metCount() + "/" + cell.counted().size())));
                first = "";
            }
        });
        assertContains("PERFORMANCE.md", table);
    }

    @Test
    void shouldContainWhatDecidedOnWriteBack() throws IOException
    {
        final StringBuilder table = new StringBuilder();
        table.append(blocks("1, four", "trial", "normal", Map.of(
            "kernel", "(a)", "normal", "(b), every 50 ms", "memory", "(e)"), List.of("kernel", "normal", "memory")));
        table.append(blocks("2, three", "idle-trial", "idle", Map.of(
            "kernel", "(a)", "idle", "(c), every 20 ms", "nice", "(d)"), List.of("kernel", "idle", "nice")));
        table.append(blocks("3, three", "interval-trial", "20 ms,100 ms", Map.of(
            "20 ms", "(c), every 20 ms", "100 ms", "(c), every 100 ms"), List.of("20 ms", "100 ms")));
        table.append(blocks("as decided, four", "decided", "paced", Map.of(
            "kernel", "(a)", "paced", "(c), every 100 ms"), List.of("kernel", "paced")));
        assertContains("adr/0042-write-back-while-no-other-thread-wants-the-core.md", table);
    }

    private static String blocks(
        final String name, final String file, final String paced, final Map<String, String> names, final List<String> sides)
    {
        final List<SideRun> runs = StoredRows.judged(WRITE_BACK + file + ".csv", 4, paced.split(","));
        return sides.stream().map((side) -> row(
            side.equals(sides.get(0)) ? name : "", names.get(side),
            Stream.of(100_000L, 200_000L, 210_000L, 220_000L).map((rate) -> decided(SideCell.of(runs, side, rate)))))
            .collect(Collectors.joining());
    }

    @Test
    void shouldContainTheCallsOfAMessage() throws IOException
    {
        final CsvTable calls = CsvTable.read(StoredRows.RESULTS.resolve("reference-20261126-compilers/calls.csv"));
        final CsvTable paced = CsvTable.read(StoredRows.RESULTS.resolve("reference-20261126-intervals/calls.csv"));
        assertContains(
            "../results/reference-20261126-compilers/README.md",
            calls(calls, "java", "Java driver") + calls(calls, "embedded", "embedded C driver") +
            calls(paced, "embedded",
                "the same, with the client of [ADR 41](../../docs/adr/0041-pace-the-duty-cycle-of-the-client.md)") +
            calls(calls, "rig", "rig"));
    }

    private static String calls(final CsvTable table, final String side, final String name)
    {
        final StringBuilder rows = new StringBuilder();
        for (int i = 0; i < table.rowCount(); i++)
        {
            final int row = i;
            if (table.text(row, "side").equals(side))
            {
                final double rate = table.number(row, "messages_per_second");
                rows.append(row(rows.length() > 0 ? "" : name, String.format(Locale.ROOT, "%.0fk", rate / 1e3), Stream.of(
                    "epoll_wait epoll_pwait epoll_pwait2", "recvfrom recvmsg recvmmsg", "sendto sendmsg sendmmsg", "pwrite64",
                    "sched_yield", "core_ms").map((columns) -> aMessage(table, row, columns, rate))));
            }
        }
        return rows.toString();
    }

    private static String aMessage(final CsvTable table, final int row, final String columns, final double rate)
    {
        final double unit = "core_ms".equals(columns) ? 1e3 : 1;
        final double value = unit / rate * Stream.of(columns.split(" "))
            .mapToDouble((column) -> table.number(row, column + "_per_s")).sum();
        return String.format(Locale.ROOT, 0 == value || value >= 100 ? "%.0f" : value >= 1 ? "%.1f" : "%.2f", value);
    }

    private static String decided(final SideCell cell)
    {
        final List<String> numbers = new ArrayList<>();
        for (final double percent : new double[]{NearestRank.MEDIAN, 0, 100})
        {
            final double p99Ms = cell.percentile(SideRun::p99Us, percent) / 1e3;
            numbers.add(String.format(Locale.ROOT, p99Ms >= 100 ? "%,.0f" : "%.1f", p99Ms));
        }
        return numbers.get(0) + " (" + numbers.get(1) + " to " + numbers.get(2) + ") [" + met(cell) + "]";
    }

    /** A blank where a side has no run that counts. */
    private static Stream<String> ratios(
        final List<SideRun> runs, final String side, final String rig, final ToDoubleFunction<SideRun> value)
    {
        return Stream.of(10_000L, 100_000L).map((rate) -> String.format(Locale.ROOT, "%.2f",
            SideCell.of(runs, side, rate).percentile(value, NearestRank.MEDIAN) /
            SideCell.of(runs, rig, rate).percentile(value, NearestRank.MEDIAN)).replace("NaN", "-"));
    }

    private static String met(final SideCell cell)
    {
        return cell.metCount() + " of " + cell.counted().size();
    }

    private static String row(final String first, final String second, final Stream<String> cells)
    {
        return Stream.concat(Stream.of(first, second), cells).collect(Collectors.joining(" | ", "| ", " |\n"))
            .replace("|  ", "| ");
    }

    private static void assertContains(final String document, final CharSequence table) throws IOException
    {
        assertThat(Files.readString(DOCS.resolve(document)).contains(table)).as("%s contains\n%s", document, table).isTrue();
    }
}
