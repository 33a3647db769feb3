package io.clusterecho.reporting.published;

import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.clusterecho.platform.BuildFacts;

/**
 * A figure of a public report, a row of {@code published.csv}; a field is empty if the report does not state it.
 *
 * @param value         in the unit of the report.
 */
public record PublishedFigure(
    String source,
    String system,
    String test,
    String setup,
    String lengthBytes,
    String ratePerSecond,
    String metric,
    double value)
{
    private static final String RESOURCES = "/io/clusterecho/";
    private static final List<PublishedFigure> FIGURES =
        BuildFacts.text(RESOURCES + "published/published.csv").lines().skip(1)
        .map((line) -> PublishedFigure.of(line.split(",", -1))).toList();
    private static final List<Row> ROWS = BuildFacts.text(RESOURCES + "reporting/published/experiments.txt").lines()
        .filter((line) -> !line.isBlank() && !line.startsWith("#")).map(Row::of).toList();

    /** A row of experiments: the figures that it describes, and their fields, which refer to groups of the expression. */
    private record Row(Pattern figures, List<String> fields)
    {
        private static final int COLUMN_COUNT = 8;

        static Row of(final String line)
        {
            final List<String> columns = Stream.of(line.split("\\|", COLUMN_COUNT)).map(String::trim).toList();
            return new Row(Pattern.compile("^" + columns.get(0) + "$"), columns.subList(1, COLUMN_COUNT));
        }

        Experiment experiment(final Matcher figure)
        {
            final List<String> texts = fields.stream().map(figure::replaceFirst).toList();
            final Map<String, String> settings = Stream.of(texts.get(6).split(";")).filter((one) -> !one.isEmpty())
                .map((one) -> one.split("=", 2)).collect(Collectors.toMap((pair) -> pair[0], (pair) -> pair[1]));
            return new Experiment(
                texts.get(0), texts.get(1), texts.get(2), texts.get(3), texts.get(4), texts.get(5), settings);
        }
    }

    private static PublishedFigure of(final String... columns)
    {
        return new PublishedFigure(
            columns[0], columns[1], columns[2], columns[3], columns[4], columns[5], columns[6], Double.parseDouble(columns[7]));
    }

    /** All figures, in the order of the file. */
    public static List<PublishedFigure> all()
    {
        return FIGURES;
    }

    /** What it measures, in terms that our results use too: by the first row of experiments that matches it. */
    public Experiment experiment()
    {
        final String key = String.join(
            ";", source, system, test, setup, lengthBytes, ratePerSecond,
            "throughput".equals(metric) ? Experiment.THROUGHPUT : metric);
        return ROWS.stream().flatMap((row) ->
        {
            final Matcher matcher = row.figures.matcher(key);
            return matcher.matches() ? Stream.of(row.experiment(matcher)) : Stream.empty();
        }).findFirst().orElseGet(() -> new Experiment("", "", "", "", "", metric, Map.of()));
    }
}
