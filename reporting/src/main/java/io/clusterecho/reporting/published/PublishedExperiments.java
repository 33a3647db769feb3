package io.clusterecho.reporting.published;

import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What each public report measured, by the table {@code experiments.txt}. */
final class PublishedExperiments
{
    private static final int COLUMN_COUNT = 8;
    private static final List<Row> ROWS =
        PublishedFigures.packed("/io/clusterecho/reporting/published/experiments.txt").stream()
        .filter((line) -> !line.isBlank() && !line.startsWith("#")).map(Row::of).toList();

    /** A row: the figures that it describes, and the fields of their experiment, which refer to groups of the expression. */
    private record Row(Pattern figures, List<String> fields)
    {
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

    private PublishedExperiments()
    {
    }

    static Experiment of(final PublishedFigure figure)
    {
        final String metric = "throughput".equals(figure.metric()) ? Experiment.THROUGHPUT : figure.metric();
        final String key = String.join(
            ";", figure.source(), figure.system(), figure.test(), figure.setup(), figure.lengthBytes(), figure.ratePerSecond(),
            metric);
        for (final Row row : ROWS)
        {
            final Matcher matcher = row.figures.matcher(key);
            if (matcher.matches())
            {
                return row.experiment(matcher);
            }
        }

        return new Experiment("", "", "", "", "", figure.metric());
    }
}
