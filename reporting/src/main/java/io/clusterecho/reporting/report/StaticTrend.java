package io.clusterecho.reporting.report;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;

import io.clusterecho.settings.Quantity;

/** What a page about results over time says without its scripts. */
final class StaticTrend
{
    private StaticTrend()
    {
    }

    /** The numbers of a page. */
    static String html(final JsonNode trend)
    {
        final JsonNode gate = trend.path("gate");
        return "<h1>Results over time</h1>\n" + StaticReport.paragraph(trend.path("summary").asText()) +
            (gate.isObject() ? StaticReport.paragraph(gate.path("summary").asText()) +
            StaticReport.list(StaticReport.texts(gate.path("refusals"))) +
            StaticReport.list(StaticReport.each(gate.path("metrics"), (one) -> one.path("group").asText() + ": " +
            one.path("sentence").asText()).toList()) : "") +
            StaticReport.list(StaticReport.texts(trend.path("warnings"))) +
            StaticReport.list(StaticReport.texts(trend.path("notes"))) +
            StaticReport.each(trend.path("groups"), StaticTrend::group).collect(Collectors.joining());
    }

    private static String group(final JsonNode group)
    {
        final JsonNode series = group.path("series");
        final List<String> headings = Stream.concat(
            Stream.of("date and commit", "results"), StaticReport.each(series, (one) -> one.path("name").asText())).toList();
        return "<h2>" + StaticReport.escaped(group.path("name").asText()) + "</h2>\n" +
            StaticReport.list(StaticReport.each(series, (one) -> one.path("sentence").asText()).toList()) +
            StaticReport.table("Points", headings, IntStream.range(0, group.path("points").size()).mapToObj((index) ->
            {
                final JsonNode point = group.path("points").path(index);
                return StaticReport.row(
                    point.path("day").asText() + " " + point.path("commit").asText(),
                    Stream.concat(Stream.of(String.valueOf(point.path("results").size())), StaticReport.each(
                    series, (one) -> value(one.path("values").path(index), one.path("unit").asText()))));
            }));
    }

    private static String value(final JsonNode value, final String unit)
    {
        if (!value.isObject())
        {
            return "–";
        }
        final double low = value.path("low").asDouble();
        final double high = value.path("high").asDouble();
        return format(value.path("median").asDouble(), unit) +
            (low == high ? "" : " (" + format(low, unit) + " to " + format(high, unit) + ")");
    }

    private static String format(final double value, final String unit)
    {
        return "ns".equals(unit) ? Quantity.formatNs(Math.round(value)) :
            String.format(Locale.ROOT, "%,.1f%s", value, "s".equals(unit) ? " s" : "/s");
    }
}
