package io.clusterecho.peers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.clusterecho.reporting.document.Documents;
import io.clusterecho.statistics.NearestRank;

import com.fasterxml.jackson.databind.JsonNode;

import org.junit.jupiter.api.Test;

/**
 * The tables of {@code docs/REPORTS.md} and those of the reports beside the results, computed from the committed results and
 * the figures of the reports.
 */
class ReportsDocTest
{
    private static final Path DOC = Path.of("../docs/REPORTS.md");
    private static final Path OWN_DOC = Path.of("../results/published/TABLES.md");
    private static final Path ROWS = Path.of("src/test/resources/io/clusterecho/peers/reports.txt");
    private static final Path OWN_TABLES = Path.of("src/test/resources/io/clusterecho/peers/report-tables.txt");
    private static final Path RESULTS = Path.of("../results");
    private static final String PUBLISHED = "published/published.csv";
    private static final Pattern FIELD = Pattern.compile("(?:^|,)(?:\"((?:[^\"]|\"\")*)\"|([^,]*))");
    private static final Pattern COMMAND = Pattern.compile("(?:scripts|bin)/.*");
    private static final Set<String> VERDICTS = Set.of("agrees", "partly", "differs", "other", "missing");
    private static final Set<String> COUNTED = Set.of("good", "client-limited", "GOOD", "CLIENT-LIMITED");
    private static final List<String> PERCENTILES = List.of(
        "p0", "p10", "p20", "p30", "p40", "p50", "p60", "p70", "p80", "p90", "p95", "p99", "p99.9", "max");
    private static final int FIELD_COUNT = 10;
    private static final int LISTED = 3;
    private static final int BEST = 6;
    private static final int MAX_LINES = 300;

    private final Map<String, List<Map<String, String>>> tables = new HashMap<>();

    /** If it fails, copy the expected tables into the page. */
    @Test
    void shouldCompareEachTableOfTheReports() throws IOException
    {
        final StringBuilder text = new StringBuilder();
        for (final String line : Files.readAllLines(ROWS))
        {
            if (line.startsWith("= "))
            {
                text.append("\n## ").append(line.substring(2)).append(
                    "\n| table or figure | command | data | here | there | verdict | cause, or what differs |\n" +
                    "|---|---|---|---|---|---|---|\n");
            }
            else if (!line.startsWith("#"))
            {
                text.append(row(fieldsOf(line))).append('\n');
            }
        }
        assertThat(DOC).content().endsWith(text);
        assertThat(OWN_DOC).content().endsWith("\n\n" + String.join("\n", ownTables()));
        assertThat(Files.readAllLines(DOC)).hasSizeLessThanOrEqualTo(MAX_LINES);
    }

    private static List<String> fieldsOf(final String line)
    {
        return Arrays.stream(line.split("\\|", -1)).map(String::trim).toList();
    }

    /** Each in the layout of its report; a cell has the value here and the one there. */
    private List<String> ownTables() throws IOException
    {
        final List<String> made = new ArrayList<>();
        final List<List<String>> lines = new ArrayList<>();
        for (final String line : Files.readAllLines(OWN_TABLES))
        {
            if (!line.isEmpty() && !line.startsWith("#"))
            {
                lines.add(fieldsOf(line));
            }
            else if (!lines.isEmpty())
            {
                made.add(ownTable(lines.get(0), lines.subList(1, lines.size())));
                lines.clear();
            }
        }
        return made;
    }

    /**
     * A table in the layout of its report.
     *
     * @param title   title, head of the rows, rows.
     * @param columns of each: head, files here, column of the files, condition here, condition there, unit, and the best of the
     *                runs if that is shown too.
     */
    private String ownTable(final List<String> title, final List<List<String>> columns) throws IOException
    {
        final StringBuilder text = new StringBuilder("## " + title.get(0) + "\n| " + title.get(1));
        columns.forEach((column) -> text.append(" | ").append(column.get(0)));
        text.append(" |\n|---").append("|--:".repeat(columns.size())).append("|\n");
        for (final String row : title.get(2).split(","))
        {
            text.append("| ").append(row);
            for (final List<String> column : columns)
            {
                final List<String> files = List.of(column.get(1).split(" \\+ "));
                final List<Double> here = values(files, column.get(3).replace("{}", row), column.get(2));
                final List<Double> there = values(List.of(PUBLISHED), column.get(4).replace("{}", row), "value");
                final double scale = "MB/s".equals(column.get(5)) ? Double.parseDouble(row) / 1e6 : 1;
                text.append(" | ").append(here.isEmpty() ? "–" : shown(scale * median(here)));
                if (!here.isEmpty() && column.size() > BEST)
                {
                    final boolean isLeast = "us".equals(column.get(5));
                    text.append(" (").append(shown(here.get(isLeast ? 0 : here.size() - 1))).append(')');
                }
                text.append(" / ").append(there.isEmpty() ? "–" : shown(scale * median(there)));
            }
            text.append(" |\n");
        }
        return text.toString();
    }

    private static String shown(final double value)
    {
        return String.format(Locale.ROOT, value < 0.95 ? "%.2f" : value < 9.95 ? "%.1f" : "%,.0f", value);
    }

    private String row(final List<String> fields) throws IOException
    {
        assertThat(fields).as("%s", fields).hasSize(FIELD_COUNT);
        final String[] note = fields.get(FIELD_COUNT - 1).split(": ", 2);
        final boolean isGiven = note.length == 2 && VERDICTS.contains(note[0]);
        final String cause = isGiven ? note[1] : fields.get(FIELD_COUNT - 1);
        final String command = COMMAND.matcher(fields.get(1)).matches() && !fields.get(1).contains("`") ?
            "`" + fields.get(1) + "`" : fields.get(1);
        final String first = "| " + fields.get(0) + " | " + command + " | ";
        final String last = cause.isEmpty() ? " | |" : " | " + cause + " |";
        if (fields.get(2).isEmpty())
        {
            assertThat(isGiven).as("%s", fields).isTrue();
            return first.trim() + " | | | " + note[0] + last;
        }

        final List<String> files = List.of(fields.get(2).split(" \\+ "));
        final List<Double> here = new ArrayList<>();
        final List<Double> there = new ArrayList<>();
        for (final String variant : fields.get(3).split(","))
        {
            here.add(ratio(files, fields.get(5), fields.get(6), variant, fields.get(4)));
            there.add(ratio(List.of(PUBLISHED), fields.get(7), fields.get(8), variant, "value"));
        }
        int nearCount = 0;
        for (int i = 0; i < here.size(); i++)
        {
            final double quotient = here.get(i) / there.get(i);
            nearCount += quotient >= 0.5 && quotient <= 2 ? 1 : 0;
        }
        final String computed = (nearCount == here.size() ? "agrees" : 2 * nearCount >= here.size() ? "partly" : "differs") +
            (here.size() > LISTED ? ", " + nearCount + " of " + here.size() : "");
        final String links = files.stream()
            .map((file) -> "[" + Path.of(file).getParent().getFileName() + "](../results/" + file + ")")
            .collect(Collectors.joining(", "));
        return first + links + " | " + range(here) + " | " + range(there) + " | " + (isGiven ? note[0] : computed) + last;
    }

    private double ratio(
        final List<String> files, final String condition, final String base, final String variant, final String column)
        throws IOException
    {
        return median(files, condition.replace("{}", variant), column) / median(files, base.replace("{}", variant), column);
    }

    private double median(final List<String> files, final String condition, final String column) throws IOException
    {
        final List<Double> values = values(files, condition, column);
        assertThat(values).as("%s: %s, %s", files, condition, column).isNotEmpty();
        return median(values);
    }

    private static double median(final List<Double> sorted)
    {
        return sorted.get(NearestRank.index(sorted.size(), NearestRank.MEDIAN));
    }

    /** In ascending order, those of runs that count; times in microseconds. */
    private List<Double> values(final List<String> files, final String condition, final String column) throws IOException
    {
        final List<Double> values = new ArrayList<>();
        for (final String file : files)
        {
            for (final Map<String, String> row : table(file))
            {
                final boolean isCounted = COUNTED.contains(row.getOrDefault("outcome", row.getOrDefault("verdict", "good")));
                final boolean isMet = Arrays.stream(condition.split("&")).map((one) -> one.split("=", 2))
                    .allMatch((pair) -> pair[1].equals(row.get(pair[0])));
                if (isCounted && isMet && !row.getOrDefault(column, "").isEmpty())
                {
                    values.add(Double.parseDouble(row.get(column)) / ("ns".equals(row.get("unit")) ? 1_000 : 1));
                }
            }
        }
        return values.stream().sorted().toList();
    }

    /**
     * Rows of a CSV file by column, or of a percentile distribution or of the document of a price stream by the reports'
     * percentiles; each is read once.
     */
    private List<Map<String, String>> table(final String file) throws IOException
    {
        if (!tables.containsKey(file) && file.endsWith(".hgrm"))
        {
            tables.put(file, percentiles(Path.of(file)));
        }
        else if (!tables.containsKey(file) && file.endsWith(".json"))
        {
            final JsonNode times = Documents.parse(Files.readString(RESULTS.resolve(file))).get("sinceRequestNs");
            tables.put(file, PERCENTILES.stream().map((name) ->
                Map.of("metric", name, "value", times.get(name).asText(), "unit", "ns")).toList());
        }
        else if (!tables.containsKey(file))
        {
            final List<Map<String, String>> rows = new ArrayList<>();
            final List<String> lines = Files.readAllLines(RESULTS.resolve(file));
            final List<String> header = fields(lines.get(0));
            for (final String line : lines.subList(1, lines.size()))
            {
                final List<String> values = fields(line);
                final Map<String, String> row = new HashMap<>();
                for (int i = 0; i < values.size(); i++)
                {
                    row.put(header.get(i), values.get(i));
                }
                rows.add(row);
            }
            tables.put(file, rows);
        }
        return tables.get(file);
    }

    /** In microseconds: of a row of the distribution or, where that has none for a percentile, of the table of runs beside it. */
    private List<Map<String, String>> percentiles(final Path file) throws IOException
    {
        final String system = file.getFileName().toString().replace(".hgrm", "");
        final Map<String, String> run = table(file.resolveSibling("runs.csv").toString()).stream()
            .filter((row) -> system.equals(row.get("transport"))).findFirst().orElseThrow();
        final List<String[]> rows = Files.readAllLines(RESULTS.resolve(file)).stream()
            .map((line) -> line.trim().split("\\s+"))
            .filter((row) -> row.length >= 3 && row[1].matches("[01]\\.[0-9]+")).toList();
        return PERCENTILES.stream().map((name) ->
        {
            final double level = "max".equals(name) ? 1 : Double.parseDouble(name.substring(1)) / 100;
            final String value = rows.stream().filter((row) -> Math.abs(Double.parseDouble(row[1]) - level) < 1e-9)
                .map((row) -> row[0]).findFirst().orElseGet(() -> run.get("response_" + name + "_us"));
            return Map.of("metric", name, "value", value);
        }).toList();
    }

    private static List<String> fields(final String line)
    {
        final List<String> fields = new ArrayList<>();
        final Matcher matcher = FIELD.matcher(line);
        while (matcher.find())
        {
            fields.add(null == matcher.group(1) ? matcher.group(2) : matcher.group(1).replace("\"\"", "\""));
        }
        return fields;
    }

    private static String range(final List<Double> values)
    {
        final List<Double> sorted = values.stream().sorted().toList();
        return values.size() <= LISTED ? values.stream().map(ReportsDocTest::text).collect(Collectors.joining(", ")) :
            text(sorted.get(0)) + " to " + text(sorted.get(sorted.size() - 1));
    }

    private static String text(final double value)
    {
        return String.format(
            Locale.ROOT, value < 0.0095 ? "%.4f" : value < 0.095 ? "%.3f" : value < 9.95 ? "%.2f" : "%.0f", value);
    }
}
