package io.clusterecho.reporting.report;

import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import com.fasterxml.jackson.databind.JsonNode;

import io.clusterecho.reporting.foreign.ForeignResult;
import io.clusterecho.reporting.measurement.Time;
import io.clusterecho.reporting.results.DocumentKind;
import io.clusterecho.reporting.results.Percentile;
import io.clusterecho.settings.Quantity;

/** What a page says without its scripts: verdicts, accounts, percentiles, trends as HTML tables. The scripts replace it. */
final class StaticReport
{
    private static final List<String> PERCENTILES = Stream.of(Percentile.values()).map(Percentile::label).toList();
    private static final List<String> ACCOUNTS = List.of(
        "scheduled", "answered", "late", "unanswered", "neverSent", "duplicates", "outOfOrder", "corrupt");
    private static final List<String> RANKS = List.of("min", "median", "p90", "max");
    private static final String NONE = "–";

    private StaticReport()
    {
    }

    static String html(final ReportContent content)
    {
        return "<h1>" + escaped(content.title()) + "</h1>\n" + Stream.of(
            content.of(DocumentKind.SUITE).stream().map(StaticReport::suite),
            content.of(DocumentKind.SWEEP).stream().map(StaticReport::sweep),
            content.of(DocumentKind.MAX_RATE).stream().map(StaticReport::search),
            content.of(DocumentKind.BASELINE).stream().map(StaticReport::baseline),
            content.runs().stream().map(StaticReport::run),
            content.foreign().stream().map(StaticReport::foreign))
            .flatMap((parts) -> parts).collect(Collectors.joining("\n"));
    }

    static String trend(final JsonNode trend)
    {
        final JsonNode gate = trend.path("gate");
        return "<h1>Results over time</h1>\n" + paragraph(trend.path("summary").asText()) +
            (gate.isObject() ? paragraph(gate.path("summary").asText()) + list(texts(gate.path("refusals"))) +
            list(each(gate.path("metrics"), (one) -> one.path("group").asText() + ": " + one.path("sentence").asText())
                .toList()) : "") +
            list(texts(trend.path("warnings"))) + list(texts(trend.path("notes"))) +
            each(trend.path("groups"), StaticReport::group).collect(Collectors.joining());
    }

    private static String group(final JsonNode group)
    {
        final JsonNode series = group.path("series");
        final List<String> headings = Stream.concat(
            Stream.of("date and commit", "results"), each(series, (one) -> one.path("name").asText())).toList();
        return "<h2>" + escaped(group.path("name").asText()) + "</h2>\n" +
            list(each(series, (one) -> one.path("sentence").asText()).toList()) +
            table("Points", headings, IntStream.range(0, group.path("points").size()).mapToObj((index) ->
            {
                final JsonNode point = group.path("points").path(index);
                return row(
                    point.path("day").asText() + " " + point.path("commit").asText(),
                    Stream.concat(Stream.of(String.valueOf(point.path("results").size())), each(
                    series, (one) -> value(one.path("values").path(index), one.path("unit").asText()))));
            }));
    }

    private static String value(final JsonNode value, final String unit)
    {
        if (!value.isObject())
        {
            return NONE;
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

    static String escaped(final String text)
    {
        return text.replace("&", "&amp;").replace("<", "&lt;");
    }

    private static String run(final RunResult run)
    {
        final JsonNode manifest = run.manifest();
        final JsonNode failover = null == run.failover() ? null : run.failover().result();
        return
            heading(null == failover ? manifest : failover, manifest.path("label").asText(), run.verdict()) +
            (null == failover ? "" : failover(failover)) +
            times(manifest, Time.OF_MESSAGES, "") +
            accounts(manifest);
    }

    private static String failover(final JsonNode failover)
    {
        return table("Outages", List.of("", "min", "median", "p90", "max"), Stream.of(
            row("outage", RANKS.stream().map((rank) -> time(failover.path("outageNs"), rank))))) +
            table("Audit", List.of("messages", "count"), Stream.of(
            row("acknowledged", Stream.of(count(failover.path("acknowledged")))),
            row("of them lost", Stream.of(count(failover.path("acknowledgedLost")))),
            row("applied twice", Stream.of(count(failover.path("appliedTwice"))))));
    }

    private static String foreign(final ForeignResult result)
    {
        final JsonNode manifest = result.manifest();
        return heading(manifest, manifest.path("label").asText(), manifest.at("/verdict/label").asText()) +
            times(manifest, List.of(Time.RESPONSE), "");
    }

    private static String search(final StoredDocument search)
    {
        final JsonNode document = search.document();
        return heading(document, search.label(), search.verdict()) +
            paragraph("Highest rate: " + count(document.at("/answer/ratePerSecond")) + " messages/s (" +
            document.at("/answer/status").asText() + "). " + document.at("/answer/sentence").asText()) +
            table("Runs", List.of("target/s", "achieved/s", "p50", "p99", "max", "condition"), each(document.path("steps"),
            (step) -> row(count(step.path("ratePerSecondAsked")), Stream.of(
            count(step.path("ratePerSecondAchieved")), time(step.at("/responseTimeNs/p50")),
            time(step.at("/responseTimeNs/p99")), time(step.at("/responseTimeNs/max")),
            step.path("held").asBoolean() ? "met" : "not met"))));
    }

    private static String sweep(final StoredDocument sweep)
    {
        final JsonNode document = sweep.document();
        return heading(document, sweep.label(), sweep.verdict()) +
            table("Cells", List.of("cell", "verdict", "target/s", "p50", "p99", "max"), each(document.path("cells"),
            (cell) -> row(cell.path("name").asText(), Stream.of(
            cell.at("/verdict/label").asText(), count(cell.path("ratePerSecond")), time(cell.at("/responseTimeNs/p50/median")),
            time(cell.at("/responseTimeNs/p99/median")), time(cell.at("/responseTimeNs/max/median"))))));
    }

    private static String suite(final StoredDocument suite)
    {
        return heading(suite.document(), suite.label(), suite.verdict()) +
            each(suite.document().path("groups"), StaticReport::load).collect(Collectors.joining());
    }

    private static String load(final JsonNode group)
    {
        final JsonNode metric = group.at("/metrics/0");
        final String name = metric.path("name").asText();
        return table(group.path("name").asText(), List.of("system", "good runs", name, "ratio"),
            each(group.path("systems"), (system) ->
            {
                final JsonNode value = system.path("values").path(name).path("median");
                final JsonNode ratio = system.path("ratios").path(name).path("median");
                return row(system.path("name").asText(), Stream.of(
                    system.path("goodRuns").asText() + " of " + system.path("runs").asText(),
                    "ns".equals(metric.path("unit").asText()) ? time(value) : count(value),
                    ratio.isNumber() ? String.format(Locale.ROOT, "%.2f", ratio.asDouble()) : NONE));
            }));
    }

    private static String baseline(final StoredDocument baseline)
    {
        return heading(baseline.document(), baseline.label(), baseline.verdict()) +
            each(baseline.document().path("udp"), (udp) -> times(udp, List.of(Time.SERVICE, Time.RESPONSE),
            " of a UDP round trip, " + udp.path("idle").asText())).collect(Collectors.joining());
    }

    private static String heading(final JsonNode document, final String label, final String verdict)
    {
        return title(label, verdict) + list(texts(document.at("/verdict/reasons"))) +
            list(texts(document.at("/verdict/warnings"))) +
            (document.has("commandLine") ?
            paragraph("Started: " + document.path("start").asText()) + paragraph(document.path("commandLine").asText()) : "");
    }

    private static String title(final String label, final String verdict)
    {
        return "<h2>" + escaped(label) + "</h2>\n" + paragraph("Verdict: " + verdict);
    }

    private static String accounts(final JsonNode manifest)
    {
        return table("Accounts", List.of("messages", "count"), Stream.concat(
            ACCOUNTS.stream().map((name) -> row(words(name), Stream.of(count(manifest.path(name))))),
            Stream.of(
            row("target rate, messages/s", Stream.of(count(manifest.path("ratePerSecondAsked")))),
            row("achieved rate, messages/s", Stream.of(count(manifest.path("ratePerSecondAchieved")))))));
    }

    private static String times(final JsonNode document, final List<Time> times, final String of)
    {
        return table("Percentiles", Stream.concat(Stream.of(""), PERCENTILES.stream()).toList(),
            times.stream().filter((time) -> document.has(time.field())).map((time) -> row(time.label() + of,
            PERCENTILES.stream().map((percentile) -> time(document.path(time.field()), percentile) +
            bounds(document.path(time.field()).path("confidence95").path(percentile))))));
    }

    private static String bounds(final JsonNode bounds)
    {
        return bounds.isArray() ? " (95%: " + time(bounds.path(0)) + " to " + time(bounds.path(1)) + ")" : "";
    }

    private static String table(final String caption, final List<String> headings, final Stream<String> rows)
    {
        return "<table><caption>" + escaped(caption) + "</caption>\n<thead><tr>" + headings.stream().map((heading) ->
            heading.isEmpty() ? "<td></td>" : "<th scope=\"col\">" + escaped(heading) + "</th>").collect(Collectors.joining()) +
            "</tr></thead>\n<tbody>" + rows.collect(Collectors.joining()) + "</tbody></table>\n";
    }

    private static String row(final String name, final Stream<String> cells)
    {
        return "<tr><th scope=\"row\">" + escaped(name) + "</th>" +
            cells.map((cell) -> "<td>" + escaped(cell) + "</td>").collect(Collectors.joining()) + "</tr>\n";
    }

    private static String list(final List<String> texts)
    {
        return texts.isEmpty() ? "" : "<ul>" +
            texts.stream().map((text) -> "<li>" + escaped(text) + "</li>").collect(Collectors.joining()) + "</ul>\n";
    }

    private static String paragraph(final String text)
    {
        return "<p>" + escaped(text) + "</p>\n";
    }

    private static List<String> texts(final JsonNode array)
    {
        return each(array, JsonNode::asText).toList();
    }

    private static Stream<String> each(final JsonNode array, final Function<JsonNode, String> mapping)
    {
        return StreamSupport.stream(array.spliterator(), false).map(mapping);
    }

    private static String words(final String name)
    {
        return name.replaceAll("([A-Z])", " $1").toLowerCase(Locale.ROOT);
    }

    private static String count(final JsonNode number)
    {
        return number.isNumber() ? String.format(Locale.ROOT, "%,d", Math.round(number.asDouble())) : NONE;
    }

    /** A value of a distribution, which has none if it is empty. */
    private static String time(final JsonNode times, final String name)
    {
        return 0 == times.path("count").asLong(1) ? NONE : time(times.path(name));
    }

    private static String time(final JsonNode timeNs)
    {
        return timeNs.isNumber() ? Quantity.formatNs(Math.round(timeNs.asDouble())) : NONE;
    }
}
